// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading /proc/PID.

#include "linesman/Process/State.h"
#include "linesman/Process/Descriptor.h"
#include "linesman/Process/ProcFiles.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace linesman::process {

static std::string taskPath(ProcessId Process, ThreadId Thread,
                            StringRef Name) {
  return procPath(Process, "task/" + Twine(Thread.Value) + "/" + Name);
}

/// The letter of a stat file, or 0.
static char stateLetter(const std::string &Path) {
  std::string Text = readProcFile(Path);
  SmallVector<StringRef> Fields = statFields(Text);
  return Fields.empty() ? 0 : Fields[0].front();
}

ProcessState stateOf(ProcessId Process) {
  switch (stateLetter(procPath(Process, "stat"))) {
  case 0:
    return ProcessState::Gone;
  case 'T':
  case 't':
    return ProcessState::Stopped;
  case 'Z':
  case 'X':
  case 'x': {
    // A leader that has left its threads behind is a zombie, too.
    return listThreads(Process).size() > 1 ? ProcessState::Live
                                           : ProcessState::Gone;
  }
  }
  return ProcessState::Live;
}

ProcessId runningThread(ProcessId Process) {
  if (!isRunning(Process, {Process.Value}))
    for (ThreadId Thread : listThreads(Process))
      if (isRunning(Process, Thread))
        return {Thread.Value};
  return Process;
}

/// "root", or "user 4711" where the number has no name.
static std::string userName(uid_t User) {
  if (const passwd *Entry = ::getpwuid(User))
    return Entry->pw_name;
  return formatv("user {0}", User);
}

Error checkReadable(ProcessId Process) {
  struct stat Status;
  if (::stat(procPath(Process, "").c_str(), &Status) != 0)
    return createStringError(std::make_error_code(std::errc::no_such_process),
                             formatv("there is no process {0}", Process.Value));
  // Who may open it may do all that we do.
  Descriptor Pagemap(::open(procPath(runningThread(Process), "pagemap").c_str(),
                            O_RDONLY | O_CLOEXEC));
  if (Pagemap.isOpen())
    return Error::success();
  const bool IsRefused = errno == EACCES || errno == EPERM;
  if (IsRefused && ::geteuid() == 0)
    return createStringError(
        std::make_error_code(std::errc::permission_denied),
        formatv("process {0} is not to be looked into, not even by root: a "
                "container without --cap-add=SYS_PTRACE, a process outside of "
                "it, or a security module refuses",
                Process.Value));
  if (IsRefused)
    return createStringError(
        std::make_error_code(std::errc::permission_denied),
        formatv("process {0} belongs to {1}, and {2} may not look into it; run "
                "linesman as that user or as root",
                Process.Value, userName(Status.st_uid), userName(::geteuid())));
  return createStringError(
      std::make_error_code(std::errc::no_such_process),
      stateOf(Process) == ProcessState::Gone
          ? formatv("process {0} has ended (a longer run can be looked into)",
                    Process.Value)
          : formatv("process {0} has no memory: it is a thread of the kernel",
                    Process.Value));
}

Error ignoreGone(Error E) {
  return handleErrors(
      std::move(E), [](std::unique_ptr<StringError> Said) -> Error {
        if (Said->convertToErrorCode() == std::errc::no_such_process)
          return Error::success();
        return Error(std::move(Said));
      });
}

Expected<std::string> executablePath(ProcessId Process) {
  char Path[4096];
  ssize_t Size = ::readlink(procPath(runningThread(Process), "exe").c_str(),
                            Path, sizeof Path);
  if (Size >= 0)
    return std::string(Path, Size);
  if (Error E = checkReadable(Process))
    return std::move(E);
  return createStringError(
      formatv("process {0} has no executable file", Process.Value));
}

uint64_t pageSize() { return ::sysconf(_SC_PAGESIZE); }

std::vector<ThreadId> listThreads(ProcessId Process) {
  std::vector<ThreadId> Threads;
  for (int Number : listNumbers(procPath(Process, "task")))
    Threads.push_back({Number});
  return Threads;
}

bool isRunning(ProcessId Process, ThreadId Thread) {
  std::string Text = readProcFile(taskPath(Process, Thread, "stat"));
  // STATE parent group session terminal foreground flags ...
  SmallVector<StringRef> Fields = statFields(Text);
  uint64_t Flags = 0;
  if (Fields.size() < 7 || StringRef("ZXx").contains(Fields[0]) ||
      Fields[6].getAsInteger(10, Flags))
    return false;
  // PF_EXITING: its watchpoints go before it is a zombie.
  return !(Flags & 4);
}

static std::string readStatus(ThreadId Thread) {
  return readProcFile(procPath({Thread.Value}, "status"));
}

ProcessId tracerOf(ThreadId Thread) {
  return {static_cast<int>(
      statusField(readStatus(Thread), "TracerPid").value_or(0))};
}

bool ignoresSignal(ThreadId Thread, int Signal) {
  return statusField(readStatus(Thread), "SigIgn", 16).value_or(0) >>
             (Signal - 1) &
         1;
}

std::string executionMark(ProcessId Process) {
  return readProcFile(procPath(runningThread(Process), "auxv"));
}

ThreadClock clockOf(ProcessId Process, ThreadId Thread) {
  // "run-ns wait-ns slices".
  std::string Stat = readProcFile(taskPath(Process, Thread, "schedstat"));
  ThreadClock Clock;
  auto [Ran, Rest] = StringRef(Stat).trim().split(' ');
  auto [Waited, Slices] = Rest.split(' ');
  if (Ran.getAsInteger(10, Clock.Ran) ||
      Waited.getAsInteger(10, Clock.Waited) ||
      Slices.getAsInteger(10, Clock.Slices))
    return {};
  return Clock;
}

uint64_t runTimeOf(ProcessId Process) {
  clockid_t Clock;
  timespec Time;
  if (::clock_getcpuclockid(Process.Value, &Clock) != 0 ||
      ::clock_gettime(Clock, &Time) != 0)
    return 0;
  return uint64_t(Time.tv_sec) * 1'000'000'000 + uint64_t(Time.tv_nsec);
}

bool isReady(ProcessId Process, ThreadId Thread) {
  return stateLetter(taskPath(Process, Thread, "stat")) == 'R';
}

std::string threadName(ProcessId Process, ThreadId Thread) {
  std::string Name = readProcFile(taskPath(Process, Thread, "comm"));
  return StringRef(Name).rtrim('\n').str();
}

} // namespace linesman::process
