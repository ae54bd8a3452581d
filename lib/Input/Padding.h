// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiler aligns code that is only jumped to, and nothing runs through the
// bytes before it: what calls in front of them does not come back.
//
//     call die
//     nopw 0(%rax,%rax)      up to a multiple of 8 or 16
//   .L2:                     only jumped to

#ifndef LINESMAN_LIB_INPUT_PADDING_H
#define LINESMAN_LIB_INPUT_PADDING_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace linesman::input {

/// How many bytes at \p Offset are x86's instructions that do nothing, and end
/// where code is aligned; \p Address is that of \p Bytes. 0 for none.
uint64_t paddingAt(llvm::ArrayRef<uint8_t> Bytes, uint64_t Offset,
                   uint64_t Address);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_PADDING_H
