// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fork, execvp, and a pipe that closes when the program was really executed.

#include "linesman/Process/Launch.h"
#include "EntryPoint.h"
#include "linesman/Process/Execution.h"
#include "linesman/Process/Handles.h"
#include "linesman/Process/Launchers.h"
#include "llvm/ADT/Twine.h"
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace linesman::process {

/// Enough for a program that puts its files in order.
static constexpr int EndMilliseconds = 2000;

bool awaitEnd(ProcessId Child, int Milliseconds) {
  Descriptor Ended = openProcess(Child);
  pollfd Wait = {Ended.get(), POLLIN, 0};
  // A number that is nobody's any more has nothing to wait for.
  while (Ended.isOpen() && ::poll(&Wait, 1, Milliseconds) < 0 && errno == EINTR)
    ;
  return ::waitpid(Child.Value, nullptr, WNOHANG) == Child.Value;
}

Expected<Child> launch(ArrayRef<std::string> Command, Begin Wanted) {
  assert(!Command.empty() && "a command has a program");
  Expected<ExecutionPipe> Executed = ExecutionPipe::make();
  if (!Executed)
    return Executed.takeError();
  int Starts[2];
  if (::pipe2(Starts, O_CLOEXEC) != 0)
    return createStringError(Twine("pipe: ") + std::strerror(errno));
  Descriptor Wait(Starts[0]), Start(Starts[1]);
  std::vector<char *> Arguments = wordsForExecution(Command);
  const pid_t Parent = ::getpid();
  pid_t Process = ::fork();
  if (Process < 0)
    return createStringError(Twine("fork: ") + std::strerror(errno));
  if (Process == 0) {
    // It must not outlive us: whoever waits for the end of our output waits for
    // its end.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != Parent)
      ::_exit(127);
    // Until it is known whether it is held.
    Start.reset();
    char Nothing;
    while (::read(Wait.get(), &Nothing, 1) < 0 && errno == EINTR)
      ;
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    ::execvp(Arguments[0], Arguments.data());
    Executed->fail();
  }
  Child Result({Process},
               Wanted == Begin::AtRelease && holdAtExecution({Process}));
  Start.reset();
  // A held one may stop on its way for a signal, and must not be waited for in
  // another way meanwhile.
  Error Ended =
      Result.IsHeld
          ? runToEntryPoint(Result.Process, skipLaunchers(Command).Launchers)
          : Error::success();
  if (int Failure = Executed->await()) {
    consumeError(std::move(Ended));
    Result.wait();
    return createStringError("cannot execute '" + Twine(Command.front()) +
                             "': " + std::strerror(Failure));
  }
  if (Ended) {
    Result.wait();
    return createFileError(Command.front(), std::move(Ended));
  }
  return Result;
}

void Child::release() {
  if (IsHeld)
    releaseHeld(Process);
  IsHeld = false;
}

Child::~Child() {
  if (Process.Value == 0)
    return;
  ::kill(Process.Value, SIGTERM);
  ::kill(Process.Value, SIGCONT);
  release();
  if (awaitEnd(Process, EndMilliseconds))
    return;
  ::kill(Process.Value, SIGKILL);
  wait();
}

void Child::wait() {
  while (::waitpid(Process.Value, nullptr, 0) < 0 && errno == EINTR)
    ;
  Process = {};
}

} // namespace linesman::process
