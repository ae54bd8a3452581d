// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms that assemblers fill up with: 90, and 0f 1f with an operand of 1 to
// 6 bytes, behind any number of prefixes.

#include "Padding.h"

using namespace llvm;

namespace linesman::input {

/// The length of one such instruction, or 0.
static uint64_t fillerLength(ArrayRef<uint8_t> Bytes) {
  size_t Prefixes =
      Bytes.take_while([](uint8_t B) { return B == 0x66 || B == 0x2e; }).size();
  Bytes = Bytes.drop_front(Prefixes);
  if (!Bytes.empty() && Bytes[0] == 0x90)
    return Prefixes + 1;
  if (Bytes.size() < 3 || Bytes[0] != 0x0f || Bytes[1] != 0x1f)
    return 0;
  switch (Bytes[2]) {
  case 0x00:
    return Prefixes + 3;
  case 0x40:
    return Prefixes + 4;
  case 0x44:
    return Prefixes + 5;
  case 0x80:
    return Prefixes + 7;
  case 0x84:
    return Prefixes + 8;
  default:
    return 0;
  }
}

uint64_t paddingAt(ArrayRef<uint8_t> Bytes, uint64_t Offset, uint64_t Address) {
  constexpr uint64_t LeastAlignment = 8;
  uint64_t End = Offset;
  while (End < Bytes.size()) {
    uint64_t Length = fillerLength(Bytes.drop_front(End));
    if (!Length)
      break;
    End += Length;
  }
  return End < Bytes.size() && (Address + End) % LeastAlignment == 0
             ? End - Offset
             : 0;
}

} // namespace linesman::input
