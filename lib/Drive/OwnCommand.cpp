// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One of our commands as a child process. It is asked to end and then waited
// for, because it ends what it has started, and puts pages back where they
// were; killing it would leave that undone.

#include "linesman/Drive/Hunt.h"
#include "linesman/Process/Descriptor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::drive {

namespace {

constexpr int PollMilliseconds = 50;
/// A command that ends its own children waits for them some seconds.
constexpr unsigned PatientPolls = 20000 / PollMilliseconds;

Error systemError(const Twine &Call) {
  return createStringError(Call + ": " + sys::StrError());
}

[[noreturn]] void becomeCommand(const std::vector<std::string> &Words,
                                int Parent, int Input, int Log) {
  std::vector<char *> Arguments;
  for (const std::string &Word : Words)
    Arguments.push_back(const_cast<char *>(Word.c_str()));
  Arguments.push_back(nullptr);
  // Ctrl-C is for the hunt, which passes it on; and without the hunt nobody
  // would ask it to end.
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigset_t None;
  sigemptyset(&None);
  ::sigprocmask(SIG_SETMASK, &None, nullptr);
  for (int Signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
    ::signal(Signal, SIG_DFL);
  if (::getppid() == Parent && ::dup2(Input, STDIN_FILENO) >= 0 &&
      ::dup2(Log, STDOUT_FILENO) >= 0 && ::dup2(Log, STDERR_FILENO) >= 0)
    ::execv(Arguments.front(), Arguments.data());
  ::_exit(127);
}

/// Its last error, or else how it ended.
std::string readProblem(StringRef Log, int Status) {
  if (auto File = MemoryBuffer::getFileAsStream(Log)) {
    StringRef Text = (*File)->getBuffer();
    constexpr StringLiteral Mark = "linesman: error: ";
    if (size_t Index = Text.rfind(Mark); Index != StringRef::npos)
      return Text.substr(Index + Mark.size())
          .take_until([](char C) { return C == '\n'; })
          .str();
  }
  if (WIFSIGNALED(Status))
    return formatv("it was killed by signal {0}, see {1}", WTERMSIG(Status),
                   Log);
  return formatv("exit code {0}, see {1}", WEXITSTATUS(Status), Log);
}

} // namespace

Expected<StepEnd> runOwnCommand(const Step &Action, StringRef Executable,
                                function_ref<bool()> IsUnwanted) {
  std::string Base =
      (sys::path::parent_path(Action.Result) + "/" + Action.Name).str();
  std::string Log = Base + ".log";
  Descriptor Input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  Descriptor Output(
      ::open(Log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (Output.get() < 0)
    return systemError(Log);
  std::vector<std::string> Words = {Executable.str()};
  Words.insert(Words.end(), Action.Arguments.begin(), Action.Arguments.end());
  int Parent = ::getpid(), Child = ::fork();
  if (Child < 0)
    return systemError("fork");
  if (Child == 0)
    becomeCommand(Words, Parent, Input.get(), Output.get());
  ::setpgid(Child, Child);
  Descriptor End(int(::syscall(SYS_pidfd_open, Child, /*flags=*/0)));
  if (End.get() < 0) {
    Error Problem = systemError("pidfd_open");
    ::kill(-Child, SIGKILL);
    ::waitpid(Child, nullptr, 0);
    return std::move(Problem);
  }

  bool IsStopped = false;
  unsigned Waited = 0;
  pollfd Poll = {End.get(), POLLIN, 0};
  while (::poll(&Poll, 1, PollMilliseconds) <= 0) {
    if (!IsStopped && IsUnwanted()) {
      IsStopped = true;
      ::kill(Child, SIGTERM);
    }
    Waited += IsStopped;
    if (Waited == PatientPolls)
      ::kill(-Child, SIGKILL);
  }
  int Status = 0;
  while (::waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  if (IsStopped) {
    sys::fs::rename(Action.Result, Base + ".partial");
    return StepEnd::Stopped;
  }
  // 1 is of a gate: something was found, and the report has it.
  if (WIFEXITED(Status) && WEXITSTATUS(Status) <= 1 &&
      sys::fs::exists(Action.Result))
    return StepEnd::Done;
  sys::fs::rename(Action.Result, Base + ".partial");
  return createStringError(readProblem(Log, Status));
}

} // namespace linesman::drive
