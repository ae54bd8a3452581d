// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Waiting.h"
#include "linesman/Guard/Text.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;

namespace linesman::tool {

Waiting::Waiting(std::string Subject) {
  if (!::isatty(STDERR_FILENO))
    return;
  Teller = std::thread([this, Subject = std::move(Subject)] {
    std::unique_lock Held(Lock);
    auto Over = [this] { return IsOver; };
    unsigned Seconds = 0;
    while (!Changed.wait_for(Held, std::chrono::seconds(1), Over)) {
      std::string Text;
      raw_string_ostream OS(Text);
      guard::PrintableStream(OS)
          << "linesman: " << Subject << ", " << ++Seconds;
      errs() << "\r\033[K" << Text << " s";
      errs().flush();
    }
    if (Seconds)
      errs() << "\r\033[K";
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

Expected<input::Binary> readWaiting(StringRef Path, input::FactsFrom Facts) {
  Waiting Shown(("reading " + Path).str());
  return input::readRanked(Path, Facts);
}

} // namespace linesman::tool
