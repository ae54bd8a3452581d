// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where functions begin and end.
//
//  1. FUNC symbols of .symtab, or else of .dynsym. Of several at one address
//     the longest stays, of those the first.
//  2. What .eh_frame has and no symbol covers: a stripped binary still says
//     where its functions are and how long, because unwinding needs it. Code
//     that was built without is nobody's: it is counted, and not read.
//  3. A function ends where it says, at the latest where the next one begins.
//  4. What compilers cut off as hardly ever executed is cold.

#include "CodeMap.h"
#include "linesman/Layout/RadixOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace llvm::object;
using namespace linesman::layout;
using support::endian::read32le;

namespace linesman::input {

namespace {

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
    Expected<StringRef> Name = Elf.getSectionName(Header);
    if (!Name)
      return Name.takeError();
    Code.push_back(
        {{{Header.sh_addr}, {End}}, *Bytes, Name->starts_with(".plt")});
  }
  sort(Code, [](const CodeSection &A, const CodeSection &B) {
    return A.Range < B.Range;
  });
  return Code;
}

struct UnwindEntry {
  uint64_t Begin = 0;
  /// In bytes; 0 where it is not known.
  uint32_t Size = 0;
  /// The stack is in use when it begins: it is entered in the middle of what it
  /// is a part of.
  bool IsPart = false;

  friend bool operator<(const UnwindEntry &A, const UnwindEntry &B) {
    return A.Begin < B.Begin;
  }
};

/// The bytes that are loaded from \p Address to the end of its segment; empty
/// where nothing of the file is loaded there.
ArrayRef<uint8_t> loadedFrom(const ElfFile &Elf,
                             ArrayRef<ELF64LE::Phdr> Headers,
                             uint64_t Address) {
  for (const ELF64LE::Phdr &Header : Headers) {
    if (Header.p_type != ELF::PT_LOAD || Address < Header.p_vaddr ||
        Address - Header.p_vaddr >= Header.p_filesz)
      continue;
    Expected<ArrayRef<uint8_t>> Bytes = Elf.getSegmentContents(Header);
    if (Bytes)
      return Bytes->drop_front(Address - Header.p_vaddr);
    consumeError(Bytes.takeError());
  }
  return {};
}

/// Whether the instructions of an entry say where the stack is before they say
/// where the next instruction is. Behind its begin and size stand the number of
/// bytes of what the language wants, and those bytes.
bool beginsInside(ArrayRef<uint8_t> Entry) {
  using namespace dwarf;
  constexpr uint8_t MostBytes = 127, Operand = 0x3f;
  if (Entry.empty() || Entry[0] > MostBytes || Entry.size() < Entry[0] + 2u)
    return false;
  uint8_t First = Entry[Entry[0] + 1];
  return First == DW_CFA_def_cfa_offset || First == DW_CFA_def_cfa ||
         First == DW_CFA_def_cfa_expression ||
         (First & ~Operand) == DW_CFA_offset;
}

/// The search table of .eh_frame_hdr, in the one form that linkers write:
/// pairs of 32-bit distances from the section's start, to a function and to its
/// entry in .eh_frame.
Error readUnwindTable(const ElfFile &Elf, std::vector<UnwindEntry> &Found) {
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
    constexpr size_t FrameAt = 4, TableAt = 12, EntrySize = 8;
    const uint8_t *P = Bytes->data();
    if (Bytes->size() < TableAt || P[0] != 1 ||
        P[1] != (DW_EH_PE_pcrel | DW_EH_PE_sdata4) || P[2] != DW_EH_PE_udata4 ||
        P[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4))
      continue;
    uint64_t Frames = Header.p_vaddr + FrameAt + int32_t(read32le(P + FrameAt));
    ArrayRef<uint8_t> Frame = loadedFrom(Elf, *Headers, Frames);
    uint64_t Count = read32le(P + 8);
    Count = std::min<uint64_t>(Count, (Bytes->size() - TableAt) / EntrySize);
    Found.reserve(Count);
    for (uint64_t I = 0; I != Count; ++I) {
      const uint8_t *Pair = P + TableAt + I * EntrySize;
      UnwindEntry Is{Header.p_vaddr + int32_t(read32le(Pair)), 0};
      // Length, distance of the common part, begin and size, of 32 bits each
      // in the one form that compilers write: it is, if the begin is the same.
      constexpr uint64_t BeginAt = 8, SizeAt = 12, End = 16;
      uint64_t Entry = Header.p_vaddr + int32_t(read32le(Pair + 4));
      uint64_t Address = Entry - Frames;
      if (Entry >= Frames && Address < Frame.size() &&
          Frame.size() - Address >= End &&
          Entry + BeginAt + int32_t(read32le(&Frame[Address + BeginAt])) ==
              Is.Begin) {
        Is.Size = read32le(&Frame[Address + SizeAt]);
        Is.IsPart = beginsInside(Frame.drop_front(Address + End));
      }
      Found.push_back(Is);
    }
  }
  return Error::success();
}

