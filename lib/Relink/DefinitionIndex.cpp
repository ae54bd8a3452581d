// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbol tables, read once and no more of them than needed. Two names of one
// hash of 64 bits would at worst be checked against each other's sizes; of what
// is in doubt the names themselves decide (Verify.cpp).

#include "DefinitionIndex.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/xxhash.h"
#include <bitset>
#include <numeric>
#include <thread>

using namespace llvm;
using namespace llvm::object;
using linesman::layout::AddressRange;

namespace linesman::relink {

namespace {

/// A local symbol is known by its file too.
uint64_t keyOf(uint64_t NameHash, uint32_t FileHash) {
  return NameHash ^ (uint64_t(FileHash) << 17);
}

uint32_t hashOfFile(StringRef File) {
  return File.empty() ? 0 : uint32_t(xxh3_64bits(File)) | 1;
}

/// Sizes count; sections decide whether it is data of ours.
bool isData(const Elf::Sym &S) {
  switch (S.getType()) {
  case ELF::STT_OBJECT:
  case ELF::STT_TLS:
  case ELF::STT_COMMON:
  case ELF::STT_NOTYPE:
    return S.st_size;
  default:
    return false;
  }
}

/// A file's symbols with what belongs to them.
struct Table {
  Elf::ShdrRange Sections;
  Elf::SymRange Symbols;
  StringRef Strings;
  ArrayRef<Elf::Word> Extended;

