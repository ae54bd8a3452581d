// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Radix sort. A key and its item's number are one word where they fit, so that
// the passes read in order; of keys with more bits the low ones are sorted
// first.

#include "linesman/Layout/RadixOrder.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <array>
#include <utility>

using namespace llvm;

namespace linesman::layout {

/// Sorts by the bits from \p First to \p Last; \p Room is of the same size.
static void sortByBits(std::vector<uint64_t> &Words,
                       std::vector<uint64_t> &Room, unsigned First,
                       unsigned Last) {
  // 2048 counters stay in the first-level cache.
  constexpr unsigned DigitBits = 11;
  constexpr uint64_t Mask = (uint64_t(1) << DigitBits) - 1;
  for (unsigned Shift = First; Shift < Last; Shift += DigitBits) {
    auto DigitOf = [&](uint64_t Word) { return (Word >> Shift) & Mask; };
    std::array<uint32_t, Mask + 1> Next{};
    for (uint64_t Word : Words)
      ++Next[DigitOf(Word)];
    uint32_t Begin = 0;
    for (uint32_t &N : Next)
      Begin += std::exchange(N, Begin);
    for (uint64_t Word : Words)
      Room[Next[DigitOf(Word)]++] = Word;
    std::swap(Words, Room);
  }
}

std::vector<uint32_t> orderByKey(uint32_t Count,
                                 function_ref<uint64_t(uint32_t)> KeyOf) {
  std::vector<uint32_t> Order(Count);
  const uint64_t First = Count ? KeyOf(0) : 0;
  uint64_t Least = UINT64_MAX, Most = 0, Different = 0;
  bool IsSorted = true;
  for (uint32_t I = 0; I != Count; ++I) {
    Order[I] = I;
    const uint64_t Key = KeyOf(I);
    IsSorted &= Key >= Most;
    Least = std::min(Least, Key);
    Most = std::max(Most, Key);
    Different |= Key ^ First;
  }
  if (IsSorted)
    return Order;
  const unsigned NumberBits = bit_width(Count), RoomBits = 64 - NumberBits;
  // Many addresses are multiples of 8.
  const unsigned Same = countr_zero(Different);
  const unsigned KeyBits = bit_width(Most - Least) - Same;
  std::vector<uint64_t> Words(Count), Room(Count);
  for (unsigned Shift = 0; Shift < KeyBits; Shift += RoomBits) {
    for (uint32_t I = 0; I != Count; ++I)
      Words[I] = ((KeyOf(Order[I]) - Least) >> (Same + Shift)) << NumberBits |
                 Order[I];
    sortByBits(Words, Room, NumberBits,
               NumberBits + std::min(RoomBits, KeyBits - Shift));
    for (uint32_t I = 0; I != Count; ++I)
      Order[I] = uint32_t(Words[I] & ((uint64_t(1) << NumberBits) - 1));
  }
  return Order;
}

std::vector<uint32_t> placesOf(ArrayRef<uint32_t> Order) {
  std::vector<uint32_t> Places(Order.size());
  for (uint32_t Place = 0; Place != Order.size(); ++Place)
    Places[Order[Place]] = Place;
  return Places;
}

} // namespace linesman::layout
