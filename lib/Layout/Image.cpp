// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the image: sort the symbols, sweep each section once, and put an
// occupant into every gap.

#include "linesman/Layout/Image.h"
#include "linesman/Layout/RadixOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <limits>

using namespace llvm;

namespace linesman::layout {

namespace {

/// Sections that the linker fills: their bytes have an owner, but no symbol.
bool isLinkerSection(StringRef Name) {
  return is_contained({".got", ".got.plt", ".plt.got", ".dynamic", ".igot.plt",
                       ".init_array", ".fini_array", ".preinit_array", ".ctors",
                       ".dtors", ".tm_clone_table", ".relro_padding"},
                      Name);
}

class Builder {
public:
  Builder(ArrayRef<Section> Sections, ArrayRef<Symbol> Symbols,
          std::vector<Occupant> &Occupants)
      : Sections(Sections), Symbols(Symbols), Occupants(Occupants) {}

  /// Adds the occupants of one section; \p Next is its first symbol.
  void addSection(uint16_t Index, uint32_t &Next) {
    const Section &S = Sections[Index];
    LinkAddress Covered = S.Range.Begin;
    bool IsAfterAnonymous = false;
    for (; Next < Symbols.size() && Symbols[Next].Section == Index; ++Next) {
      AddressRange Range = intersect(Symbols[Next].range(), S.Range);
      if (!Range.size() || Range.End <= Covered)
        continue; // outside the section, or an alias
      bool IsAnonymous = Symbols[Next].Origin == SymbolOrigin::Anonymous;
      if (Covered < Range.Begin)
        addGap(S, {Covered, Range.Begin}, IsAnonymous || IsAfterAnonymous);
      IsAfterAnonymous = IsAnonymous;
      LinkAddress Begin = std::max(Covered, Range.Begin);
      Occupants.push_back({Begin, Next, OccupantKind::Object});
      Covered = Range.End;
    }
    if (Covered < S.Range.End)
      addGap(S, {Covered, S.Range.End}, IsAfterAnonymous);
  }

private:
  ArrayRef<Section> Sections;
  ArrayRef<Symbol> Symbols;
  std::vector<Occupant> &Occupants;

  void addGap(const Section &S, AddressRange Gap, bool IsBesideAnonymous) {
    Occupants.push_back({Gap.Begin, 0, classify(S, Gap, IsBesideAnonymous)});
  }

  OccupantKind classify(const Section &S, AddressRange Gap,
                        bool IsBesideAnonymous) const {
    if (isLinkerSection(S.Name))
      return OccupantKind::Linker;
    if (IsBesideAnonymous || S.Between == Gaps::Unaccessed)
      return OccupantKind::NoSymbol;
    // A hole is what the alignment of the next object can explain: smaller
    // than that alignment, which is not above the section's, and never written
    // by the compiler. A section starts aligned, with its first object.
    bool AtBegin = Gap.Begin == S.Range.Begin, AtEnd = Gap.End == S.Range.End;
    uint64_t Explained =
        std::min(S.Alignment, uint64_t(1) << countr_zero(Gap.End.Value));
    bool IsExplained = !AtBegin && Gap.size() < Explained && isZero(S, Gap);
    if (!IsExplained && S.Between != Gaps::Padding)
      return OccupantKind::NoSymbol;
    return AtEnd ? OccupantKind::Padding : OccupantKind::Hole;
  }

