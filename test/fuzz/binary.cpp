// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole binaries: ELF, facts, machine code of both architectures (which one is
// in the header), members and source lines from DWARF.

#include "Fuzz.h"
#include "linesman/Input/ReadBinary.h"
#include "linesman/Input/ReadTypes.h"
#include "linesman/Input/SourceLines.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

using namespace linesman;

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  llvm::parallel::strategy = llvm::hardware_concurrency(1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  fuzz::withFile(fuzz::text(Data, Size), [](llvm::StringRef Path) {
    for (input::FactsFrom Facts :
         {input::FactsFrom::Compiler, input::FactsFrom::Code}) {
      input::ReadOptions Options;
      Options.Facts = Facts;
      Options.Types = input::TypeFacts::Read;
      auto Binary = input::readBinary(Path, Options);
      if (!fuzz::succeeded(Binary))
        continue;
      std::vector<uint32_t> All;
      for (uint32_t I = 0; I != Binary->Image.symbols().size() && I != 50; ++I)
        All.push_back(I);
      input::readTypes(*Binary, All);
      input::SourceLines Lines(*Binary);
      for (const layout::Function &F : Binary->Accesses.functions())
        Lines.find(F.Address);
    }
  });
  return 0;
}
