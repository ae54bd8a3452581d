// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading /proc/PID.

#include "linesman/Watch/Process.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace linesman::watch {

static std::string procPath(ProcessId Process, const Twine &Rest) {
  return ("/proc/" + Twine(Process.Value) + "/" + Rest).str();
}

/// /proc files have no size. Of a thousand threads a thousand are read, hence
/// no buffer on the heap.
static std::string readProc(const std::string &Path) {
  Expected<sys::fs::file_t> File = sys::fs::openNativeFileForRead(Path);
  if (!File) {
    consumeError(File.takeError());
    return {};
  }
  SmallString<1024> Text;
  Error Problem = sys::fs::readNativeFileToEOF(*File, Text, Text.capacity());
  sys::fs::closeFile(*File);
  if (Problem) {
    consumeError(std::move(Problem));
    return {};
  }
  return std::string(Text);
}

/// The letter after "PID (name, with any character) ", or 0.
static char stateLetter(const std::string &Path) {
  std::string Stat = readProc(Path);
  size_t End = Stat.rfind(')');
  return End == std::string::npos || End + 2 >= Stat.size() ? 0 : Stat[End + 2];
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

static std::string userName(uid_t User) {
  if (const passwd *Entry = ::getpwuid(User))
    return Entry->pw_name;
  return ("user " + Twine(User)).str();
}

Error checkWatchable(ProcessId Process) {
  auto Name = "process " + std::to_string(Process.Value);
  switch (stateOf(Process)) {
  case ProcessState::Gone:
    return make_error<WatchError>(Refusal::Gone,
                                  Name + " does not exist or has exited");
  case ProcessState::Stopped:
    return make_error<WatchError>(
        Refusal::Other, Name +
                            " is stopped, so it touches nothing; let it "
                            "run (kill -CONT " +
                            Twine(Process.Value) + ") and watch again");
  case ProcessState::Live:
    break;
  }
  // Opening memory maps asks for the same permission as watching does.
  std::string Maps = procPath(runningThread(Process), "maps");
  Expected<sys::fs::file_t> File = sys::fs::openNativeFileForRead(Maps);
  std::error_code Code =
      File ? std::error_code() : errorToErrorCode(File.takeError());
  bool Readable = !Code;
  if (Readable) {
    char Byte;
    Readable = ::read(*File, &Byte, 1) >= 0;
    sys::fs::closeFile(*File);
  }
  if (Readable)
    return Error::success();
  struct stat Status;
  if (::geteuid() == 0)
    return make_error<WatchError>(
        Refusal::NotPermitted,
        Name + " is not to be looked into, not even by root: a container "
               "without --cap-add=SYS_PTRACE, a process outside of it, or a "
               "security module refuses");
  std::string Owner = ::stat(procPath(Process, "").c_str(), &Status) == 0
                          ? userName(Status.st_uid)
                          : "another user";
  return make_error<WatchError>(
      Refusal::NotPermitted,
      Name + " belongs to " + Owner + ", and " + userName(::geteuid()) +
          " may not look into it; run linesman as that user or as root");
}

std::vector<ThreadId> listThreads(ProcessId Process) {
  std::vector<ThreadId> Threads;
  std::error_code Code;
  for (sys::fs::directory_iterator I(procPath(Process, "task"), Code), End;
       I != End && !Code; I.increment(Code)) {
    int Number;
    StringRef Path = I->path();
    if (!Path.rsplit('/').second.getAsInteger(10, Number))
      Threads.push_back({Number});
  }
  llvm::sort(Threads);
  return Threads;
}

bool isRunning(ProcessId Process, ThreadId Thread) {
  std::string Stat =
      readProc(procPath(Process, "task/" + Twine(Thread.Value) + "/stat"));
  // "NUMBER (name) STATE parent group session terminal foreground flags ...".
  auto [Name, Rest] = StringRef(Stat).rsplit(')');
  SmallVector<StringRef, 8> Fields;
  Rest.trim().split(Fields, ' ', 7);
  uint64_t Flags = 0;
  if (Fields.size() < 7 || StringRef("ZXx").contains(Fields[0]) ||
      Fields[6].getAsInteger(10, Flags))
    return false;
  // PF_EXITING: its watchpoints go before it is a zombie.
  return !(Flags & 4);
}

/// The number after "NAME:" in /proc/PID/status, or 0.
static uint64_t statusField(ThreadId Thread, StringRef Name, unsigned Radix) {
  std::string Status = readProc(procPath({Thread.Value}, "status"));
  StringRef Rest = StringRef(Status).split(("\n" + Name + ":").str()).second;
  uint64_t Number = 0;
  Rest.split('\n').first.trim().getAsInteger(Radix, Number);
  return Number;
}

ProcessId tracerOf(ThreadId Thread) {
  return {static_cast<int>(statusField(Thread, "TracerPid", 10))};
}

bool ignoresSignal(ThreadId Thread, int Signal) {
  return statusField(Thread, "SigIgn", 16) >> (Signal - 1) & 1;
}

std::string executionMark(ProcessId Process) {
  return readProc(procPath(runningThread(Process), "auxv"));
}

ThreadClock clockOf(ProcessId Process, ThreadId Thread) {
  // "run-ns wait-ns slices".
  std::string Stat =
      readProc(procPath(Process, "task/" + Twine(Thread.Value) + "/schedstat"));
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
  return stateLetter(
             procPath(Process, "task/" + Twine(Thread.Value) + "/stat")) == 'R';
}

std::string threadName(ProcessId Process, ThreadId Thread) {
  std::string Name =
      readProc(procPath(Process, "task/" + Twine(Thread.Value) + "/comm"));
  return StringRef(Name).rtrim('\n').str();
}

std::string programOf(ProcessId Process) {
  char Path[4096];
  ssize_t Length = ::readlink(procPath(runningThread(Process), "exe").c_str(),
                              Path, sizeof(Path));
  return Length < 0 ? std::string() : std::string(Path, Length);
}

} // namespace linesman::watch
