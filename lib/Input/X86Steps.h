// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x86-64 in general, and its decoder.

#ifndef LINESMAN_LIB_INPUT_X86STEPS_H
#define LINESMAN_LIB_INPUT_X86STEPS_H

#include "MachineStep.h"

namespace linesman::input {

enum X86Register : Register {
  RAX,
  RCX,
  RDX,
  RBX,
  RSP,
  RBP,
  RSI,
  RDI,
  R8,
  R9,
  R10,
  R11
};
/// What a callee may change, by the System V ABI.
inline constexpr uint32_t CallerSaved = 1 << RAX | 1 << RCX | 1 << RDX |
                                        1 << RSI | 1 << RDI | 1 << R8 |
                                        1 << R9 | 1 << R10 | 1 << R11;
inline constexpr unsigned X86Registers = 16;
inline constexpr llvm::StringLiteral X86Triple = "x86_64-unknown-linux-gnu";

/// \p Map must outlive it.
std::unique_ptr<StepDecoder> createX86Decoder(const CodeMap &Map);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_X86STEPS_H
