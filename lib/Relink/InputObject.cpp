// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the data symbols of an object.

#include "InputObject.h"
#include "linesman/Guard/Text.h"
#include "linesman/Layout/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::object;

namespace linesman::relink {

static DefinitionBinding bindingOf(const Elf::Sym &S) {
  switch (S.getBinding()) {
  case ELF::STB_LOCAL:
    return DefinitionBinding::Local;
  case ELF::STB_WEAK:
    return DefinitionBinding::Weak;
  default:
    return DefinitionBinding::Global;
  }
}

static DefinitionKind kindOf(const Elf::Shdr &Section, StringRef Name) {
  if (Section.sh_flags & ELF::SHF_TLS)
    return DefinitionKind::ThreadLocal;
  if (!(Section.sh_flags & ELF::SHF_WRITE))
    return DefinitionKind::ReadOnly;
  return Name.starts_with(".data.rel.ro") ? DefinitionKind::Relro
                                          : DefinitionKind::Writable;
}

/// More than any program asks for: copies are aligned and filled as objects
/// say.
static constexpr uint64_t MostAlignment = uint64_t(1) << 30;
static constexpr uint64_t MostSize = uint64_t(1) << 40;

static Error checkBounds(const Definition &D, uint64_t SectionSize) {
  if (!isPowerOf2_64(D.Alignment) || D.Alignment > MostAlignment)
    return createStringError(
        formatv("'{0}' is aligned to {1:x}, expected a power of two of at most "
                "1 GiB",
                guard::demangle(D.Name), D.Alignment));
  if (std::max({D.Size, D.Offset, SectionSize}) > MostSize)
    return createStringError(
        formatv("'{0}' has {1:x} bytes at {2:x} of the {3:x} bytes of its "
                "section, expected at most 1 TiB",
                guard::demangle(D.Name), D.Size, D.Offset, SectionSize));
  return Error::success();
}

Error readDefinitions(InputObject &Object) {
  Expected<ELFFile<Elf>> File = ELFFile<Elf>::create(Object.Bytes);
  if (!File)
    return File.takeError();
  auto Sections = File->sections();
  if (!Sections)
    return Sections.takeError();
  const Elf::Shdr *Table = nullptr;
  ArrayRef<Elf::Word> Extended;
  for (const Elf::Shdr &S : *Sections) {
    if (S.sh_type == ELF::SHT_SYMTAB)
      Table = &S;
    if (S.sh_type == ELF::SHT_SYMTAB_SHNDX) {
      auto Indices = File->getSectionContentsAsArray<Elf::Word>(S);
      if (!Indices)
        return Indices.takeError();
      Extended = *Indices;
    }
  }
  if (!Table)
    return Error::success();
  auto Symbols = File->symbols(Table);
  if (!Symbols)
    return Symbols.takeError();
  Expected<StringRef> Strings = File->getStringTableForSymtab(*Table);
  if (!Strings)
    return Strings.takeError();

  // Of a local symbol the last before it; of the others, which come behind all
  // of them, the one that there is.
  StringRef SourceFile;
  unsigned SourceFiles = 0;
  for (const Elf::Sym &S : *Symbols) {
    if (S.getType() == ELF::STT_FILE) {
      Expected<StringRef> Name = S.getName(*Strings);
      if (!Name)
        return Name.takeError();
      SourceFile = *Name;
      ++SourceFiles;
      continue;
    }
    bool IsData =
        S.getType() == ELF::STT_OBJECT || S.getType() == ELF::STT_TLS ||
        S.getType() == ELF::STT_COMMON || S.st_shndx == ELF::SHN_COMMON ||
        (S.getType() == ELF::STT_NOTYPE && S.st_size);
    if (!IsData || S.st_shndx == ELF::SHN_UNDEF || S.st_shndx == ELF::SHN_ABS)
      continue;
    Expected<StringRef> Name = S.getName(*Strings);
    if (!Name)
      return Name.takeError();
    Definition D;
    D.Name = *Name;
    D.SymbolIndex = &S - Symbols->data();
    D.Size = S.st_size;
    D.Binding = bindingOf(S);
    if (D.Binding == DefinitionBinding::Local)
      D.File = D.Source = SourceFile;
    else if (SourceFiles == 1)
      D.Source = SourceFile;
    uint64_t SectionSize = D.Size;
    if (S.st_shndx == ELF::SHN_COMMON) {
      D.Alignment = std::max<uint64_t>(S.st_value, 1);
      D.Kind = S.getType() == ELF::STT_TLS ? DefinitionKind::ThreadLocal
                                           : DefinitionKind::Writable;
    } else {
      Expected<uint32_t> Index =
          File->getSectionIndex(S, *Symbols, DataRegion<Elf::Word>(Extended));
      if (!Index)
        return Index.takeError();
      if (*Index >= Sections->size())
        return createStringError("symbol " + *Name +
                                 " is in a section that does not exist");
      const Elf::Shdr &Header = (*Sections)[*Index];
      D.IsInFile = Header.sh_type != ELF::SHT_NOBITS;
      if (D.IsInFile) {
        Expected<ArrayRef<uint8_t>> Bytes = File->getSectionContents(Header);
        if (!Bytes)
          return Bytes.takeError();
      }
      D.Section = *Index;
      D.Offset = S.st_value;
      SectionSize = Header.sh_size;
      D.Alignment = std::max<uint64_t>(Header.sh_addralign, 1);
      Expected<StringRef> Section = File->getSectionName(Header);
      if (!Section)
        return Section.takeError();
      D.Kind = kindOf(Header, *Section);
      if (layout::isWalkable(*Section))
        D.WalkedSection = *Section;
    }
    if (Error E = checkBounds(D, SectionSize))
      return E;
    Object.Definitions.push_back(D);
  }
  return Error::success();
}

CodeKind codeKindOf(StringRef Object) {
  if (identify_magic(Object) == file_magic::bitcode)
    return CodeKind::Intermediate;
  // GCC's, and LLVM's fat objects.
  Expected<ELFFile<Elf>> File = ELFFile<Elf>::create(Object);
  if (!File) {
    consumeError(File.takeError());
    return CodeKind::Machine;
  }
  auto Sections = File->sections();
  if (!Sections) {
    consumeError(Sections.takeError());
    return CodeKind::Machine;
  }
  // One search in all names together: large objects have many sections.
  Expected<StringRef> Names = File->getSectionStringTable(*Sections);
  if (!Names) {
    consumeError(Names.takeError());
    return CodeKind::Machine;
  }
  return Names->contains(".gnu.lto_") ? CodeKind::Intermediate
                                      : CodeKind::Machine;
}

} // namespace linesman::relink
