// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tracer. It attaches with PTRACE_SEIZE, which stops nobody and leaves no
// signal behind; a thread is stopped only to change its registers and by its
// hits. Before a thread is let go its registers are cleared, and a SIGTRAP that
// is already on its way is waited for: it would kill the process.

#include "Guardian.h"

#if defined(__x86_64__)

#include "Tracee.h"
#include "linesman/Process/State.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <iterator>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace linesman::watch {

namespace {

/// A thread that is in an uninterruptible call does not stop; it is left out of
/// the step then.
constexpr unsigned StopMilliseconds = 100;

class Guardian {
public:
  Guardian(GuardBoard &Board, int Control) : Board(Board), Control(Control) {}
  void run();

private:
  void waitForEvents(int Milliseconds);
  void reap();
  bool stop(Tracee &T);
  bool release(Tracee &T);
  void answer(const Tracee &T, GuardState State, int Error = 0);
  void attach(int Thread);
  void prepare();
  void arm();
  void disarm();
  void leave();

  GuardBoard &Board;
  int Control;
  int Events = -1;
  /// Those of a batch, and those that can not be let go yet.
  Tracee Tracees[2 * GuardBoard::MostThreads];
  unsigned Count = 0;
};

/// Negative: for a request as well, and without end.
void Guardian::waitForEvents(int Milliseconds) {
  pollfd Files[2] = {{Events, POLLIN, 0}, {Control, POLLIN, 0}};
  ::poll(Files, Milliseconds < 0 ? 2 : 1, Milliseconds);
  signalfd_siginfo Info[16];
  [[maybe_unused]] ssize_t Size = ::read(Events, Info, sizeof Info);
}

/// What happened to threads that are left to run: they go on.
void Guardian::reap() {
  int Status;
  pid_t Thread;
  while ((Thread = ::waitpid(-1, &Status, __WALL | WNOHANG)) > 0) {
    Tracee *End = Tracees + Count;
    Tracee *T = std::find_if(
        Tracees, End, [&](const Tracee &T) { return T.Thread == Thread; });
    if (T != End) {
      T->take(Status, Board);
      if (T->IsStopped)
        T->resume();
    } else if (WIFSTOPPED(Status)) {
      // A thread that executed another program has its leader's number now.
      ::ptrace(PTRACE_DETACH, Thread, nullptr, nullptr);
    }
  }
  Board.IsGroupStop =
      std::any_of(Tracees, Tracees + Count,
                  [](const Tracee &T) { return T.IsListening && !T.IsGone; });
}

bool Guardian::stop(Tracee &T) {
  if (!T.IsStopped && !T.IsGone && T.control(PTRACE_INTERRUPT) != 0)
    T.IsGone = true;
  for (unsigned Waits = 0; !T.IsStopped && !T.IsGone; ++Waits) {
    int Status;
    pid_t Thread = ::waitpid(T.Thread, &Status, __WALL | WNOHANG);
    if (Thread == T.Thread)
      T.take(Status, Board);
    else if (Thread < 0)
      T.IsGone = true;
    else if (Waits != StopMilliseconds)
      waitForEvents(1);
    // Of a main thread that has ended waitpid says nothing while others run.
    else if (process::isRunning({T.Thread}, {T.Thread}))
      return false;
    else
      T.IsGone = true;
  }
  return !T.IsGone;
}

/// Whether \p T is let go. It is not while it can not be stopped, and while it
/// is in a group stop with a SIGTRAP of ours to come.
bool Guardian::release(Tracee &T) {
  while (stop(T)) {
    bool Cleared = T.disarm(Board);
    if (T.hasTrapPending()) {
      bool Waits = T.IsListening;
      T.resume();
      if (Waits)
        return false;
    } else if (Cleared || errno == ESRCH) {
      T.detach();
    } else {
      return false;
    }
  }
  return T.IsGone;
}

void Guardian::answer(const Tracee &T, GuardState State, int Error) {
  Board.Threads[Board.ThreadCount++] = {T.Thread,
                                        State,
                                        Error,
                                        T.Traps,
                                        T.ceilings(Board),
                                        {T.Accesses[0], T.Accesses[1]},
                                        {T.Writes[0], T.Writes[1]},
                                        T.Ran};
}

void Guardian::attach(int Thread) {
  Tracee &T = Tracees[Count];
  if (int Error = T.seize(Thread)) {
    answer(T, GuardState::Refused, Error);
    return;
  }
  ++Count;
  if (!stop(T))
    return;
  T.reserve(Board.Somewhere);
  if (!T.Ranges) {
    answer(T, GuardState::Taken);
    Count -= release(T);
    return;
  }
  T.resume();
}

void Guardian::prepare() {
  const int *Begin = Board.Wanted, *End = Begin + Board.WantedCount;
  auto IsWanted = [&](int Thread) {
    return std::find(Begin, End, Thread) != End;
  };
  unsigned Kept = 0;
  for (unsigned I = 0; I != Count; ++I) {
    Tracee &T = Tracees[I];
    if (T.IsGone && IsWanted(T.Thread))
      answer(T, GuardState::Vanished);
    else if (!T.IsGone && (IsWanted(T.Thread) || !release(T)))
      Tracees[Kept++] = T;
  }
  Count = Kept;
  for (const int *Thread = Begin; Thread != End; ++Thread)
    if (Count != std::size(Tracees) &&
        std::none_of(Tracees, Tracees + Count,
                     [&](const Tracee &T) { return T.Thread == *Thread; }))
      attach(*Thread);
  Board.Ranges = 2;
  for (unsigned I = 0; I != Count; ++I)
    if (Tracees[I].Ranges)
      Board.Ranges = std::min(Board.Ranges, Tracees[I].Ranges);
}

void Guardian::arm() {
  Board.HitCount = 0;
  Board.Lost = 0;
  Board.MostTraps = 0;
  Board.AllTraps = 0;
  for (unsigned I = 0; I != Count; ++I) {
    Tracee &T = Tracees[I];
    // A stopped process touches nothing.
    if (T.IsListening || !stop(T))
      continue;
    T.arm(Board);
    T.resume();
  }
}

void Guardian::disarm() {
  for (unsigned I = 0; I != Count; ++I) {
    Tracee &T = Tracees[I];
    bool WasArmed = T.IsArmed;
    if (WasArmed && stop(T)) {
      T.disarm(Board);
      T.resume();
    }
    if (WasArmed)
      answer(T, T.IsGone ? GuardState::Vanished : GuardState::Watched);
    else if (!T.IsGone)
      answer(T, GuardState::Missed);
    // Said once.
    if (WasArmed && T.IsGone)
      Tracees[I--] = Tracees[--Count];
  }
}

void Guardian::leave() {
  while (true) {
    for (unsigned I = 0; I != Count; ++I)
      if (release(Tracees[I]))
        Tracees[I--] = Tracees[--Count];
    if (!Count)
      return;
    waitForEvents(10);
    reap();
  }
}

void Guardian::run() {
  sigset_t All, Child;
  ::sigfillset(&All);
  ::sigprocmask(SIG_SETMASK, &All, nullptr);
  ::signal(SIGCHLD, SIG_DFL); // Ignored, it would reap for us.
  ::sigemptyset(&Child);
  ::sigaddset(&Child, SIGCHLD);
  Events = ::signalfd(-1, &Child, SFD_NONBLOCK | SFD_CLOEXEC);
  char Byte = 1;
  while (Events >= 0 && ::send(Control, &Byte, 1, MSG_NOSIGNAL) == 1) {
    ssize_t Size;
    while ((Size = ::recv(Control, &Byte, 1, MSG_DONTWAIT)) < 0 &&
           errno == EAGAIN) {
      waitForEvents(-1);
      reap();
    }
    if (Size != 1)
      break;
    Board.ThreadCount = 0;
    switch (Board.Call) {
    case GuardCall::Prepare:
      prepare();
      break;
    case GuardCall::Arm:
      arm();
      break;
    case GuardCall::Disarm:
      disarm();
      break;
    }
    reap();
  }
  leave();
}

} // namespace

void runGuardian(GuardBoard &Board, int Control) {
  ::setsid();
  ::prctl(PR_SET_NAME, "linesman-guard");
  // Whoever waits for the end of a pipe of linesman's must not wait for us.
  int Nothing = ::open("/dev/null", O_RDWR);
  for (int Standard : {0, 1, 2})
    ::dup2(Nothing, Standard);
  ::dup2(Control, 3);
  ::syscall(SYS_close_range, 4u, ~0u, 0);
  Guardian(Board, 3).run();
  ::_exit(0);
}

} // namespace linesman::watch

#endif
