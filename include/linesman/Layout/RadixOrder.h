// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of many numbers. A large binary has a million symbols and as many
// facts; sorting them by comparison took a third of a report's time.

#ifndef LINESMAN_LAYOUT_RADIXORDER_H
#define LINESMAN_LAYOUT_RADIXORDER_H

#include "llvm/ADT/STLFunctionalExtras.h"
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

/// Puts \p Items into \p Order, in place: a copy of all symbols would be the
/// largest thing in memory.
template <typename Vector>
void arrange(Vector &Items, std::vector<uint32_t> Order) {
  assert(Items.size() == Order.size() && "each item has one place");
  for (uint32_t Start = 0; Start != Order.size(); ++Start) {
    if (Order[Start] == Start)
      continue;
    typename Vector::value_type Moved = std::move(Items[Start]);
    uint32_t Position = Start;
    while (Order[Position] != Start) {
      uint32_t Begin = std::exchange(Order[Position], Position);
      Items[Position] = std::move(Items[Begin]);
      Position = Begin;
    }
    Items[Position] = std::move(Moved);
    Order[Position] = Position;
  }
}

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_RADIXORDER_H
