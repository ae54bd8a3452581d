// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where thread-local data falls on lines. On x86-64 the block ends at the
// thread pointer, which is aligned like the block:
//
//     | padding | .tdata | .tbss |TCB
//                                ^ thread pointer
//
// so an offset's phase is (offset - roundup(size, alignment)) mod line. On
// AArch64 the block begins 16 bytes after the thread pointer, rounded up to its
// alignment. A shared object's block has the same alignment wherever it is.

#include "ThreadBlock.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::object;
using namespace linesman::layout;

namespace linesman::relink {

namespace {

/// A thread pointer that leaves room for any block below it.
constexpr uint64_t ThreadPointer = uint64_t(1) << 40;

uint64_t startOfBlock(const ELF64LE::Phdr &Header, uint16_t Machine) {
  uint64_t Alignment = std::max<uint64_t>(Header.p_align, 1);
  if (Machine == ELF::EM_AARCH64)
    return alignTo(ThreadPointer + 16, Alignment);
  return ThreadPointer - alignTo(Header.p_memsz, Alignment);
}

} // namespace

Expected<Image> readThreadBlock(StringRef Bytes) {
  Expected<ELFFile<ELF64LE>> File = ELFFile<ELF64LE>::create(Bytes);
  if (!File)
    return File.takeError();
  auto Headers = File->program_headers();
  if (!Headers)
    return Headers.takeError();
  auto Block = find_if(*Headers, [](const ELF64LE::Phdr &Header) {
    return Header.p_type == ELF::PT_TLS;
  });
  ImageDescription Description;
  if (Block == Headers->end())
    return buildImage(std::move(Description));
  uint64_t Start = startOfBlock(*Block, File->getHeader().e_machine);

  auto Sections = File->sections();
  if (!Sections)
    return Sections.takeError();
  std::vector<std::optional<uint16_t>> Index(Sections->size());
  const ELF64LE::Shdr *Table = nullptr;
  for (auto [I, S] : enumerate(*Sections)) {
    if (S.sh_type == ELF::SHT_SYMTAB)
      Table = &S;
    if (!(S.sh_flags & ELF::SHF_TLS) || !S.sh_size)
      continue;
    Expected<StringRef> Name = File->getSectionName(S);
    if (!Name)
      return Name.takeError();
    LinkAddress Begin{Start + (S.sh_addr - Block->p_vaddr)};
    Index[I] = Description.Sections.size();
    Description.Sections.push_back(
        Section{*Name,
                {Begin, Begin + S.sh_size},
                std::max<uint64_t>(S.sh_addralign, 1),
                SectionKind::Data,
                ""});
  }
  if (!Table)
    return buildImage({std::move(Description.Sections), {}, {""}});

  auto Symbols = File->symbols(Table);
  if (!Symbols)
    return Symbols.takeError();
  Expected<StringRef> Strings = File->getStringTableForSymtab(*Table);
  if (!Strings)
    return Strings.takeError();
  uint32_t CurrentFile = 0;
  for (const ELF64LE::Sym &S : *Symbols) {
    if (S.getType() != ELF::STT_FILE &&
        (S.getType() != ELF::STT_TLS || !S.st_size ||
         S.st_shndx >= Index.size() || !Index[S.st_shndx]))
      continue;
    if (S.st_name >= Strings->size())
      return createStringError("a symbol has its name beyond the string table");
    const char *Name = Strings->data() + S.st_name;
    if (S.getType() == ELF::STT_FILE) {
      CurrentFile = Description.Files.size();
      Description.Files.push_back(Name);
      continue;
    }
    Symbol Data;
    Data.NameData = Name;
    Data.Address = {Start + S.st_value};
    Data.Size = S.st_size;
    Data.Section = *Index[S.st_shndx];
    Data.Binding = S.getBinding() == ELF::STB_LOCAL  ? SymbolBinding::Local
                   : S.getBinding() == ELF::STB_WEAK ? SymbolBinding::Weak
                                                     : SymbolBinding::Global;
    Data.File = Data.Binding == SymbolBinding::Local ? CurrentFile : 0;
    Description.Symbols.push_back(Data);
  }
  return buildImage(std::move(Description));
}

} // namespace linesman::relink
