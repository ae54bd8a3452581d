// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TEST_UNIT_WATCH_TIMES_H
#define LINESMAN_TEST_UNIT_WATCH_TIMES_H

#include <cstdint>

/// In nanoseconds.
inline constexpr uint64_t Millisecond = 1'000'000;

#endif // LINESMAN_TEST_UNIT_WATCH_TIMES_H