  StringRef nameOf(const Elf::Sym &S) const {
    // The table ends in a zero (checked by LLVM).
    return S.st_name < Strings.size() ? StringRef(Strings.data() + S.st_name)
                                      : StringRef();
  }
  /// The file that the local symbol at \p Position belongs to. Local symbols
  /// come first.
  uint32_t fileBefore(size_t Position) const {
    if (Position == Symbols.size() ||
        Symbols[Position].getBinding() != ELF::STB_LOCAL)
      return 0;
    auto Before = make_range(Symbols.rend() - Position, Symbols.rend());
    auto File = find_if(
        Before, [](const Elf::Sym &S) { return S.getType() == ELF::STT_FILE; });
    return File == Before.end() ? 0 : hashOfFile(nameOf(*File));
  }
  /// Null for what has none.
  const Elf::Shdr *sectionOf(const Elf::Sym &S) const {
    uint32_t Index = S.st_shndx;
    size_t Position = &S - Symbols.begin();
    if (Index == ELF::SHN_XINDEX && Position < Extended.size())
      Index = Extended[Position];
    else if (Index >= ELF::SHN_LORESERVE)
      return nullptr;
    return Index && Index < Sections.size() ? &Sections[Index] : nullptr;
  }
};

Expected<Table> readTable(StringRef Bytes) {
  Expected<ELFFile<Elf>> File = ELFFile<Elf>::create(Bytes);
  if (!File)
    return File.takeError();
  auto Sections = File->sections();
  if (!Sections)
    return Sections.takeError();
  Table Result;
  Result.Sections = *Sections;
  // It is among the last, and large objects have many sections.
  auto Symtab = find_if(reverse(*Sections), [](const Elf::Shdr &S) {
    return S.sh_type == ELF::SHT_SYMTAB;
  });
  if (Symtab == Sections->rend())
    return Result;
  auto Symbols = File->symbols(&*Symtab);
  if (!Symbols)
    return Symbols.takeError();
  Expected<StringRef> Strings = File->getStringTableForSymtab(*Symtab);
  if (!Strings)
    return Strings.takeError();
  Result.Symbols = *Symbols;
  Result.Strings = *Strings;
  if (Sections->size() >= ELF::SHN_LORESERVE)
    for (const Elf::Shdr &S : *Sections)
      if (S.sh_type == ELF::SHT_SYMTAB_SHNDX) {
        auto Indices = File->getSectionContentsAsArray<Elf::Word>(S);
        if (!Indices)
          return Indices.takeError();
        Result.Extended = *Indices;
      }
  return Result;
}

size_t countData(StringRef Bytes) {
  Expected<Table> Rows = readTable(Bytes);
  if (Rows)
    return count_if(Rows->Symbols, isData);
  consumeError(Rows.takeError());
  return 0;
}

/// Fills \p Indexed, which has as many places as there are data symbols. Those
/// of read-only data and what is malformed stay empty.
void indexObject(StringRef Bytes, MutableArrayRef<IndexedDefinition> Indexed) {
  if (Indexed.empty())
    return;
  Table Rows = cantFail(readTable(Bytes)); // was counted
  uint32_t File = 0;
  IndexedDefinition *Found = Indexed.begin();
  for (const Elf::Sym &S : Rows.Symbols) {
    if (S.getType() == ELF::STT_FILE)
      File = hashOfFile(Rows.nameOf(S));
    if (!isData(S))
      continue;
    IndexedDefinition &D = *Found++;
    D = {0, 0, 0, 1};
    if (S.st_shndx == ELF::SHN_COMMON) {
      D.Place = std::max<uint64_t>(S.st_value, 1);
    } else {
      const Elf::Shdr *Section = Rows.sectionOf(S);
      if (!Section || !(Section->sh_flags & ELF::SHF_WRITE))
        continue;
      uint64_t Alignment = std::max<uint64_t>(Section->sh_addralign, 1);
      D.Place = Alignment + (S.st_value & (Alignment - 1));
    }
    D.NameHash = xxh3_64bits(Rows.nameOf(S));
    D.Size = S.st_size;
    D.FileHash = S.getBinding() == ELF::STB_LOCAL ? File : 0;
  }
}

/// Few names, many definitions: most are none of them by their lowest bits.
class NameFilter {
public:
  explicit NameFilter(ArrayRef<StringRef> Wanted)
      : Names(Wanted.begin(), Wanted.end()) {
    for (StringRef Name : Wanted)
      IsPossible.set(xxh3_64bits(Name) % IsPossible.size());
  }
  bool contains(StringRef Name) const {
    return IsPossible[xxh3_64bits(Name) % IsPossible.size()] &&
           Names.contains(Name);
  }

private:
  DenseSet<StringRef> Names;
  std::bitset<1 << 12> IsPossible;
};

bool definesAny(StringRef Bytes, const NameFilter &Names) {
  Expected<Table> Rows = readTable(Bytes);
  if (Rows)
    return any_of(Rows->Symbols, [&](const Elf::Sym &S) {
      return isData(S) && S.st_shndx != ELF::SHN_UNDEF &&
             Names.contains(Rows->nameOf(S));
    });
  consumeError(Rows.takeError());
  return false;
}

} // namespace

std::vector<size_t> objectsDefining(const LinkInputs &Inputs,
                                    ArrayRef<StringRef> Names) {
  const NameFilter Filter(Names);
  const size_t Count = Inputs.Objects.size();
  // Not bits: each core has its own.
  std::vector<char> Defines(Count);
  parallelFor(0, Count, [&](size_t I) {
    Defines[I] = definesAny(Inputs.Objects[I].Bytes, Filter);
  });
  std::vector<size_t> Result;
  for (size_t I = 0; I != Count; ++I)
    if (Defines[I])
      Result.push_back(I);
  return Result;
}

static void forEachObject(DefinitionIndex::Cores Use, size_t Count,
                          function_ref<void(size_t)> Do) {
  if (Use == DefinitionIndex::Cores::All)
    return parallelFor(0, Count, Do);
  for (size_t I = 0; I != Count; ++I)
    Do(I);
}

DefinitionIndex DefinitionIndex::build(ArrayRef<StringRef> Objects, Cores Use) {
  DefinitionIndex Index;
  size_t Count = Objects.size();
  Index.Begins.resize(Count + 1);
  forEachObject(Use, Count,
                [&](size_t I) { Index.Begins[I + 1] = countData(Objects[I]); });
  std::partial_sum(Index.Begins.begin(), Index.Begins.end(),
                   Index.Begins.begin());
  // All cores touch the new memory first, which costs more than what they
  // write.
  Index.All =
      std::make_unique_for_overwrite<IndexedDefinition[]>(Index.Begins.back());
  MutableArrayRef All(Index.All.get(), Index.Begins.back());
  forEachObject(Use, Count, [&](size_t I) {
    indexObject(Objects[I], All.slice(Index.Begins[I],
                                      Index.Begins[I + 1] - Index.Begins[I]));
  });
  Index.join();
  return Index;
}

std::future<DefinitionIndex>
DefinitionIndex::buildInBackground(std::vector<StringRef> Objects) {
  std::packaged_task<DefinitionIndex()> Build([Objects = std::move(Objects)] {
    set_thread_priority(ThreadPriority::Background);
    return build(Objects, Cores::One);
  });
  std::future<DefinitionIndex> Built = Build.get_future();
  std::thread(std::move(Build)).detach();
  return Built;
}

void DefinitionIndex::join() {
  First.resize(PowerOf2Ceil(all().size() + 1));
  Next.resize(all().size());
  for (auto [I, D] : enumerate(all())) {
    if (!D.Size)
      continue;
    uint32_t &Head = First[keyOf(D.NameHash, D.FileHash) & (First.size() - 1)];
    Next[I] = Head;
    Head = I + 1;
  }
}

/// Whether a symbol that is linked to \p Address is where \p D asks to be.
static bool agrees(const IndexedDefinition &D, uint64_t Size,
                   uint64_t Address) {
  uint64_t Alignment = bit_floor(D.Place);
  return D.Size == Size && (Address & (Alignment - 1)) == D.Place - Alignment;
}

DefinitionIndex::Comparison
DefinitionIndex::compare(uint64_t NameHash, uint32_t FileHash, uint64_t Size,
                         uint64_t Address, size_t &Guess) const {
  auto IsOf = [&](const IndexedDefinition &D, uint32_t File) {
    return D.NameHash == NameHash && D.FileHash == File;
  };
  // ld.lld and mold write symbols in the order of their inputs; a search of the
  // table costs a miss of the cache. A hidden symbol is global in its object
  // and local in the result; mold makes all that are not exported so.
  if (Guess < all().size() &&
      (IsOf(All[Guess], FileHash) || IsOf(All[Guess], 0)) &&
      agrees(All[Guess], Size, Address)) {
    ++Guess;
    return Comparison::Equal;
  }
  auto Result = Comparison::Unknown;
  for (uint32_t File : {FileHash, uint32_t(0)}) {
    uint64_t Slot = keyOf(NameHash, File) & (First.size() - 1);
    for (uint32_t Position = First[Slot]; Position;
         Position = Next[Position - 1]) {
      const IndexedDefinition &D = All[Position - 1];
      if (!IsOf(D, File))
        continue;
      Guess = Position;
      if (agrees(D, Size, Address))
        return Comparison::Equal;
      Result = Comparison::Different;
    }
    if (Result == Comparison::Different || !FileHash)
      break;
  }
  return Result;
}

Expected<LinkedScan> DefinitionIndex::scan(StringRef Linked,
                                           ArrayRef<StringRef> Wanted) const {
  Expected<Table> Rows = readTable(Linked);
  if (!Rows)
    return Rows.takeError();
  DenseSet<uint64_t> WantedHashes;
  for (StringRef Name : Wanted)
    WantedHashes.insert(xxh3_64bits(Name) >> 1);
  auto ScanPart = [&](size_t First, size_t Last, LinkedScan &Result) {
    uint32_t File = Rows->fileBefore(First);
    size_t Guess = 0;
    for (const Elf::Sym &S : Rows->Symbols.slice(First, Last - First)) {
      if (S.getType() == ELF::STT_FILE)
        File = hashOfFile(Rows->nameOf(S));
      if (!isData(S))
        continue;
      const Elf::Shdr *Section = Rows->sectionOf(S);
      if (!Section || !(Section->sh_flags & ELF::SHF_WRITE))
        continue;
      uint64_t Hash = xxh3_64bits(Rows->nameOf(S));
      if (WantedHashes.contains(Hash >> 1))
        Result.Ranges.push_back({{S.st_value}, {S.st_value + S.st_size}});
      uint32_t OfFile = S.getBinding() == ELF::STB_LOCAL ? File : 0;
      Comparison Is = compare(Hash, OfFile, S.st_size, S.st_value, Guess);
      if (Is == Comparison::Different)
        Result.Symbols = LinkedScan::Verdict::Doubtful;
    }
  };
  constexpr size_t PartSize = 1 << 14;
  std::vector<LinkedScan> Parts(divideCeil(Rows->Symbols.size(), PartSize));
  parallelFor(0, Parts.size(), [&](size_t I) {
    ScanPart(I * PartSize, std::min((I + 1) * PartSize, Rows->Symbols.size()),
             Parts[I]);
  });
  LinkedScan Result;
  for (const LinkedScan &Part : Parts) {
    append_range(Result.Ranges, Part.Ranges);
    if (Part.Symbols == LinkedScan::Verdict::Doubtful)
      Result.Symbols = Part.Symbols;
  }
  return Result;
}

} // namespace linesman::relink
