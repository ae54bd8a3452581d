// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of many numbers. A large binary has a million symbols and as many
// facts; sorting them by comparison took a third of a report's time.

#ifndef LINESMAN_LAYOUT_RADIXORDER_H
#define LINESMAN_LAYOUT_RADIXORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Compiler.h"
#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

namespace linesman::layout {

/// The indices below \p Count by ascending \p KeyOf, equals in ascending
/// order of index. A radix sort (least digit first): linear, and a binary's
/// addresses differ in few digits.
std::vector<uint32_t> orderByKey(uint32_t Count,
                                 llvm::function_ref<uint64_t(uint32_t)> KeyOf);

/// The inverse: \p Order has the item of each place, this the place of each
/// item.
std::vector<uint32_t> placesOf(llvm::ArrayRef<uint32_t> Order);

/// Puts each item to its place, in place: a copy of all symbols would be the
/// largest thing in memory. First each goes to the block that its place is in:
/// a walk from one place to the next one, anywhere in memory, would wait for
/// memory at each step, and takes three times as long.
template <typename Vector>
void putInPlaces(Vector &Items, std::vector<uint32_t> Places) {
  assert(Items.size() == Places.size() && "each item has one place");
  // A block of 48-byte items is in the second-level cache, and the next items
  // of all blocks of half a million are.
  constexpr uint32_t BlockSize = 4096, Ahead = 4;
  const uint32_t Count = Places.size();
  auto Swap = [&](uint32_t A, uint32_t B) {
    std::swap(Items[A], Items[B]);
    std::swap(Places[A], Places[B]);
  };
  // Of each block, what is before this has its place in the block.
  std::vector<uint32_t> Next;
  for (uint32_t Begin = 0; Begin < Count; Begin += BlockSize)
    Next.push_back(Begin);
  for (uint32_t Block = 0; Block != Next.size(); ++Block)
    while (Next[Block] < std::min(Count, (Block + 1) * BlockSize)) {
      uint32_t Home = Places[Next[Block]] / BlockSize;
      if (Home != Block)
        Swap(Next[Block], Next[Home]);
      ++Next[Home];
      LLVM_PREFETCH(&Items[std::min(Next[Home] + Ahead, Count - 1)], 1, 3);
    }
  for (uint32_t I = 0; I != Count; ++I)
    while (Places[I] != I)
      Swap(I, Places[I]);
}

/// The same into \p Order.
template <typename Vector>
void arrange(Vector &Items, llvm::ArrayRef<uint32_t> Order) {
  putInPlaces(Items, placesOf(Order));
}

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_RADIXORDER_H
