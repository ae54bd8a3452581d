// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the inputs of a link command. Every argument that is a file is an
// input, whatever option it may belong to: the first bytes say what it is.

#include "InputObject.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

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

static Expected<DefinitionKind> kindOf(const ELFFile<Elf> &File,
                                       const Elf::Shdr &Section) {
  if (Section.sh_flags & ELF::SHF_TLS)
    return DefinitionKind::ThreadLocal;
  if (!(Section.sh_flags & ELF::SHF_WRITE))
    return DefinitionKind::ReadOnly;
  Expected<StringRef> Name = File.getSectionName(Section);
  if (!Name)
    return Name.takeError();
  return Name->starts_with(".data.rel.ro") ? DefinitionKind::Relro
                                           : DefinitionKind::Writable;
}

static Error readDefinitions(InputObject &Object) {
  Expected<ELFFile<Elf>> File = ELFFile<Elf>::create(Object.File->getBuffer());
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

  StringRef SourceFile;
  for (const Elf::Sym &S : *Symbols) {
    if (S.getType() == ELF::STT_FILE) {
      Expected<StringRef> Name = S.getName(*Strings);
      if (!Name)
        return Name.takeError();
      SourceFile = *Name;
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
      D.File = SourceFile;
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
      const Elf::Shdr &In = (*Sections)[*Index];
      if (In.sh_type != ELF::SHT_NOBITS) {
        Expected<ArrayRef<uint8_t>> Bytes = File->getSectionContents(In);
        if (!Bytes)
          return Bytes.takeError();
      }
      D.Section = *Index;
      D.Offset = S.st_value;
      D.Alignment = std::max<uint64_t>(In.sh_addralign, 1);
      Expected<DefinitionKind> Kind = kindOf(*File, In);
      if (!Kind)
        return Kind.takeError();
      D.Kind = *Kind;
    }
    Object.Definitions.push_back(D);
  }
  return Error::success();
}

static bool isSource(StringRef Path) {
  return StringSwitch<bool>(sys::path::extension(Path))
      .Cases({".c", ".cc", ".cpp", ".cxx", ".C", ".s", ".S"}, true)
      .Default(false);
}

Expected<LinkInputs> readInputs(ArrayRef<std::string> Command) {
  LinkInputs Inputs;
  for (size_t I = 1; I < Command.size(); ++I) {
    StringRef Path = Command[I];
    if (Path.starts_with("-") || !sys::fs::is_regular_file(Path))
      continue;
    file_magic Magic;
    if (identify_magic(Path, Magic))
      continue; // unreadable: the linker will say so
    if (Magic == file_magic::archive)
      ++Inputs.Archives;
    else if (Magic == file_magic::bitcode)
      ++Inputs.LtoObjects;
    else if (isSource(Path))
      ++Inputs.Sources;
    if (Magic != file_magic::elf_relocatable)
      continue;
    ErrorOr<std::unique_ptr<MemoryBuffer>> File =
        MemoryBuffer::getFile(Path, /*IsText=*/false,
                              /*RequiresNullTerminator=*/false);
    if (!File)
      return createFileError(Path, File.getError());
    InputObject Object;
    Object.Argument = I;
    Object.Path = Path.str();
    Object.File = std::move(*File);
    if (Error E = readDefinitions(Object))
      return createFileError(Path, std::move(E));
    Inputs.Objects.push_back(std::move(Object));
  }
  return Inputs;
}

} // namespace linesman::relink