/// Where the parts are that compilers cut off as what is hardly ever executed.
/// Linkers put them first, with the functions of that kind, which unwinding
/// does not tell from others: those between parts are cold, too.
std::vector<AddressRange> findCold(ArrayRef<UnwindEntry> Unwind,
                                   ArrayRef<CodeSection> Code) {
  std::vector<AddressRange> Cold;
  for (const CodeSection &Around : Code) {
    auto RangeOf = [&](const UnwindEntry &U) {
      uint64_t Most = Around.Range.End.Value - U.Begin;
      return AddressRange{{U.Begin},
                          {U.Begin + std::min<uint64_t>(U.Size, Most)}};
    };
    Unwind = Unwind.drop_while([&](const UnwindEntry &U) {
      return U.Begin < Around.Range.Begin.Value;
    });
    auto All = Unwind.take_while(
        [&](const UnwindEntry &U) { return U.Begin < Around.Range.End.Value; });
    Unwind = Unwind.drop_front(All.size());
    // The PLT is one entry, which says that something is on the stack.
    if (All.size() < 2)
      continue;
    while (!All.empty() && !All.back().IsPart)
      All = All.drop_back();
    auto Parts =
        make_filter_range(All, [](const UnwindEntry &U) { return U.IsPart; });
    // Elsewhere linkers have left each beside what it is a part of.
    bool IsTogether =
        !All.empty() &&
        2 * size_t(std::distance(Parts.begin(), Parts.end())) >= All.size();
    if (IsTogether)
      Cold.push_back({Around.Range.Begin, RangeOf(All.back()).End});
    else
      append_range(Cold, map_range(Parts, RangeOf));
  }
  return Cold;
}

/// One instruction or byte, again and again.
bool isFilled(ArrayRef<uint8_t> Bytes) {
  constexpr size_t Longest = 4;
  return Bytes.size() > Longest &&
         Bytes.drop_front(Longest) == Bytes.drop_back(Longest);
}

} // namespace

Error CodeFunctions::addSymbols(const ElfFile &Elf, uint32_t Bit) {
  Expected<const ElfSection *> Chosen = findSymbols(Elf, ELF::SHT_SYMTAB);
  if (!Chosen)
    return Chosen.takeError();
  const ElfSection *Table = *Chosen;
  if (!Table)
    return Error::success();
  auto Symbols = Elf.symbols(Table);
  if (!Symbols)
    return Symbols.takeError();
  Expected<StringRef> Found = Elf.getStringTableForSymtab(*Table);
  if (!Found)
    return Found.takeError();
  (Bit ? MiniStrings : Strings) = *Found;
  auto IsWanted = [&](const ELF64LE::Sym &S) {
    return (S.getType() == ELF::STT_FUNC ||
            S.getType() == ELF::STT_GNU_IFUNC) &&
           S.st_shndx != ELF::SHN_UNDEF &&
           S.st_name < std::min<uint64_t>(Found->size(), MiniBit);
  };
  ReadPages Pages(*File);
  auto IsCounted = [&](const ELF64LE::Sym &S) {
    Pages.count(sizeof(S));
    return IsWanted(S);
  };
  Entries.reserve(Entries.size() + count_if(*Symbols, IsCounted));
  for (const ELF64LE::Sym &S : *Symbols)
    if (IsCounted(S))
      Entries.push_back({S.st_value,
                         // Offsets in a function have 32 bits; no compiler
                         // makes a longer one.
                         uint32_t(std::min<uint64_t>(S.st_size, UINT32_MAX)),
                         S.st_name ? S.st_name | Bit : 0});
  return Error::success();
}

