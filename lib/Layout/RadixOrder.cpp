// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Radix sort.

#include "linesman/Layout/RadixOrder.h"
#include <algorithm>
#include <array>
#include <utility>

using namespace llvm;

namespace linesman::layout {

std::vector<uint32_t> orderByKey(uint32_t Count,
                                 function_ref<uint64_t(uint32_t)> KeyOf) {
  // Indices alone: the keys are where they are, and half as much memory.
  std::vector<uint32_t> Position(Count), Sorted(Count);
  uint64_t Least = UINT64_MAX, Most = 0;
  for (uint32_t I = 0; I != Count; ++I) {
    Position[I] = I;
    Least = std::min(Least, KeyOf(I));
    Most = std::max(Most, KeyOf(I));
  }

  // 2048 counters stay in the first-level cache.
  constexpr unsigned DigitBits = 11;
  constexpr uint64_t Mask = (uint64_t(1) << DigitBits) - 1;
  for (unsigned Shift = 0;
       Shift < 64 && Least < Most && ((Most - Least) >> Shift) != 0;
       Shift += DigitBits) {
    auto DigitOf = [&](uint32_t I) {
      return ((KeyOf(I) - Least) >> Shift) & Mask;
    };
    std::array<uint32_t, Mask + 1> Next{};
    for (uint32_t I = 0; I != Count; ++I)
      ++Next[DigitOf(I)];
    uint32_t Begin = 0;
    for (uint32_t &N : Next)
      Begin += std::exchange(N, Begin);
    for (uint32_t I : Position)
      Sorted[Next[DigitOf(I)]++] = I;
    std::swap(Position, Sorted);
  }
  return Position;
}

} // namespace linesman::layout
