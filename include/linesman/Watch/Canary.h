// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A zero can be a dead instrument: some hypervisors accept debug registers and
// drop them. So before every session this process watches a variable of its
// own, writes and reads it a known number of times, and demands these counts.

#ifndef LINESMAN_WATCH_CANARY_H
#define LINESMAN_WATCH_CANARY_H

#include "llvm/Support/Error.h"

namespace linesman::watch {

/// What a session may rely on.
struct CanaryResult {
  /// Seconds that one hit stops its thread; 12 to 15 µs on the VM that
  /// reference figures are from, so the budget needs it measured.
  double SecondsPerHit = 0;
};

/// Fails with DeadInstrument when the counts are wrong, or with what
/// perf_event_open says.
llvm::Expected<CanaryResult> runCanary();

} // namespace linesman::watch

#endif // LINESMAN_WATCH_CANARY_H
