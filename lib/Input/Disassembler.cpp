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
#include "llvm/Support/TargetSelect.h"
#include <mutex>

using namespace llvm;

namespace linesman::input {

static void initializeTargets() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    // Not all targets: their tables are 20 MB that somebody would have to
    // relocate.
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
  });
}

Disassembler::Disassembler(StringRef TripleName, StringRef Features) {
  initializeTargets();
  Triple For(TripleName);
  std::string Problem;
  const Target *Found = TargetRegistry::lookupTarget(For, Problem);
  if (!Found)
    reportFatalUsageError(Twine("this LLVM has no target ") + TripleName);
  Names.reset(Found->createMCRegInfo(For));
  MCTargetOptions Options;
  Assembler.reset(Found->createMCAsmInfo(*Names, For, Options));
  Instructions.reset(Found->createMCInstrInfo());
  Subtarget.reset(Found->createMCSubtargetInfo(For, "", Features));
  Context = std::make_unique<MCContext>(For, Assembler.get(), Names.get(),
                                        Subtarget.get());
  Decoder.reset(Found->createMCDisassembler(*Subtarget, *Context));
}

std::unique_ptr<Architecture> createArchitecture(uint16_t ElfMachine) {
  switch (ElfMachine) {
  case ELF::EM_X86_64:
    return createX86();
  default:
    return nullptr;
  }
}

} // namespace linesman::input
