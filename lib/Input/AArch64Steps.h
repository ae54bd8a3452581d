// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AArch64 in general, and its decoder.

#ifndef LINESMAN_LIB_INPUT_AARCH64STEPS_H
#define LINESMAN_LIB_INPUT_AARCH64STEPS_H

#include "AArch64Opcodes.h"
#include "MachineStep.h"

namespace linesman::input {

inline constexpr unsigned AArch64Registers = 31;
inline constexpr Register LinkRegister = 30, StackPointer = 31;
/// What a callee may change, by the procedure call standard: x0 to x18.
inline constexpr uint32_t AArch64CallerSaved =
    (1u << 19) - 1 | 1u << LinkRegister;
inline constexpr llvm::StringLiteral AArch64Triple =
    "aarch64-unknown-linux-gnu";
/// Instructions of all extensions are decoded: a program may choose at run
/// time.
inline constexpr llvm::StringLiteral AArch64Features = "+all";
inline constexpr uint64_t InstructionSize = 4;
/// What adrp counts, whatever the size of a page is.
inline constexpr uint64_t AdrpBytes = 4096;

/// Both must outlive it.
std::unique_ptr<StepDecoder> createAArch64Decoder(const AArch64Tables &Tables,
                                                  const CodeMap &Map);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_AARCH64STEPS_H
