// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     header | contents... | .symtab | .strtab | .shstrtab | section headers

#include "JoinedFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using object::ELF64LE;

namespace linesman::input {

uint32_t JoinedFile::section(StringRef Name, uint64_t Flags) {
  auto [It, IsNew] = Numbers.try_emplace(Name, size());
  if (IsNew) {
    Sections.emplace_back().Name = Name;
    Sections.back().Flags = Flags;
  }
  return It->second;
}

Error JoinedFile::allocate(StringRef Name, uint64_t Symbols,
                           uint64_t StringBytes) {
  constexpr uint64_t Word = 8;
  uint64_t End = sizeof(ELF64LE::Ehdr);
  auto Take = [&](uint64_t Size) {
    uint64_t Begin = alignTo(End, Word);
    End = Begin + Size;
    return Begin;
  };
  for (const JoinedSection &S : Sections)
    Offsets.push_back(S.Type == ELF::SHT_PROGBITS ? Take(S.Size) : End);
  SymbolOffset = Take((Symbols + 1) * sizeof(ELF64LE::Sym));
  StringSize = StringBytes + 1;
  StringOffset = Take(StringSize);
  for (const JoinedSection &S : Sections)
    Names += S.Name + '\0';
  Names += StringRef(".symtab\0.strtab\0.shstrtab\0", 26);
  NameOffset = Take(Names.size());
  constexpr uint64_t Tables = 3;
  HeaderOffset = Take((Sections.size() + Tables) * sizeof(ELF64LE::Shdr));
  Buffer = WritableMemoryBuffer::getNewMemBuffer(End, Name);
  if (!Buffer)
    return createStringError("no memory for %llu bytes",
                             static_cast<unsigned long long>(End));
  return Error::success();
}

MutableArrayRef<char> JoinedFile::bytes(uint32_t Number) {
  const JoinedSection &S = Sections[Number];
  if (S.Type != ELF::SHT_PROGBITS)
    return {};
  return {Buffer->getBufferStart() + Offsets[Number], S.Size};
}

MutableArrayRef<char> JoinedFile::strings() {
  return {Buffer->getBufferStart() + StringOffset, StringSize};
}

std::unique_ptr<MemoryBuffer> JoinedFile::finish(ArrayRef<ELF64LE::Sym> Symbols,
                                                 uint32_t Locals,
                                                 uint16_t Machine) && {
  char *Bytes = Buffer->getBufferStart();
  auto &Header = *reinterpret_cast<ELF64LE::Ehdr *>(Bytes);
  copy(StringRef(ELF::ElfMagic), Header.e_ident);
  Header.e_ident[ELF::EI_CLASS] = ELF::ELFCLASS64;
  Header.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
  Header.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
  Header.e_type = ELF::ET_EXEC;
  Header.e_machine = Machine;
  Header.e_version = ELF::EV_CURRENT;
  Header.e_ehsize = sizeof(ELF64LE::Ehdr);
  Header.e_shentsize = sizeof(ELF64LE::Shdr);
  Header.e_shoff = HeaderOffset;
  Header.e_shnum = Sections.size() + 3;
  Header.e_shstrndx = Sections.size() + 2;

  auto *Headers = reinterpret_cast<ELF64LE::Shdr *>(Bytes + HeaderOffset);
  uint32_t Name = 0;
  auto Next = [&](StringRef Text, uint32_t Type, uint64_t Offset,
                  uint64_t Size) -> ELF64LE::Shdr & {
    Headers->sh_name = Name;
    Name += Text.size() + 1;
    Headers->sh_type = Type;
    Headers->sh_offset = Offset;
    Headers->sh_size = Size;
    Headers->sh_addralign = 1;
    return *Headers++;
  };
  for (auto [S, Offset] : zip(Sections, Offsets)) {
    ELF64LE::Shdr &H =
        Next(S.Name, S.Name.empty() ? uint32_t(ELF::SHT_NULL) : S.Type, Offset,
             S.Size);
    H.sh_flags = S.Flags;
    H.sh_addr = S.Address;
    H.sh_addralign = S.Alignment;
  }
  ELF64LE::Shdr &Table = Next(".symtab", ELF::SHT_SYMTAB, SymbolOffset,
                              (Symbols.size() + 1) * sizeof(ELF64LE::Sym));
  Table.sh_entsize = sizeof(ELF64LE::Sym);
  Table.sh_link = Sections.size() + 1;
  Table.sh_info = Locals + 1;
  Table.sh_addralign = alignof(uint64_t);
  Next(".strtab", ELF::SHT_STRTAB, StringOffset, StringSize);
  Next(".shstrtab", ELF::SHT_STRTAB, NameOffset, Names.size());
  copy(Names, Bytes + NameOffset);
  copy(Symbols, reinterpret_cast<ELF64LE::Sym *>(Bytes + SymbolOffset) + 1);
  return std::move(Buffer);
}

} // namespace linesman::input
