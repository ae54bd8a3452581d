// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data symbols of an ELF file. Large binaries have a million symbols, of
// which few are data: filter on type and section before anything else, and
// leave the names alone.

#include "ElfSections.h"
#include "linesman/Facts/Discarded.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace llvm::object;
using linesman::layout::AddressRange;
using linesman::layout::SymbolBinding;
using linesman::layout::SymbolOrigin;

namespace linesman::input {

Expected<const ElfSection *> findSymbols(const ElfFile &Elf,
                                         uint32_t Preferred) {
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  const ElfSection *Other = nullptr;
  for (const ElfSection &Header : *Headers) {
    if (Header.sh_type == Preferred)
      return &Header;
    if (Header.sh_type == ELF::SHT_SYMTAB || Header.sh_type == ELF::SHT_DYNSYM)
      Other = &Header;
  }
  return Other;
}

namespace {

/// Nothing in it where there is none.
struct SymbolTable {
  SymbolSource Source = SymbolSource::None;
  ELF64LE::SymRange Symbols;
  StringRef Strings;
};

/// .symtab, or else .dynsym.
Expected<SymbolTable> readSymbolTable(const ElfFile &Elf) {
  Expected<const ElfSection *> Chosen = findSymbols(Elf, ELF::SHT_SYMTAB);
  if (!Chosen)
    return Chosen.takeError();
  const ElfSection *Table = *Chosen;
  SymbolTable Found;
  if (!Table)
    return Found;
  Found.Source = Table->sh_type == ELF::SHT_SYMTAB ? SymbolSource::Symtab
                                                   : SymbolSource::Dynsym;
  auto Symbols = Elf.symbols(Table);
  if (!Symbols)
    return Symbols.takeError();
  Expected<StringRef> Strings = Elf.getStringTableForSymtab(*Table);
  if (!Strings)
    return Strings.takeError();
  Found.Symbols = *Symbols;
  Found.Strings = *Strings;
  return Found;
}

bool isData(const ELF64LE::Sym &S) {
  if (!S.st_size)
    return false;
  switch (S.getType()) {
  case ELF::STT_OBJECT:
  case ELF::STT_COMMON:
  case ELF::STT_TLS:
  case ELF::STT_NOTYPE: // hand-written assembly that gives a size
    return true;
  default:
    return false;
  }
}

SymbolBinding bindingOf(const ELF64LE::Sym &S) {
  switch (S.getBinding()) {
  case ELF::STB_LOCAL:
    return SymbolBinding::Local;
  case ELF::STB_WEAK:
    return SymbolBinding::Weak;
  default: // global and unique
    return SymbolBinding::Global;
  }
}

bool isStartupFile(StringRef File) {
  return StringSwitch<bool>(File)
      .Cases({"crtstuff.c", "crt1.o", "crti.o", "crtn.o"}, true)
      .Default(false);
}

} // namespace

Expected<DataSymbols> readSymbols(const ElfFile &Elf,
                                  const WritableSections &Sections,
                                  const Relocated &Relocations,
                                  function_ref<bool(AddressRange)> Keep) {
  DataSymbols Result;
  Expected<SymbolTable> Table = readSymbolTable(Elf);
  if (!Table)
    return Table.takeError();
  Result.Source = Table->Source;

  // Growing would copy what is the largest thing in memory.
  auto IsWanted = [&](const ELF64LE::Sym &S) {
    return isData(S) && S.st_shndx < Sections.Index.size() &&
           Sections.Index[S.st_shndx];
  };
  Result.Symbols.reserve(count_if(Table->Symbols, IsWanted));

  uint32_t File = 0;
  bool IsStartup = false;
  for (const ELF64LE::Sym &S : Table->Symbols) {
    // Offset 0 is the empty name; the table ends in a zero (checked by LLVM).
    if (S.st_name >= Table->Strings.size())
      return createStringError("symbol %zu has its name at offset 0x%x, beyond "
                               "the string table",
                               size_t(&S - Table->Symbols.data()),
                               unsigned(S.st_name));
    const char *Name = Table->Strings.data() + S.st_name;
    if (S.getType() == ELF::STT_FILE) {
      File = 0;
      IsStartup = isStartupFile(Name);
      if (*Name) {
        File = Result.Files.size();
        Result.Files.push_back(Name);
      }
      continue;
    }
    if (!IsWanted(S) || !Keep({{S.st_value}, {S.st_value + S.st_size}}))
      continue;

    layout::Symbol Data;
    Data.NameData = Name;
    Data.Address = {S.st_value};
    Data.Size = S.st_size;
    Data.Section = *Sections.Index[S.st_shndx];
    Data.Binding = bindingOf(S);
    const layout::Section &Around = Sections.Sections[Data.Section];
    // Thread-local symbols count from the start of the thread's block.
    if (Around.Kind == layout::SectionKind::Tls)
      continue;
    if (!Around.Range.overlaps(Data.range())) {
      ++Result.Stray;
      continue;
    }
    if (Data.Binding == SymbolBinding::Local) {
      Data.File = File;
      if (IsStartup)
        Data.Origin = SymbolOrigin::Startup;
    }
    if (Relocations.Copies.contains(S.st_value))
      Data.Origin = SymbolOrigin::CopyRelocation;
    Result.Symbols.push_back(Data);
  }
  return Result;
}

Expected<AddressRange> findBetween(const ElfFile &Elf, StringRef First,
                                   StringRef Last) {
  Expected<SymbolTable> Table = readSymbolTable(Elf);
  if (!Table)
    return Table.takeError();
  std::optional<uint64_t> Begin, End;
  for (const ELF64LE::Sym &S : Table->Symbols) {
    if (S.getBinding() != ELF::STB_GLOBAL || S.st_name >= Table->Strings.size())
      continue;
    StringRef Name = Table->Strings.data() + S.st_name;
    if (Name == First)
      Begin = S.st_value;
    else if (Name == Last)
      End = S.st_value;
  }
  if (!Begin || !End || *End < *Begin)
    return AddressRange{};
  return AddressRange{{*Begin}, {*End}};
}

Error visitFunctions(const ElfFile &Elf, const MemoryBuffer &File,
                     function_ref<void(const layout::FunctionSymbol &)> Visit) {
  Expected<SymbolTable> Table = readSymbolTable(Elf);
  if (!Table)
    return Table.takeError();
  // Names within bounds: readSymbols has looked at all of them.
  ReadPages Pages(File);
  for (bool Locals : {false, true})
    for (const ELF64LE::Sym &S : Table->Symbols) {
      Pages.count(sizeof(S));
      if (S.getType() == ELF::STT_FUNC && S.st_shndx != ELF::SHN_UNDEF &&
          !facts::isDiscarded(S.st_value) &&
          (S.getBinding() == ELF::STB_LOCAL) == Locals) {
        Visit({{S.st_value}, Table->Strings.data() + S.st_name});
        // Mangled names are that long.
        Pages.count(2 * sizeof(S));
      }
    }
  return Error::success();
}

Error visitExports(const ElfFile &Elf,
                   function_ref<void(layout::LinkAddress)> Visit) {
  Expected<const ElfSection *> Table = findSymbols(Elf, ELF::SHT_DYNSYM);
  if (!Table)
    return Table.takeError();
  if (!*Table)
    return Error::success();
  auto Symbols = Elf.symbols(*Table);
  if (!Symbols)
    return Symbols.takeError();
  for (const auto &S : *Symbols)
    if (S.st_shndx != ELF::SHN_UNDEF && S.st_value &&
        S.getBinding() != ELF::STB_LOCAL &&
        (S.getType() == ELF::STT_FUNC || S.getType() == ELF::STT_GNU_IFUNC))
      Visit({S.st_value});
  return Error::success();
}

} // namespace linesman::input
