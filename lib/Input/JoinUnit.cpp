// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens an object, and what is machine-dependent in it.

#include "JoinUnit.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using object::ELF64LE;
using object::ELF64LEObjectFile;

namespace linesman::input {

Expected<Unit> openUnit(MemoryBufferRef File) {
  auto Opened = ELF64LEObjectFile::create(File);
  if (!Opened)
    return Opened.takeError();
  Unit U;
  U.File = File;
  U.Object = std::make_unique<ELF64LEObjectFile>(std::move(*Opened));
  const ElfFile &Elf = U.elf();
  uint16_t Machine = Elf.getHeader().e_machine;
  if (Machine != ELF::EM_X86_64 && Machine != ELF::EM_AARCH64)
    return createStringError("an object for machine %u; relocations of x86-64 "
                             "and AArch64 are known",
                             unsigned(Machine));
  auto Sections = Elf.sections();
  if (!Sections)
    return Sections.takeError();
  U.Sections = *Sections;
  for (const ElfSection &S : U.Sections) {
    if (S.sh_type == ELF::SHT_SYMTAB) {
      auto Symbols = Elf.symbols(&S);
      if (!Symbols)
        return Symbols.takeError();
      U.Symbols = *Symbols;
      Expected<StringRef> Strings = Elf.getStringTableForSymtab(S);
      if (!Strings)
        return Strings.takeError();
      U.Strings = *Strings;
    }
    if (S.sh_type == ELF::SHT_SYMTAB_SHNDX) {
      auto Numbers = Elf.getSHNDXTable(S);
      if (!Numbers)
        return Numbers.takeError();
      U.LargeNumbers = *Numbers;
    }
  }
  return U;
}

uint64_t fingerprintOf(const Unit &U) {
  uint64_t Sum = 0;
  bool Defines = false;
  for (const ELF64LE::Sym &S : U.Symbols) {
    bool IsFile = S.getType() == ELF::STT_FILE;
    StringRef Name = U.name(S);
    // What only position-independent code refers to.
    if (Name.empty() || Name == "_GLOBAL_OFFSET_TABLE_" ||
        Name == "__tls_get_addr" ||
        (S.getBinding() == ELF::STB_LOCAL && !IsFile))
      continue;
    Defines |= !IsFile && S.st_shndx != ELF::SHN_UNDEF;
    Sum += xxh3_64bits(Name) * (IsFile ? 3 : 1);
  }
  // Hash tables keep the largest numbers for themselves.
  return Defines ? Sum >> 1 : 0;
}

unsigned relocationWidth(uint16_t Machine, uint32_t Type) {
  if (Machine == ELF::EM_X86_64)
    switch (Type) {
    case ELF::R_X86_64_64:
    case ELF::R_X86_64_PC64:
    case ELF::R_X86_64_DTPOFF64:
      return 8;
    case ELF::R_X86_64_32:
    case ELF::R_X86_64_32S:
    case ELF::R_X86_64_PC32:
    case ELF::R_X86_64_DTPOFF32:
      return 4;
    default:
      return 0;
    }
  switch (Type) {
  case ELF::R_AARCH64_ABS64:
  case ELF::R_AARCH64_PREL64:
    return 8;
  case ELF::R_AARCH64_ABS32:
  case ELF::R_AARCH64_PREL32:
    return 4;
  default:
    return 0;
  }
}

} // namespace linesman::input
