// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a flag is until it is set: `if (!ready)`, `if (fd == -1)`, `if (first)`,
// `if (site == &unknown)`.

#ifndef LINESMAN_FACTS_FLAGFORM_H
#define LINESMAN_FACTS_FLAGFORM_H

#include <cstdint>

namespace linesman::facts {

/// What flags are until they are set, among those of Access::OnceFlag,
/// by their addresses: -1, anything but zero (`if (first) first = 0;`), or some
/// other constant that the variable begins with; all others are zero.
struct FlagForm {
  static constexpr uint64_t MinusBit = uint64_t(1) << 62;
  static constexpr uint64_t FirstBit = uint64_t(1) << 61;
  static constexpr uint64_t InitialBit = uint64_t(1) << 60;
  static uint64_t minusAt(uint64_t Address) { return MinusBit | Address; }
  static uint64_t firstAt(uint64_t Address) { return FirstBit | Address; }
  static uint64_t initialAt(uint64_t Address) { return InitialBit | Address; }
  static bool isPlain(uint64_t Flag) { return (Flag & AllBits) == 0; }
  static bool isMinus(uint64_t Flag) { return (Flag & MinusBit) != 0; }
  static bool isFirst(uint64_t Flag) { return (Flag & FirstBit) != 0; }
  static bool isInitial(uint64_t Flag) { return (Flag & InitialBit) != 0; }
  static uint64_t addressOf(uint64_t Flag) { return Flag & ~AllBits; }
  /// Whether a store of \p Number in so many bytes leaves a flag set. What a
  /// variable began with is not known here.
  static bool isSetBy(uint64_t Flag, uint64_t Number, uint64_t Size) {
    if (isInitial(Flag))
      return false;
    if (isFirst(Flag))
      return Number == 0;
    if (isPlain(Flag))
      return Number != 0;
    uint64_t Unset = Size && Size < 8 ? (uint64_t(1) << Size * 8) - 1 : ~0ull;
    return (Number & Unset) != Unset;
  }

private:
  static constexpr uint64_t AllBits = MinusBit | FirstBit | InitialBit;
};

} // namespace linesman::facts

#endif // LINESMAN_FACTS_FLAGFORM_H
