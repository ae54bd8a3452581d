// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passing signals on, in two ways: run stands in for its program and passes all
// of them; record wants a result at the end of its program, which then must
// come to its end in good order.

#include "linesman/Process/Signals.h"
#include "linesman/Process/Handles.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <unistd.h>

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace linesman::process {

namespace {

volatile std::sig_atomic_t Receiver = 0;

void passOn(int Signal) {
  if (Receiver > 0)
    ::kill(Receiver, Signal);
}

/// What was sent to a whole group has reached the child as well, and many a
/// program takes a second signal while it ends worse than the first.
constexpr Clock::duration PassAfter = 200ms;

/// timeout sends its signal to linesman, and then to the group.
constexpr Clock::duration SameRequest = 1s;

/// Where the handler writes what it got.
volatile std::sig_atomic_t RequestFile = -1;

void takeDown(int Signal) {
  int Saved = errno;
  char Byte = static_cast<char>(Signal);
  // Full of requests is as good as one more.
  (void)!::write(RequestFile, &Byte, 1);
  errno = Saved;
}

int millisecondsUntil(Clock::time_point Time) {
  auto Left = std::chrono::ceil<std::chrono::milliseconds>(Time - Clock::now());
  return std::max<int>(0, Left.count());
}

} // namespace

void passSignals(int Child) {
  Receiver = Child;
  struct sigaction Pass = {};
  Pass.sa_handler = passOn;
  Pass.sa_flags = SA_RESTART;
  for (int Signal : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2})
    ::sigaction(Signal, &Pass, nullptr);
  struct sigaction Ignore = {};
  Ignore.sa_handler = SIG_IGN;
  for (int Signal : {SIGINT, SIGQUIT})
    ::sigaction(Signal, &Ignore, nullptr);
}

EndRequests::EndRequests() {
  assert(RequestFile < 0 && "at most one lives");
  int Pipe[2];
  if (::pipe2(Pipe, O_CLOEXEC | O_NONBLOCK) == 0) {
    Read = Descriptor(Pipe[0]);
    Write = Descriptor(Pipe[1]);
  }
  RequestFile = Write.get();
  struct sigaction Action = {};
  Action.sa_handler = takeDown;
  Action.sa_flags = SA_RESTART;
  for (auto [Signal, Old] : llvm::zip_equal(Signals, Before)) {
    ::sigaction(Signal, nullptr, &Old);
    // Programs that are started ignore what we ignore, and nothing else.
    if (Old.sa_handler != SIG_IGN)
      ::sigaction(Signal, &Action, nullptr);
  }
}

EndRequests::~EndRequests() {
  for (auto [Signal, Old] : llvm::zip_equal(Signals, Before))
    ::sigaction(Signal, &Old, nullptr);
  RequestFile = -1;
}

int EndRequests::take() {
  char Byte;
  return ::read(Read.get(), &Byte, 1) == 1 ? Byte : 0;
}

bool EndRequests::awaitEnd(int Child) {
  Descriptor Ended = openProcess({Child});
  if (Ended.get() < 0)
    return false;
  std::optional<Clock::time_point> First;
  int ToPass = 0;
  bool Killed = false;
  pollfd Files[] = {{Ended.get(), POLLIN, 0}, {Read.get(), POLLIN, 0}};
  while (true) {
    int Wait = ToPass ? millisecondsUntil(*First + PassAfter) : -1;
    int Ready = ::poll(Files, 2, Wait);
    if ((Ready < 0 && errno != EINTR) || (Ready > 0 && Files[0].revents))
      return Killed;
    if (Ready == 0) {
      ::kill(Child, ToPass);
      ToPass = 0;
    }
    while (int Signal = Ready > 0 ? take() : 0) {
      if (First && Clock::now() - *First >= SameRequest) {
        Killed = ::kill(Child, SIGKILL) == 0;
      } else if (!First) {
        First = Clock::now();
        // The terminal sends Ctrl-C to both.
        ToPass = Signal == SIGINT ? 0 : Signal;
      }
    }
  }
}

} // namespace linesman::process
