// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equal values, kept once and known by their number. A use of a pointer has a
// hundred bytes of origins, files and conditions, of which ten million uses
// have few different ones. LLVM's SetVector keeps each value twice.

#ifndef LINESMAN_LAYOUT_INTERNED_H
#define LINESMAN_LAYOUT_INTERNED_H

#include "llvm/ADT/Hashing.h"
#include <cstdint>
#include <vector>

namespace linesman::layout {

/// \p Value has == and hash_value. Numbers are given in order, beginning with
/// 0, so that they do not depend on hashes.
template <typename Value> class Interned {
public:
  uint32_t intern(const Value &Wanted) {
    if (Found * 2 >= Slots.size())
      grow();
    uint32_t &Slot = Slots[find(Wanted)];
    if (!Slot) {
      Slot = append(Wanted) + 1;
      ++Found;
    }
    return Slot - 1;
  }
  /// Adds a value that is found in another way than by its hash.
  uint32_t append(const Value &New) {
    Values.push_back(New);
    return size() - 1;
  }
  bool contains(const Value &Wanted) const {
    return !Slots.empty() && Slots[find(Wanted)];
  }
  const Value &operator[](uint32_t Number) const { return Values[Number]; }
  uint32_t size() const { return uint32_t(Values.size()); }
  /// No more values come.
  void dropIndex() { std::vector<uint32_t>().swap(Slots); }

private:
  std::vector<Value> Values;
  /// One more than the number, or 0. Half of them are empty, and their number
  /// is a power of two.
  std::vector<uint32_t> Slots;
  size_t Found = 0;

  size_t find(const Value &Wanted) const {
    using llvm::hash_value;
    size_t Slot = size_t(hash_value(Wanted)) & (Slots.size() - 1);
    while (Slots[Slot] && !(Values[Slots[Slot] - 1] == Wanted))
      Slot = (Slot + 1) & (Slots.size() - 1);
    return Slot;
  }
  void grow() {
    std::vector<uint32_t> Old(Slots.empty() ? 64 : Slots.size() * 2);
    Old.swap(Slots);
    for (uint32_t Slot : Old)
      if (Slot)
        Slots[find(Values[Slot - 1])] = Slot;
  }
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_INTERNED_H
