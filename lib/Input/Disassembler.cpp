// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets up LLVM's disassemblers.

#include "Disassembler.h"
#include "MachineStep.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace linesman::input {

Disassembler::Disassembler(StringRef TripleName, StringRef Features) {
  Triple Parsed(TripleName);
  std::string Problem;
  const Target *Found = TargetRegistry::lookupTarget(Parsed, Problem);
  if (!Found)
    reportFatalUsageError(Twine("this LLVM has no target ") + TripleName);
  Names.reset(Found->createMCRegInfo(Parsed));
  MCTargetOptions Options;
  Assembler.reset(Found->createMCAsmInfo(*Names, Parsed, Options));
  Instructions.reset(Found->createMCInstrInfo());
  Subtarget.reset(Found->createMCSubtargetInfo(Parsed, "", Features));
  Context = std::make_unique<MCContext>(Parsed, Assembler.get(), Names.get(),
                                        Subtarget.get());
  Decoder.reset(Found->createMCDisassembler(*Subtarget, *Context));
}

std::unique_ptr<Architecture> createArchitecture(uint16_t ElfMachine) {
  switch (ElfMachine) {
  case ELF::EM_X86_64:
    return createX86();
  case ELF::EM_AARCH64:
    return createAArch64();
  default:
    return nullptr;
  }
}

} // namespace linesman::input
