// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "terminal/Waiting.h"
#include "terminal/StatusLine.h"
#include <unistd.h>

using namespace llvm;

namespace linesman::terminal {

Waiting::Waiting(std::string Subject) {
  if (!::isatty(STDERR_FILENO))
    return;
  Teller = std::thread([this, Subject = std::move(Subject)] {
    std::unique_lock Held(Lock);
    auto Over = [this] { return IsOver; };
    StatusLine Shown;
    unsigned Seconds = 0;
    while (!Changed.wait_for(Held, std::chrono::seconds(1), Over))
      Shown.show("linesman: " + Subject + ", " + Twine(++Seconds) + " s");
  });
}

Waiting::~Waiting() {
  if (!Teller.joinable())
    return;
  {
    std::lock_guard Held(Lock);
    IsOver = true;
  }
  Changed.notify_one();
  Teller.join();
}

} // namespace linesman::terminal
