// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a flag is until it is set: `if (!ready)`, `if (fd == -1)`, `if (first)`.

#ifndef LINESMAN_FACTS_FLAGFORM_H
#define LINESMAN_FACTS_FLAGFORM_H

#include <cstdint>

namespace linesman::facts {

/// What flags are until they are set, among those of Access::OnceFlag,
/// by their addresses: -1, or anything but zero (`if (first) first = 0;`); all
/// others are zero.
struct FlagForm {
  static constexpr uint64_t MinusBit = uint64_t(1) << 62;
  static constexpr uint64_t FirstBit = uint64_t(1) << 61;
  static uint64_t minusAt(uint64_t Address) { return MinusBit | Address; }
  static uint64_t firstAt(uint64_t Address) { return FirstBit | Address; }
  static bool isPlain(uint64_t Flag) {
    return (Flag & (MinusBit | FirstBit)) == 0;
  }
  static bool isFirst(uint64_t Flag) { return (Flag & FirstBit) != 0; }
  static uint64_t addressOf(uint64_t Flag) {
    return Flag & ~(MinusBit | FirstBit);
  }
  /// Whether a store of \p Number in so many bytes leaves a flag set.
  static bool isSetBy(uint64_t Flag, uint64_t Number, uint64_t Size) {
    if (isFirst(Flag))
      return Number == 0;
    if (isPlain(Flag))
      return Number != 0;
    uint64_t Unset = Size && Size < 8 ? (uint64_t(1) << Size * 8) - 1 : ~0ull;
    return (Number & Unset) != Unset;
  }
};

} // namespace linesman::facts

#endif // LINESMAN_FACTS_FLAGFORM_H
