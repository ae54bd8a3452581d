// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clock of everything that is timed.

#ifndef LINESMAN_LIB_DRIVE_CLOCK_H
#define LINESMAN_LIB_DRIVE_CLOCK_H

#include <chrono>

namespace linesman::drive {

using Clock = std::chrono::steady_clock;

inline double secondsSince(Clock::time_point Begin) {
  return std::chrono::duration<double>(Clock::now() - Begin).count();
}

} // namespace linesman::drive

#endif // LINESMAN_LIB_DRIVE_CLOCK_H
