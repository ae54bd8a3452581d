// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code of x86-64 (first byte even) or AArch64 (odd) in a binary that is
// whole: every byte is an instruction's.

#include "Fuzz.h"
#include "linesman/Input/ReadBinary.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

using namespace linesman;
using Elf = llvm::object::ELF64LE;

namespace {

/// .text at 0x1000 with one function, .data at 0x40000 with two objects.
std::string makeBinary(llvm::StringRef Code, uint16_t Machine) {
  const std::string Names("\0.text\0.data\0.symtab\0.strtab\0", 29);
  const std::string Strings("\0f\0a\0b\0", 7);
  std::string File(sizeof(Elf::Ehdr), '\0');
  auto Append = [&](llvm::StringRef Bytes) {
    File.resize((File.size() + 15) & ~size_t(15));
    size_t At = File.size();
    File += Bytes;
    return At;
  };
  std::string Data(256, '\0');
  // Pointers and a table of them.
  for (size_t I = 0; I != 16; ++I)
    Data[I * 8 + 2] = I & 1 ? 0x04 : 0x00, Data[I * 8 + 1] = I & 1 ? 0 : 0x10;
  Elf::Sym Symbols[4] = {};
  auto Define = [](Elf::Sym &S, unsigned Name, unsigned Type, unsigned Section,
                   uint64_t At, uint64_t Size) {
    S.st_name = Name;
    S.setBindingAndType(llvm::ELF::STB_GLOBAL, Type);
    S.st_shndx = Section;
    S.st_value = At;
    S.st_size = Size;
  };
  Define(Symbols[1], 1, llvm::ELF::STT_FUNC, 1, 0x1000, Code.size());
  Define(Symbols[2], 3, llvm::ELF::STT_OBJECT, 2, 0x40000, 128);
  Define(Symbols[3], 5, llvm::ELF::STT_OBJECT, 2, 0x40080, 8);
  Elf::Shdr Headers[6] = {};
  auto Place = [&](unsigned I, unsigned Name, unsigned Type, uint64_t Flags,
                   uint64_t At, llvm::StringRef Bytes) {
    Elf::Shdr &H = Headers[I];
    H.sh_name = Name;
    H.sh_type = Type;
    H.sh_flags = Flags;
    H.sh_addr = At;
    H.sh_offset = Append(Bytes);
    H.sh_size = Bytes.size();
    H.sh_addralign = 1;
  };
  using namespace llvm::ELF;
  Place(1, 1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, Code);
  Place(2, 7, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x40000, Data);
  Place(3, 13, SHT_SYMTAB, 0, 0,
        {reinterpret_cast<const char *>(Symbols), sizeof(Symbols)});
  Headers[3].sh_entsize = sizeof(Elf::Sym);
  Headers[3].sh_link = 4;
  Headers[3].sh_info = 1;
  Place(4, 21, SHT_STRTAB, 0, 0, Strings);
  Place(5, 21, SHT_STRTAB, 0, 0, Names);
  size_t Table =
      Append({reinterpret_cast<const char *>(Headers), sizeof(Headers)});
  auto *Header = reinterpret_cast<Elf::Ehdr *>(File.data());
  std::memcpy(Header->e_ident,
              "\x7f"
              "ELF\2\1\1",
              7);
  Header->e_type = ET_EXEC;
  Header->e_machine = Machine;
  Header->e_version = 1;
  Header->e_entry = 0x1000;
  Header->e_shoff = Table;
  Header->e_ehsize = sizeof(Elf::Ehdr);
  Header->e_shentsize = sizeof(Elf::Shdr);
  Header->e_shnum = 6;
  Header->e_shstrndx = 5;
  return File;
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  llvm::parallel::strategy = llvm::hardware_concurrency(1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (Size < 2)
    return 0;
  uint16_t Machine = Data[0] & 1 ? llvm::ELF::EM_AARCH64 : llvm::ELF::EM_X86_64;
  std::string File = makeBinary(fuzz::text(Data + 1, Size - 1), Machine);
  fuzz::withFile(File, [](llvm::StringRef Path) {
    input::ReadOptions Options;
    Options.Facts = input::FactsFrom::Code;
    auto Binary = input::readBinary(Path, Options);
    // The frame is whole, so that only a defect is an error.
    if (!Binary) {
      llvm::errs() << llvm::toString(Binary.takeError()) << '\n';
      std::abort();
    }
    if (!Binary->Counts.Code.IsRead)
      std::abort();
  });
  return 0;
}
