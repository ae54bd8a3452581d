// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which instructions access a member of a type, by where the source does. What
// their registers hold when they run tells where an object is:
//
//     queue.cpp:19   mov %rdx, 0x20(%rax)     Head of the Ring at %rax

#ifndef LINESMAN_INPUT_MEMBERACCESSES_H
#define LINESMAN_INPUT_MEMBERACCESSES_H

#include "linesman/Input/ReadBinary.h"

namespace linesman::input {

/// Where a function's code does something, as a report names both: the function
/// demangled, the place that of any frame of what was inlined there.
struct UseSite {
  std::string Function, File;
  uint32_t Line = 0;
  bool IsWrite = false;
};

struct MemberAccess {
  layout::LinkAddress Instruction;
  /// A general register by its number in the encoding, which points to the
  /// object or into it, or to an array of objects.
  uint8_t Register = 0;
  /// Then, the register with the place in the array, which counts so many
  /// bytes; 0 where there is none.
  uint8_t Index = 0;
  uint32_t IndexBytes = 0;
  /// Bytes from where they point to the member.
  int64_t Distance = 0;
  bool IsWrite = false;
};

/// A member: bytes from the start of its type, and its size.
struct MemberPlace {
  uint64_t Offset = 0, Size = 0;
};

/// The instructions of \p File at \p Sites that access \p Member through a
/// register, as the sites do: those with the member's offset, or else those
/// that write and have its size, in the order of addresses. Empty without debug
/// information, and for code that is not read.
std::vector<MemberAccess> findMemberAccesses(const Binary &File,
                                             llvm::ArrayRef<UseSite> Sites,
                                             MemberPlace Member);

} // namespace linesman::input

#endif // LINESMAN_INPUT_MEMBERACCESSES_H
