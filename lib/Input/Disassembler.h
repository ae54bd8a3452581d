// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's objects that disassemble, kept together and in the order in which they
// depend on each other.

#ifndef LINESMAN_LIB_INPUT_DISASSEMBLER_H
#define LINESMAN_LIB_INPUT_DISASSEMBLER_H

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include <memory>

namespace linesman::input {

class Disassembler {
public:
  /// \p Triple is of a target that this LLVM has (x86-64 and AArch64 are in
  /// every build of it that we can be linked against) and that is initialized:
  /// not all are, their tables are megabytes that somebody would have to
  /// relocate.
  explicit Disassembler(llvm::StringRef Triple, llvm::StringRef Features = "");
  const llvm::MCDisassembler &decoder() const { return *Decoder; }
  const llvm::MCInstrInfo &instructions() const { return *Instructions; }
  const llvm::MCRegisterInfo &names() const { return *Names; }

private:
  std::unique_ptr<llvm::MCRegisterInfo> Names;
  std::unique_ptr<llvm::MCAsmInfo> Assembler;
  std::unique_ptr<llvm::MCInstrInfo> Instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> Subtarget;
  std::unique_ptr<llvm::MCContext> Context;
  std::unique_ptr<llvm::MCDisassembler> Decoder;
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_DISASSEMBLER_H
