// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FileOrigin.h"
#include "linesman/Guard/Dynamic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace linesman::input {

using DynamicEntry = object::ELF64LE::Dyn;

static bool hasDynamicEntry(const ElfFile &Elf,
                            function_ref<bool(const DynamicEntry &)> Is) {
  auto Entries = guard::readDynamic(Elf);
  if (!Entries) {
    consumeError(Entries.takeError()); // others complain of it
    return false;
  }
  return any_of(*Entries, Is);
}

bool hasLibraryName(const ElfFile &Elf) {
  return hasDynamicEntry(Elf, [](const DynamicEntry &Entry) {
    return Entry.getTag() == ELF::DT_SONAME;
  });
}

bool isExecutable(const ElfFile &Elf) {
  return Elf.getHeader().e_type == ELF::ET_EXEC ||
         hasDynamicEntry(Elf, [](const DynamicEntry &Entry) {
           return Entry.getTag() == ELF::DT_FLAGS_1 &&
                  Entry.getVal() & ELF::DF_1_PIE;
         });
}

Expected<bool> isMadeByGo(const ElfFile &Elf) {
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  for (const ElfSection &Header : *Headers) {
    Expected<StringRef> Name = Elf.getSectionName(Header);
    if (!Name)
      return Name.takeError();
    if (*Name == ".gopclntab" || *Name == ".go.buildinfo")
      return true;
  }
  return false;
}

Expected<bool> hasRustRuntime(const ElfFile &Elf) {
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  for (const ElfSection &Header : *Headers) {
    if (Header.sh_type != ELF::SHT_PROGBITS ||
        !(Header.sh_flags & ELF::SHF_ALLOC) ||
        Header.sh_flags & (ELF::SHF_WRITE | ELF::SHF_EXECINSTR))
      continue;
    Expected<ArrayRef<uint8_t>> Bytes = Elf.getSectionContents(Header);
    if (!Bytes)
      return Bytes.takeError();
    if (toStringRef(*Bytes).contains("library/std/src/rt.rs"))
      return true;
  }
  return false;
}

} // namespace linesman::input
