// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What callees leave alone. The ABI lets a function change half of the
// registers, but GCC looks what a function of the same unit does change, and
// keeps values in the others over its calls (-fipa-ra):
//
//     loop:  mov  rdi, [rdx + 8]
//            call set              mov [rdi], rsi; ret
//            jne  loop             rdx is what it was

#ifndef LINESMAN_LIB_INPUT_WRITTENREGISTERS_H
#define LINESMAN_LIB_INPUT_WRITTENREGISTERS_H

#include "MachineStep.h"
#include "llvm/ADT/DenseMap.h"

namespace linesman::input {

/// Whether a jump to code that is no function by its symbol, and returns at
/// once, is a return.
enum class BareReturns : uint8_t { Unknown, Known };

/// One for each reader, because it keeps what it has found.
class WrittenRegisters {
public:
  WrittenRegisters(const CodeFunctions &Functions, const Architecture &Arch,
                   const CodeMap &Map, BareReturns Returns)
      : Functions(Functions), Arch(Arch), Map(Map), Returns(Returns) {}

  /// Takes from each call of a small function what that does not write.
  void narrow(llvm::MutableArrayRef<Step> Steps, StepDecoder &Decoder);

private:
  const CodeFunctions &Functions;
  const Architecture &Arch;
  const CodeMap &Map;
  const BareReturns Returns;
  llvm::DenseMap<uint64_t, uint32_t> Known;

  uint32_t writtenBy(uint64_t Function, StepDecoder &Decoder, unsigned Depth);
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_WRITTENREGISTERS_H
