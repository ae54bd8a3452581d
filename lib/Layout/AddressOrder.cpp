// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Radix sort of addresses.

#include "AddressOrder.h"
#include <algorithm>
#include <array>
#include <utility>

using namespace llvm;

namespace linesman::layout {

std::vector<uint32_t>
orderByAddress(uint32_t Count, function_ref<uint64_t(uint32_t)> AddressOf) {
  struct Keyed {
    uint64_t Address;
    uint32_t Index;
  };
  std::vector<Keyed> From(Count), To(Count);
  uint64_t Least = UINT64_MAX, Most = 0;
  for (uint32_t I = 0; I != Count; ++I) {
    uint64_t Address = AddressOf(I);
    From[I] = {Address, I};
    Least = std::min(Least, Address);
    Most = std::max(Most, Address);
  }

  // 2048 counters stay in the first-level cache.
  constexpr unsigned DigitBits = 11;
  constexpr uint64_t Mask = (uint64_t(1) << DigitBits) - 1;
  for (unsigned Shift = 0;
       Shift < 64 && Least < Most && ((Most - Least) >> Shift) != 0;
       Shift += DigitBits) {
    auto DigitOf = [&](const Keyed &K) {
      return ((K.Address - Least) >> Shift) & Mask;
    };
    std::array<uint32_t, Mask + 1> Next{};
    for (const Keyed &K : From)
      ++Next[DigitOf(K)];
    uint32_t Begin = 0;
    for (uint32_t &N : Next)
      Begin += std::exchange(N, Begin);
    for (const Keyed &K : From)
      To[Next[DigitOf(K)]++] = K;
    std::swap(From, To);
  }

  std::vector<uint32_t> Order(Count);
  for (uint32_t I = 0; I != Count; ++I)
    Order[I] = From[I].Index;
  return Order;
}

} // namespace linesman::layout