/// Gives each function its end, and drops those that are nowhere.
void CodeFunctions::place() {
  size_t Kept = 0;
  auto Around = Code.begin();
  for (size_t I = 0; I != Entries.size(); ++I) {
    Entry E = Entries[I];
    while (Around != Code.end() && Around->Range.End.Value <= E.Address)
      ++Around;
    if (Around == Code.end() || !Around->Range.contains({E.Address})) {
      ++Counts.Stray;
      continue;
    }
    uint64_t Most = Around->Range.End.Value - E.Address;
    if (I + 1 != Entries.size())
      Most = std::min(Most, Entries[I + 1].Address - E.Address);
    uint64_t Size = E.Size ? std::min<uint64_t>(E.Size, Most) : Most;
    if (Size < E.Size)
      ++Counts.Overlapping;
    E.Size = std::min<uint64_t>(Size, UINT32_MAX);
    Entries[Kept++] = E;
  }
  Entries.resize(Kept);
  countNobodys();
}

/// Between two functions there is padding, too, and before the first one are
/// those of the start-up objects, some 200 bytes that nothing describes.
void CodeFunctions::countNobodys() {
  constexpr uint64_t MostPadding = 256;
  auto Next = Entries.begin();
  for (const CodeSection &Around : Code) {
    Counts.Bytes += Around.Range.size();
    uint64_t Address = Around.Range.Begin.Value;
    auto Skip = [&](uint64_t Target) {
      if (!Around.IsLinkers && Target - Address > MostPadding &&
          !isFilled(Around.Bytes.slice(Address - Around.Range.Begin.Value,
                                       Target - Address)))
        Counts.Nobodys += Target - Address;
    };
    for (; Next != Entries.end() && Around.Range.contains({Next->Address});
         ++Next) {
      Skip(Next->Address);
      Address = Next->Address + Next->Size;
    }
    Skip(Around.Range.End.Value);
  }
}

ArrayRef<uint8_t> CodeFunctions::codeFrom(uint64_t Address) const {
  auto Around = partition_point(
      Code, [&](const CodeSection &C) { return C.Range.End.Value <= Address; });
  if (Around == Code.end() || !Around->Range.contains({Address}))
    return {};
  return Around->Bytes.drop_front(Address - Around->Range.Begin.Value);
}

bool CodeFunctions::mayHaveNamesWith(StringRef Part) const {
  constexpr size_t SampleSize = 1024, PieceSize = 1 << 20;
  ReadPages Pages(*File);
  for (StringRef Names : {Strings, MiniStrings}) {
    // Finds the letter that is rarest in the first names: memmem takes ten
    // times as long, and StringRef::contains longer.
    StringRef Sample = Names.take_front(SampleSize);
    const char *Rarest = llvm::min_element(Part, [&](char A, char B) {
      return Sample.count(A) < Sample.count(B);
    });
    const size_t Distance = Rarest - Part.begin();
    for (size_t Begin = 0; Begin < Names.size(); Begin += PieceSize) {
      StringRef Piece = Names.substr(Begin, PieceSize);
      for (size_t I = Piece.find(*Rarest); I != StringRef::npos;
           I = Piece.find(*Rarest, I + 1))
        if (Begin + I >= Distance &&
            Names.substr(Begin + I - Distance).starts_with(Part))
          return true;
      Pages.count(Piece.size());
    }
  }
  return false;
}

StringRef CodeFunctions::nameOf(size_t I) const {
  const Entry &E = Entries[I];
  if (!E.Name && Main == E.Address)
    return "main";
  if (E.Name & MiniBit)
    return StringRef(MiniStrings.data() + (E.Name & ~MiniBit));
  return E.Name ? StringRef(Strings.data() + E.Name) : "";
}

