// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C in a terminal is for this process, which passes it on as it sees fit:
// a group of its own keeps it away from the command.

#include "linesman/Process/Command.h"
#include "linesman/Process/Execution.h"
#include "linesman/Process/Handles.h"
#include "llvm/Support/Errno.h"
#include <cassert>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <vector>

using namespace llvm;

namespace linesman::process {

static Error systemError(const char *Call) {
  return createStringError(Twine(Call) + ": " + sys::StrError());
}

/// Between fork and execution: no memory is asked for.
[[noreturn]] static void become(const CommandStart &Start, char **Words,
                                pid_t Parent, int Input, int Wait,
                                int Release) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, Start.DeathSignal);
  ::close(Release);
  char Byte;
  // At the end of the pipe, not at a byte, it goes on; when the parent has
  // died, that is the same.
  while (::read(Wait, &Byte, 1) < 0 && errno == EINTR)
    ;
  sigset_t None;
  sigemptyset(&None);
  ::sigprocmask(SIG_SETMASK, &None, nullptr);
  for (int Signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
    ::signal(Signal, SIG_DFL);
  if (::getppid() == Parent && ::dup2(Input, STDIN_FILENO) >= 0 &&
      ::dup2(Start.Output, STDOUT_FILENO) >= 0 &&
      ::dup2(Start.Errors, STDERR_FILENO) >= 0)
    ::execv(Words[0], Words);
  ::_exit(127);
}

Expected<std::unique_ptr<Command>> Command::start(const CommandStart &Start) {
  assert(!Start.Words.empty() && "a command has a program");
  std::vector<char *> Words = wordsForExecution(Start.Words);
  int Pipe[2];
  if (::pipe2(Pipe, O_CLOEXEC) != 0)
    return systemError("pipe");
  Descriptor Wait(Pipe[0]), Release(Pipe[1]);
  Descriptor Empty(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (Empty.get() < 0)
    return systemError("/dev/null");
  const pid_t Parent = ::getpid(), Child = ::fork();
  if (Child < 0)
    return systemError("fork");
  if (Child == 0)
    become(Start, Words.data(), Parent, Empty.get(), Wait.get(), Release.get());
  // Also here: whoever comes first.
  ::setpgid(Child, Child);
  std::unique_ptr<Command> Result(new Command({Child}));
  Result->Held = std::move(Release);
  Result->End = openProcess({Child});
  if (Result->End.get() < 0)
    return systemError("pidfd_open");
  return std::move(Result);
}

void Command::ask(int Signal) { ::kill(Process.Value, Signal); }

void Command::askGroup(int Signal) { ::kill(-Process.Value, Signal); }

bool Command::hasEnded(int Milliseconds) {
  pollfd Poll = {End.get(), POLLIN, 0};
  return ::poll(&Poll, 1, Milliseconds) > 0;
}

CommandEnd Command::wait() {
  assert(!IsReaped && "its number may be another's");
  CommandEnd Result;
  rusage Usage = {};
  pid_t Reaped;
  do
    Reaped = ::wait4(Process.Value, &Result.Status, 0, &Usage);
  while (Reaped < 0 && errno == EINTR);
  IsReaped = true;
  // Somebody else has waited for it: nothing says that it succeeded.
  if (Reaped < 0)
    Result.Status = W_EXITCODE(127, 0);
  for (const timeval &Part : {Usage.ru_utime, Usage.ru_stime})
    Result.RunSeconds += double(Part.tv_sec) + double(Part.tv_usec) * 1e-6;
  return Result;
}

Command::~Command() {
  if (IsReaped)
    return;
  askGroup(SIGKILL);
  wait();
}

} // namespace linesman::process
