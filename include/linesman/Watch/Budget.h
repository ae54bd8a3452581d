// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much the target may be slowed, and what that leaves. Pure arithmetic: the
// session charges what watching cost and pauses until it is paid off.
//
//     spent <= fraction x elapsed        at every end of a pause

#ifndef LINESMAN_WATCH_BUDGET_H
#define LINESMAN_WATCH_BUDGET_H

#include <cstdint>

namespace linesman::watch {

class Budget {
public:
  /// \p Fraction of its time that the target may lose (0.05), \p SecondsPerHit
  /// as the canary measured it, \p Processors of the machine.
  Budget(double Fraction, double SecondsPerHit, unsigned Processors);

  /// A step stopped one thread \p Most times and all together \p All times. The
  /// target loses what its most stopped thread loses, or, where many threads
  /// share few processors, the stops spread over these.
  void chargeTraps(uint64_t Most, uint64_t All);

  /// Processor time that linesman itself used and that the target may have
  /// wanted.
  void chargeOwnTime(double Seconds);

  /// Seconds to do nothing, \p Elapsed seconds after the start.
  double pause(double Elapsed) const;

  /// Seconds that the target has lost, by this count.
  double spent() const { return Spent; }

private:
  double Fraction;
  double SecondsPerHit;
  double Processors;
  double Spent = 0;
};

/// Seconds of processor time that this process has taken.
double ownProcessorTime();

/// Of this machine, at least one.
unsigned processors();

} // namespace linesman::watch

#endif // LINESMAN_WATCH_BUDGET_H
