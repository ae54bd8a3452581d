// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The debt of a session.

#include "linesman/Watch/Budget.h"
#include <algorithm>
#include <ctime>
#include <thread>

namespace linesman::watch {

Budget::Budget(double Fraction, double SecondsPerHit, unsigned Processors)
    : Fraction(std::clamp(Fraction, 0.0001, 1.0)), SecondsPerHit(SecondsPerHit),
      Processors(std::max(1U, Processors)) {}

void Budget::chargeTraps(uint64_t Most, uint64_t All) {
  double Hits = std::max(double(Most), double(All) / Processors);
  Spent += Hits * SecondsPerHit;
}

void Budget::chargeOwnTime(double Seconds) { Spent += Seconds / Processors; }

double Budget::pause(double Elapsed) const {
  return std::max(0.0, Spent / Fraction - Elapsed);
}

double ownProcessorTime() {
  timespec Time;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Time);
  return double(Time.tv_sec) + double(Time.tv_nsec) * 1e-9;
}

unsigned processors() {
  return std::max(1U, std::thread::hardware_concurrency());
}

} // namespace linesman::watch