CodeFunction CodeFunctions::unnamed(size_t I) const {
  const Entry &E = Entries[I];
  return {{{E.Address}, {E.Address + E.Size}},
          "",
          codeFrom(E.Address).take_front(E.Size),
          isCold(E.Address)};
}

CodeFunction CodeFunctions::operator[](size_t I) const {
  CodeFunction Function = unnamed(I);
  Function.Name = nameOf(I);
  return Function;
}

bool CodeFunctions::isCold(uint64_t Address) const {
  auto Around = partition_point(
      Cold, [&](AddressRange R) { return R.End.Value <= Address; });
  return Around != Cold.end() && Around->contains({Address});
}

std::optional<size_t> CodeFunctions::find(uint64_t Address) const {
  // Most numbers that are asked for are no address of code.
  if (Entries.empty() || Address < Entries.front().Address ||
      Address > Entries.back().Address)
    return std::nullopt;
  auto It = partition_point(
      Entries, [&](const Entry &E) { return E.Address < Address; });
  if (It == Entries.end() || It->Address != Address)
    return std::nullopt;
  return It - Entries.begin();
}

Expected<CodeFunctions> readCodeFunctions(const ElfFile &Elf,
                                          const ElfFile &SymbolFile,
                                          const ElfFile *Mini,
                                          const MemoryBuffer &File) {
  CodeFunctions Result;
  Result.File = &File;
  Expected<std::vector<CodeSection>> Code = readCode(Elf);
  if (!Code)
    return Code.takeError();
  Result.Code = std::move(*Code);
  if (Error E = Result.addSymbols(SymbolFile, 0))
    return std::move(E);
  if (Mini)
    if (Error E = Result.addSymbols(*Mini, CodeFunctions::MiniBit))
      return std::move(E);
  using Entry = CodeFunctions::Entry;
  std::vector<Entry> &Entries = Result.Entries;
  layout::arrange(Entries, layout::orderByKey(Entries.size(), [&](uint32_t I) {
                    return Entries[I].Address;
                  }));
  size_t Kept = 0;
  for (const Entry &E : Entries)
    if (!Kept || Entries[Kept - 1].Address != E.Address)
      Entries[Kept++] = E;
    else if (Entries[Kept - 1].Size < E.Size)
      Entries[Kept - 1] = E;
  Entries.resize(Kept);

  std::vector<UnwindEntry> Unwind;
  if (Error E = readUnwindTable(Elf, Unwind))
    return std::move(E);
  if (!llvm::is_sorted(Unwind))
    llvm::sort(Unwind);
  Result.Cold = findCold(Unwind, Result.Code);
  // An unwinding entry inside a symbol says nothing new: that one goes.
  uint64_t Covered = 0;
  size_t Symbols = 0;
  erase_if(Unwind, [&](UnwindEntry U) {
    for (; Symbols != Entries.size() && Entries[Symbols].Address <= U.Begin;
         ++Symbols) {
      const Entry &S = Entries[Symbols];
      // A symbol without a size still names its start.
      Covered = std::max(Covered, S.Address + std::max(S.Size, 1u));
    }
    return U.Begin < Covered;
  });
  Unwind.erase(
      llvm::unique(Unwind, [](UnwindEntry A,
                              UnwindEntry B) { return A.Begin == B.Begin; }),
      Unwind.end());
  if (!Unwind.empty()) {
    size_t Named = Entries.size();
    Entries.reserve(Named + Unwind.size());
    for (UnwindEntry U : Unwind)
      Entries.push_back({U.Begin, U.Size, 0});
    Unwind = {};
    std::inplace_merge(
        Entries.begin(), Entries.begin() + Named, Entries.end(),
        [](const Entry &A, const Entry &B) { return A.Address < B.Address; });
  }
  assert(std::adjacent_find(Entries.begin(), Entries.end(),
                            [](const Entry &A, const Entry &B) {
                              return A.Address >= B.Address;
                            }) == Entries.end() &&
         "by address, one for each address");
  Result.place();
  return Result;
}

} // namespace linesman::input