  static bool isZero(const Section &S, AddressRange Gap) {
    StringRef Bytes = S.Contents.substr(Gap.Begin - S.Range.Begin, Gap.size());
    return Bytes.find_first_not_of('\0') == StringRef::npos;
  }
};

bool comesBefore(const Symbol &A, const Symbol &B) {
  if (A.Section != B.Section)
    return A.Section < B.Section;
  if (A.Address != B.Address)
    return A.Address < B.Address;
  if (A.Size != B.Size)
    return A.Size > B.Size;
  if (A.Binding != B.Binding)
    return A.Binding < B.Binding;
  return A.name() < B.name();
}

/// Sections are in address order, and so are their symbols unless sections
/// overlap: sort by address alone, then what is at one address.
void sortSymbols(std::vector<Symbol> &Symbols) {
  arrange(Symbols, orderByKey(Symbols.size(), [&](uint32_t I) {
            return Symbols[I].Address.Value;
          }));
  for (auto It = Symbols.begin(); It != Symbols.end();) {
    auto End = std::find_if(It, Symbols.end(), [&](const Symbol &S) {
      return S.Address != It->Address;
    });
    if (End - It > 1)
      std::sort(It, End, comesBefore);
    It = End;
  }
  if (!llvm::is_sorted(Symbols, comesBefore))
    llvm::sort(Symbols, comesBefore);
}

/// The occupants of a section begin with it, and each reaches to the next one.
[[maybe_unused]] bool isCoveredOnce(const Image &Program) {
  for (auto [Index, S] : enumerate(Program.sections())) {
    ArrayRef<Occupant> Inside = Program.occupantsOf(Index);
    bool HasBytes = S.Range.Begin < S.Range.End;
    if (HasBytes == Inside.empty())
      return false;
    if (HasBytes && (Inside.front().Address != S.Range.Begin ||
                     Inside.back().Address >= S.Range.End))
      return false;
    for (size_t I = 1; I < Inside.size(); ++I)
      if (Inside[I].Address <= Inside[I - 1].Address)
        return false;
  }
  return true;
}

} // namespace

Image buildImage(ImageDescription Description) {
  assert(Description.Sections.size() < std::numeric_limits<uint16_t>::max());
  assert(llvm::is_sorted(Description.Sections,
                         [](const Section &A, const Section &B) {
                           return A.Range.Begin < B.Range.Begin;
                         }) &&
         "sections come by address");
  Image Result;
  Result.Sections = std::move(Description.Sections);
  Result.Symbols = std::move(Description.Symbols);
  Result.Files = std::move(Description.Files);
  sortSymbols(Result.Symbols);

  // Each symbol and a gap after it: memory that is not used costs nothing,
  // growing copies.
  Result.Occupants.reserve(2 * Result.Symbols.size() + Result.Sections.size());
  Builder Build(Result.Sections, Result.Symbols, Result.Occupants);
  uint32_t NextSymbol = 0;
  for (uint16_t I = 0, E = Result.Sections.size(); I != E; ++I) {
    Result.FirstOccupant.push_back(Result.Occupants.size());
    Build.addSection(I, NextSymbol);
  }
  Result.FirstOccupant.push_back(Result.Occupants.size());
  assert(NextSymbol == Result.Symbols.size() &&
         "every symbol is in one of the sections");
  assert(isCoveredOnce(Result) && "every byte has exactly one occupant");
  return Result;
}

ImageDescription Image::describe() && {
  return {std::move(Sections), std::move(Symbols), std::move(Files)};
}

Image nameUnowned(Image Program, ArrayRef<AddressRange> Unowned,
                  BumpPtrAllocator &Names) {
  ImageDescription Description = std::move(Program).describe();
  for (AddressRange Range : Unowned) {
    auto Around = find_if(Description.Sections, [&](const Section &S) {
      return S.Kind == SectionKind::Data && S.Range.contains(Range.Begin);
    });
    if (Around == Description.Sections.end())
      continue;
    std::string Name = (Around->Name + "+0x" +
                        utohexstr(Range.Begin - Around->Range.Begin,
                                  /*LowerCase=*/true))
                           .str();
    Symbol S;
    S.NameData = StringRef(Name.c_str(), Name.size() + 1).copy(Names).data();
    S.Address = Range.Begin;
    S.Size = Range.size();
    S.Section = Around - Description.Sections.begin();
    S.Binding = SymbolBinding::Local;
    S.Origin = SymbolOrigin::Anonymous;
    Description.Symbols.push_back(S);
  }
  return buildImage(std::move(Description));
}

ArrayRef<Occupant> Image::occupantsOf(uint16_t Section) const {
  return ArrayRef(Occupants).slice(FirstOccupant[Section],
                                   FirstOccupant[Section + 1] -
                                       FirstOccupant[Section]);
}

const Section &Image::sectionOf(OccupantIndex Occupant) const {
  // Empty sections have no occupants: the last section that starts at or
  // before the occupant is its own.
  auto It = upper_bound(FirstOccupant, Occupant);
  return Sections[std::distance(FirstOccupant.begin(), It) - 1];
}

AddressRange Image::range(OccupantIndex Occupant) const {
  const layout::Section &S = sectionOf(Occupant);
  bool IsLast = Occupant + 1 == Occupants.size() ||
                Occupant + 1 == FirstOccupant[&S - Sections.data() + 1];
  return {Occupants[Occupant].Address,
          IsLast ? S.Range.End : Occupants[Occupant + 1].Address};
}

const Symbol &Image::symbol(OccupantIndex Occupant) const {
  assert(Occupants[Occupant].Kind == OccupantKind::Object);
  return Symbols[Occupants[Occupant].Symbol];
}

std::vector<const Symbol *> Image::aliases(OccupantIndex Occupant) const {
  const Symbol &Owner = symbol(Occupant);
  std::vector<const Symbol *> Result;
  for (const Symbol &S :
       ArrayRef(Symbols).drop_front(Occupants[Occupant].Symbol + 1)) {
    if (S.Section != Owner.Section || S.Address >= Owner.range().End)
      break;
    // One that reaches beyond the owner is another object, and may stand
    // between two aliases.
    if (S.range().End <= Owner.range().End)
      Result.push_back(&S);
  }
  return Result;
}

OccupantIndex Image::occupantIn(uint16_t Section, LinkAddress Address,
                                OccupantIndex Hint) const {
  constexpr size_t Ahead = 8;
  auto IsBehind = [&](const Occupant &O) { return Address < O.Address; };
  const OccupantIndex First = FirstOccupant[Section];
  ArrayRef<Occupant> Inside = occupantsOf(Section);
  if (size_t Skipped = Hint - First;
      Hint >= First && Skipped < Inside.size() && !IsBehind(Inside[Skipped])) {
    ArrayRef<Occupant> Next = Inside.drop_front(Skipped + 1);
    auto Found = find_if(Next.take_front(Ahead), IsBehind);
    if (Found == Next.end() || IsBehind(*Found))
      return First + (Found - Inside.begin()) - 1;
  }
  auto Found =
      partition_point(Inside, [&](const Occupant &O) { return !IsBehind(O); });
  return First + (Found - Inside.begin()) - 1;
}

std::optional<OccupantIndex> Image::occupantAt(LinkAddress Address,
                                               OccupantIndex Hint) const {
  // Of the Data sections, which do not overlap, only the last one that begins
  // at or before the address can have it.
  auto Later = partition_point(
      Sections, [&](const Section &S) { return S.Range.Begin <= Address; });
  auto Found = std::find_if(
      std::make_reverse_iterator(Later), Sections.rend(), [](const Section &S) {
        return S.Kind == SectionKind::Data && S.Range.size() != 0;
      });
  if (Found == Sections.rend() || !Found->Range.contains(Address))
    return std::nullopt;
  return occupantIn(&*Found - Sections.data(), Address, Hint);
}

std::string Image::label(OccupantIndex Occupant) const {
  switch (Occupants[Occupant].Kind) {
  case OccupantKind::Object:
    return symbol(Occupant).name().str();
  case OccupantKind::Linker:
    return (Twine("[") + sectionOf(Occupant).Name + "]").str();
  case OccupantKind::Hole:
    return "[hole]";
  case OccupantKind::Padding:
    return "[padding]";
  case OccupantKind::NoSymbol:
    return sectionOf(Occupant).Between == Gaps::Unaccessed ? "[no known access]"
                                                           : "[no symbol]";
  }
  llvm_unreachable("unknown occupant kind");
}

} // namespace linesman::layout
