// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where functions begin and end.
//
//  1. FUNC symbols of .symtab, or else of .dynsym. Of several at one address
//     the longest stays, of those the first.
//  2. Starts in .eh_frame_hdr that no symbol covers: a stripped binary still
//     says where its functions are, because unwinding needs it.
//  3. A function ends where it says, at the latest where the next one begins.

#include "CodeMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace llvm::object;
using namespace linesman::layout;
using support::endian::read32le;

namespace linesman::input {

namespace {

/// A function before it has its bytes; a size of 0 is not known.
struct Start {
  uint64_t Address = 0;
  uint64_t Size = 0;
  StringRef Name;
};

struct CodeSection {
  AddressRange Range;
  ArrayRef<uint8_t> Bytes;
};

Expected<std::vector<CodeSection>> readCode(const ElfFile &Elf) {
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  std::vector<CodeSection> Code;
  for (const ElfSection &Header : *Headers) {
    if (Header.sh_type != ELF::SHT_PROGBITS ||
        !(Header.sh_flags & ELF::SHF_EXECINSTR) ||
        !(Header.sh_flags & ELF::SHF_ALLOC))
      continue;
    Expected<ArrayRef<uint8_t>> Bytes = Elf.getSectionContents(Header);
    if (!Bytes)
      return Bytes.takeError();
    uint64_t End = Header.sh_addr + Bytes->size();
    if (End < Header.sh_addr)
      return createStringError("a section of code wraps around the address "
                               "space");
    Code.push_back({{{Header.sh_addr}, {End}}, *Bytes});
  }
  sort(Code, [](const CodeSection &A, const CodeSection &B) {
    return A.Range < B.Range;
  });
  return Code;
}

Error addSymbols(const ElfFile &Elf, std::vector<Start> &Starts) {
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  const ElfSection *Table = nullptr;
  for (const ElfSection &Header : *Headers)
    if (Header.sh_type == ELF::SHT_SYMTAB ||
        (Header.sh_type == ELF::SHT_DYNSYM && !Table))
      Table = &Header;
  if (!Table)
    return Error::success();
  auto Symbols = Elf.symbols(Table);
  if (!Symbols)
    return Symbols.takeError();
  Expected<StringRef> Strings = Elf.getStringTableForSymtab(*Table);
  if (!Strings)
    return Strings.takeError();
  for (const ELF64LE::Sym &S : *Symbols)
    if ((S.getType() == ELF::STT_FUNC || S.getType() == ELF::STT_GNU_IFUNC) &&
        S.st_shndx != ELF::SHN_UNDEF && S.st_name < Strings->size())
      Starts.push_back({S.st_value, S.st_size, Strings->data() + S.st_name});
  return Error::success();
}

/// The search table of .eh_frame_hdr, in the one form that linkers write:
/// pairs of 32-bit distances from the section's start.
Error addUnwindTable(const ElfFile &Elf, std::vector<Start> &Starts) {
  using namespace dwarf;
  auto Headers = Elf.program_headers();
  if (!Headers)
    return Headers.takeError();
  for (const ELF64LE::Phdr &Header : *Headers) {
    if (Header.p_type != ELF::PT_GNU_EH_FRAME)
      continue;
    Expected<ArrayRef<uint8_t>> Bytes = Elf.getSegmentContents(Header);
    if (!Bytes)
      return Bytes.takeError();
    constexpr size_t TableAt = 12, EntrySize = 8;
    const uint8_t *P = Bytes->data();
    if (Bytes->size() < TableAt || P[0] != 1 ||
        P[1] != (DW_EH_PE_pcrel | DW_EH_PE_sdata4) || P[2] != DW_EH_PE_udata4 ||
        P[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4))
      continue;
    uint64_t Count = read32le(P + 8);
    Count = std::min<uint64_t>(Count, (Bytes->size() - TableAt) / EntrySize);
    Starts.reserve(Count);
    for (uint64_t I = 0; I != Count; ++I)
      Starts.push_back(
          {Header.p_vaddr + int32_t(read32le(P + TableAt + I * EntrySize)), 0,
           ""});
  }
  return Error::success();
}

} // namespace

Expected<CodeFunctions> readCodeFunctions(const ElfFile &Elf) {
  Expected<std::vector<CodeSection>> Code = readCode(Elf);
  if (!Code)
    return Code.takeError();
  std::vector<Start> Starts;
  if (Error E = addSymbols(Elf, Starts))
    return std::move(E);
  // An unwinding entry inside a symbol says nothing new: that one goes. One at
  // a symbol's start sorts behind it, because it has no size.
  auto ByAddress = [](const Start &A, const Start &B) {
    return std::tuple(A.Address, B.Size) < std::tuple(B.Address, A.Size);
  };
  stable_sort(Starts, ByAddress);
  uint64_t Covered = 0;
  size_t Symbols = 0;
  std::vector<Start> Unwind;
  if (Error E = addUnwindTable(Elf, Unwind))
    return std::move(E);
  stable_sort(Unwind, ByAddress);
  erase_if(Unwind, [&](const Start &U) {
    for (; Symbols != Starts.size() && Starts[Symbols].Address <= U.Address;
         ++Symbols) {
      const Start &S = Starts[Symbols];
      // A symbol without a size still names its start.
      Covered = std::max(Covered, S.Address + std::max<uint64_t>(S.Size, 1));
    }
    return U.Address < Covered;
  });
  size_t Named = Starts.size();
  append_range(Starts, Unwind);
  Unwind = {};
  std::inplace_merge(Starts.begin(), Starts.begin() + Named, Starts.end(),
                     ByAddress);
  Starts.erase(llvm::unique(Starts,
                            [](const Start &A, const Start &B) {
                              return A.Address == B.Address;
                            }),
               Starts.end());

  CodeFunctions Result;
  Result.Functions.reserve(Starts.size());
  for (auto [I, S] : enumerate(Starts)) {
    auto In = partition_point(*Code, [&](const CodeSection &C) {
      return C.Range.End.Value <= S.Address;
    });
    if (In == Code->end() || !In->Range.contains({S.Address})) {
      ++Result.Counts.Stray;
      continue;
    }
    uint64_t Most = In->Range.End.Value - S.Address;
    if (I + 1 != Starts.size())
      Most = std::min(Most, Starts[I + 1].Address - S.Address);
    uint64_t Size = S.Size ? std::min(S.Size, Most) : Most;
    if (Size < S.Size)
      ++Result.Counts.Overlapping;
    // Offsets in a function have 32 bits; no compiler makes a longer one.
    Size = std::min<uint64_t>(Size, UINT32_MAX);
    Result.Functions.push_back(
        {{{S.Address}, {S.Address + Size}},
         S.Name,
         In->Bytes.slice(S.Address - In->Range.Begin.Value, Size)});
  }
  return Result;
}

} // namespace linesman::input
