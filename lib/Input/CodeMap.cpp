// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relocations and PLT entries, read for what code means by an address.

#include "CodeMap.h"
#include "MachineStep.h"
#include "linesman/Facts/Discarded.h"
#include "linesman/Layout/RadixOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace llvm::object;
using namespace linesman::layout;
using support::endian::read64le;

namespace linesman::input {

bool CodeMap::isData(uint64_t Address) const {
  return Data.contains({Address}) && any_of(DataSections, [&](AddressRange R) {
           return R.contains({Address});
         });
}

bool CodeMap::isTarget(uint64_t Address) const {
  return isData(Address) || !Functions->codeFrom(Address).empty();
}

/// Of the GOT all is followed; of data, what may be a pointer to data.
bool CodeMap::isSlot(uint64_t Address) const {
  return Slots.contains({Address}) || any_of(Initialised, [&](AddressRange R) {
           return R.contains({Address});
         });
}

std::optional<AddressRange> CodeMap::objectAt(uint64_t Address) const {
  if (!Data.contains({Address}))
    return std::nullopt;
  std::optional<OccupantIndex> Found = Program->occupantAt({Address});
  if (!Found || Program->occupants()[*Found].Kind != OccupantKind::Object)
    return std::nullopt;
  return Program->symbol(*Found).range();
}

StringRef CodeMap::variableAt(uint64_t Address) const {
  if (StringRef Imported = calleeThrough(Address); !Imported.empty())
    return Imported;
  if (!Data.contains({Address}))
    return "";
  std::optional<OccupantIndex> Found = Program->occupantAt({Address});
  if (!Found || Program->occupants()[*Found].Kind != OccupantKind::Object)
    return "";
  const Symbol &Object = Program->symbol(*Found);
  return Object.Address.Value == Address ? Object.name() : "";
}

std::optional<uint64_t> CodeMap::pointerAt(uint64_t Slot) const {
  if (facts::isDiscarded(Slot))
    return std::nullopt;
  auto It =
      partition_point(Pointers, [&](const auto &P) { return P.first < Slot; });
  if (It == Pointers.end() || It->first != Slot)
    return std::nullopt;
  return It->second;
}

StringRef CodeMap::calleeThrough(uint64_t Slot) const {
  return facts::isDiscarded(Slot) ? "" : Imports.lookup(Slot);
}

bool CodeMap::isPltEntry(uint64_t Address) const {
  return any_of(
      Plt, [&](const CodeSection &C) { return C.Range.contains({Address}); });
}

void CodeMap::forEachImport(
    function_ref<void(uint64_t, StringRef)> Visit) const {
  // An entry has as many bytes, or a multiple.
  constexpr uint64_t EntrySize = 8;
  for (auto [Slot, Name] : Imports)
    Visit(Slot, Name);
  for (const CodeSection &C : Plt)
    for (uint64_t Address = C.Range.Begin.Value; Address < C.Range.End.Value;
         Address += EntrySize)
      if (StringRef Name = calleeAt(Address); !Name.empty())
        Visit(Address, Name);
}

/// The slot that a PLT entry at an address leads through.
std::optional<uint64_t> CodeMap::slotAt(uint64_t Address) const {
  auto Around = find_if(
      Plt, [&](const CodeSection &C) { return C.Range.contains({Address}); });
  if (Around == Plt.end())
    return std::nullopt;
  ArrayRef<uint8_t> Entry =
      Around->Bytes.drop_front(Address - Around->Range.Begin.Value);
  return Arch->slotOf(Entry.take_front(16), Address);
}

std::optional<uint64_t> CodeMap::functionThrough(uint64_t Slot) const {
  std::optional<uint64_t> Target = pointerAt(Slot);
  return Target && isConstant(Slot) && isFunction(*Target) ? Target
                                                           : std::nullopt;
}

std::optional<uint64_t> CodeMap::functionAt(uint64_t Address) const {
  if (isFunction(Address))
    return Address;
  std::optional<uint64_t> Slot = slotAt(Address);
  return Slot ? functionThrough(*Slot) : std::nullopt;
}

StringRef CodeMap::calleeAt(uint64_t Address) const {
  if (isPltEntry(Address)) {
    std::optional<uint64_t> Slot = slotAt(Address);
    return Slot ? calleeThrough(*Slot) : "";
  }
  if (!Functions)
    return "";
  std::optional<size_t> Found = Functions->find(Address);
  return Found ? Functions->nameOf(*Found) : "";
}

Error CodeMap::readSlots(const ElfFile &Elf) {
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  auto [Relative, Slot, Jump, Absolute] = Arch->relocations();
  for (const ElfSection &Header : *Headers) {
    if (Header.sh_type != ELF::SHT_RELA || !(Header.sh_flags & ELF::SHF_ALLOC))
      continue;
    Expected<ELF64LE::RelaRange> Relocations = Elf.relas(Header);
    if (!Relocations)
      return Relocations.takeError();
    ELF64LE::SymRange Symbols;
    StringRef Strings;
    if (Header.sh_link && Header.sh_link < Headers->size() &&
        (*Headers)[Header.sh_link].sh_type == ELF::SHT_DYNSYM) {
      const ElfSection &Table = (*Headers)[Header.sh_link];
      auto Found = Elf.symbols(&Table);
      if (!Found)
        return Found.takeError();
      Symbols = *Found;
      Expected<StringRef> Names = Elf.getStringTableForSymtab(Table);
      if (!Names)
        return Names.takeError();
      Strings = *Names;
    }
    ReadPages Pages(Functions->file());
    for (const ELF64LE::Rela &R : *Relocations) {
      Pages.count(sizeof(R) + sizeof(ELF64LE::Sym));
      uint32_t Type = R.getType(/*isMips64EL=*/false);
      if (Type == Relative) {
        if (isSlot(R.r_offset) && isTarget(R.r_addend))
          Pointers.emplace_back(R.r_offset, R.r_addend);
        continue;
      }
      uint32_t Index = R.getSymbol(/*isMips64EL=*/false);
      if ((Type != Slot && Type != Jump && Type != Absolute) ||
          Index >= Symbols.size())
        continue;
      const ELF64LE::Sym &S = Symbols[Index];
      bool IsHere = S.getType() != ELF::STT_TLS && S.st_shndx != ELF::SHN_UNDEF;
      if (IsHere && isSlot(R.r_offset) && isTarget(S.st_value + R.r_addend))
        Pointers.emplace_back(R.r_offset, S.st_value + R.r_addend);
      if (!(IsHere && isData(S.st_value)) && S.st_name < Strings.size())
        Imports[R.r_offset] = Strings.data() + S.st_name;
    }
  }
  return Error::success();
}

/// Slots that the linker has filled in: in a file for one address, and where
/// relative relocations have their addend in place (RELR).
Error CodeMap::readContents(const ElfFile &Elf, const ElfSection &Header) {
  if (Header.sh_type == ELF::SHT_NOBITS)
    return Error::success();
  Expected<ArrayRef<uint8_t>> Bytes = Elf.getSectionContents(Header);
  if (!Bytes)
    return Bytes.takeError();
  for (size_t I = 0; I + 8 <= Bytes->size(); I += 8)
    if (uint64_t Value = read64le(Bytes->data() + I); isTarget(Value))
      Pointers.emplace_back(Header.sh_addr + I, Value);
  return Error::success();
}

/// Of one slot the last one counts: relocations are read behind contents, which
/// they replace.
void CodeMap::sortPointers() {
  arrange(Pointers, orderByKey(Pointers.size(),
                               [&](uint32_t I) { return Pointers[I].first; }));
  auto Kept = std::unique(
      Pointers.rbegin(), Pointers.rend(),
      [](const auto &A, const auto &B) { return A.first == B.first; });
  Pointers.erase(Pointers.begin(), Kept.base());
}

std::optional<uint64_t> CodeMap::literalAt(uint64_t Address) const {
  ArrayRef<uint8_t> Bytes = Functions->codeFrom(Address);
  if (Bytes.size() < 8)
    return std::nullopt;
  return read64le(Bytes.data());
}

ArrayRef<uint8_t> CodeMap::constantsFrom(uint64_t Address) const {
  for (const CodeSection &C : Constants)
    if (C.Range.contains({Address}))
      return C.Bytes.drop_front(Address - C.Range.Begin.Value);
  return {};
}

Expected<CodeMap> CodeMap::create(const ElfFile &Elf, const Architecture &Arch,
                                  const Image &File,
                                  const CodeFunctions &Functions) {
  CodeMap Map;
  Map.Arch = &Arch;
  Map.Program = &File;
  Map.Functions = &Functions;
  Map.IsFixed = Elf.getHeader().e_type == ELF::ET_EXEC;
  auto Extend = [](AddressRange &Range, AddressRange Table) {
    if (!Range.size())
      Range = Table;
    else if (Table.size())
      Range = {std::min(Range.Begin, Table.Begin),
               std::max(Range.End, Table.End)};
  };
  for (const Section &S : File.sections())
    if (S.Kind == layout::SectionKind::Data) {
      Extend(Map.Data, S.Range);
      Map.DataSections.push_back(S.Range);
    }

  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  std::vector<const ElfSection *> Gots;
  for (const ElfSection &Header : *Headers) {
    if (!(Header.sh_flags & ELF::SHF_ALLOC))
      continue;
    Expected<StringRef> Name = Elf.getSectionName(Header);
    if (!Name)
      return Name.takeError();
    AddressRange Range{{Header.sh_addr}, {Header.sh_addr + Header.sh_size}};
    if (Name->starts_with(".plt") && Header.sh_type == ELF::SHT_PROGBITS) {
      Expected<ArrayRef<uint8_t>> Bytes = Elf.getSectionContents(Header);
      if (!Bytes)
        return Bytes.takeError();
      Map.Plt.push_back({Range, *Bytes});
    }
    // Of a file with debug information only there are no bytes.
    if (*Name == ".rodata" && Header.sh_type == ELF::SHT_PROGBITS) {
      Expected<ArrayRef<uint8_t>> Bytes = Elf.getSectionContents(Header);
      if (!Bytes)
        return Bytes.takeError();
      Map.Constants.push_back({Range, *Bytes});
    }
    bool IsGot = *Name == ".got" || *Name == ".got.plt";
    if (IsGot)
      Extend(Map.Slots, Range);
    bool IsInitialised = Header.sh_flags & ELF::SHF_WRITE &&
                         !(Header.sh_flags & ELF::SHF_TLS) &&
                         Header.sh_type == ELF::SHT_PROGBITS;
    if (IsInitialised && !IsGot)
      Map.Initialised.push_back(Range);
    // In a file for one address, any 8 bytes of data may look like a pointer;
    // those that are aligned and lead to data mostly are.
    if (IsGot || (IsInitialised && Map.IsFixed))
      Gots.push_back(&Header);
  }
  for (const ElfSection *Got : Gots)
    if (Error E = Map.readContents(Elf, *Got))
      return std::move(E);
  if (Error E = Map.readSlots(Elf))
    return std::move(E);
  Map.sortPointers();
  return Map;
}

} // namespace linesman::input
