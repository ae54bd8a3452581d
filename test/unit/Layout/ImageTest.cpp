// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image's invariant, every byte of every section has exactly one occupant,
// against an oracle that paints bytes; and what each query answers.

#include "linesman/Layout/Image.h"
#include "Literals.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace linesman::layout;

namespace {

using Strings = std::vector<std::string>;

std::vector<std::string> labels(const Image &Program) {
  std::vector<std::string> Result;
  for (OccupantIndex I = 0; I != Program.occupants().size(); ++I)
    Result.push_back(Program.label(I) + " " +
                     std::to_string(Program.range(I).size()));
  return Result;
}

TEST(Image, FillsTheRoomBetweenObjects) {
  Image Program = buildImage({{data(".bss", 0x40, 0x100)},
                              {object("a", 0x40, 8), object("b", 0x50, 0x50)}});
  EXPECT_EQ(labels(Program),
            Strings({"a 8", "[hole] 8", "b 80", "[no symbol] 96"}));
}

TEST(Image, HoleIsNoLargerThanTheNextObjectsAlignmentExplains) {
  // 0x48 is aligned to 8: only up to 7 bytes before it are a hole.
  Image Program = buildImage({{data(".bss", 0x40, 0x50)},
                              {object("a", 0x40, 1), object("b", 0x48, 8)}});
  EXPECT_EQ(labels(Program), Strings({"a 1", "[hole] 7", "b 8"}));
  Program = buildImage({{data(".bss", 0x3f, 0x50)},
                        {object("a", 0x3f, 1), object("b", 0x48, 8)}});
  EXPECT_EQ(labels(Program), Strings({"a 1", "[no symbol] 8", "b 8"}));
}

TEST(Image, HoleIsNoLargerThanTheSectionsAlignmentExplains) {
  // 0x100 is aligned to 256, but nothing in the section asks for more than 64.
  Image Program =
      buildImage({{data(".bss", 0x40, 0x108)},
                  {object("a", 0x40, 0x80), object("b", 0x100, 8)}});
  EXPECT_EQ(labels(Program), Strings({"a 128", "[no symbol] 64", "b 8"}));
  Program = buildImage({{data(".bss", 0x40, 0x108)},
                        {object("a", 0x40, 0x81), object("b", 0x100, 8)}});
  EXPECT_EQ(labels(Program), Strings({"a 129", "[hole] 63", "b 8"}));
}

TEST(Image, BytesBeforeTheFirstObjectAreNoHole) {
  Image Program =
      buildImage({{data(".bss", 0x40, 0x58)}, {object("a", 0x50, 8)}});
  EXPECT_EQ(labels(Program), Strings({"[no symbol] 16", "a 8"}));
}

TEST(Image, HoleWithContentsIsNoHole) {
  Section S = data(".data", 0x40, 0x50);
  S.Contents = StringRef("aaaaaaaa\0\0\1\0bbbb", 16);
  Image Program =
      buildImage({{S}, {object("a", 0x40, 8), object("b", 0x4c, 4)}});
  EXPECT_EQ(labels(Program), Strings({"a 8", "[no symbol] 4", "b 4"}));
}

TEST(Image, RoomAtTheEndIsPadding) {
  Image Program =
      buildImage({{data(".bss", 0x40, 0x80)}, {object("a", 0x40, 8)}});
  EXPECT_EQ(labels(Program), Strings({"a 8", "[padding] 56"}));
}

TEST(Image, LinkerSectionsOwnTheirBytes) {
  Image Program = buildImage({{data(".got.plt", 0x40, 0x60)}, {}});
  EXPECT_EQ(labels(Program), Strings({"[.got.plt] 32"}));
}

TEST(Image, MoreGlobalNameOwnsTheObject) {
  Symbol Weak = object("weak", 0, 8), Local = object("local", 0, 8),
         Global = object("global", 0, 8);
  Weak.Binding = SymbolBinding::Weak;
  Local.Binding = SymbolBinding::Local;
  Image Program = buildImage({{data(".bss", 0, 8)}, {Local, Weak, Global}});
  EXPECT_EQ(labels(Program), Strings({"global 8"}));
  std::vector<const Symbol *> Aliases = Program.aliases(0);
  ASSERT_EQ(Aliases.size(), 2u);
  EXPECT_EQ(Aliases[0]->name(), "weak");
  EXPECT_EQ(Aliases[1]->name(), "local");
}

TEST(Image, AliasBehindAPartialOverlapIsFound) {
  // "across" begins inside "whole" and ends outside: it is no alias, and must
  // not hide "part", which comes after it.
  Image Program =
      buildImage({{data(".bss", 0, 0x20)},
                  {object("whole", 0, 0x10), object("across", 4, 0x1c),
                   object("part", 8, 4)}});
  EXPECT_EQ(labels(Program), Strings({"whole 16", "across 16"}));
  std::vector<const Symbol *> Aliases = Program.aliases(0);
  ASSERT_EQ(Aliases.size(), 1u);
  EXPECT_EQ(Aliases[0]->name(), "part");
}

TEST(Image, SymbolsOutsideTheirSectionOwnNothing) {
  Image Program =
      buildImage({{data(".bss", 0x40, 0x60)},
                  {object("before", 0x20, 0x20), object("into", 0x30, 0x18),
                   object("beyond", 0x58, 0x20), object("after", 0x70, 8)}});
  EXPECT_EQ(labels(Program), Strings({"into 8", "[no symbol] 16", "beyond 8"}));
}

TEST(Image, SymbolWithoutBytesOwnsNothing) {
  Image Program = buildImage(
      {{data(".bss", 0, 0x10)}, {object("mark", 4, 0), object("a", 8, 8)}});
  EXPECT_EQ(labels(Program), Strings({"[no symbol] 8", "a 8"}));
}

TEST(Image, BytesOfAnObjectAreNoSymbols) {
  auto between = [](Gaps Known) {
    Section Object = data("Type", 0x40, 0x70);
    Object.Between = Known;
    return labels(buildImage(
        {{Object}, {object("hits", 0x48, 8), object("limit", 0x60, 8)}}));
  };
  EXPECT_EQ(between(Gaps::Unaccessed),
            Strings({"[no known access] 8", "hits 8", "[no known access] 16",
                     "limit 8", "[no known access] 8"}));
  // No alignment of an address explains so much, but all members are known.
  EXPECT_EQ(between(Gaps::Padding), Strings({"[hole] 8", "hits 8", "[hole] 16",
                                             "limit 8", "[padding] 8"}));
}

TEST(Image, EmptySectionsHaveNoOccupants) {
  Image Program = buildImage(
      {{data(".a", 0x10, 0x10), data(".b", 0x10, 0x18), data(".c", 0x18, 0x18),
        data(".d", 0x18, 0x20), data(".e", 0x20, 0x20)},
       {object("b", 0x10, 8, 1), object("d", 0x18, 8, 3)}});
  EXPECT_TRUE(Program.occupantsOf(0).empty());
  EXPECT_TRUE(Program.occupantsOf(2).empty());
  EXPECT_TRUE(Program.occupantsOf(4).empty());
  ASSERT_EQ(Program.occupants().size(), 2u);
  EXPECT_EQ(Program.sectionOf(0).Name, ".b");
  EXPECT_EQ(Program.sectionOf(1).Name, ".d");
  EXPECT_EQ(Program.range(1).size(), 8u);
}

TEST(Image, OccupantAtAnswersForDataSectionsOnly) {
  // As in a file: .tbss has an address, and takes no room there.
  Image Program = buildImage(
      {{data(".data.rel.ro", 0x20, 0x30, SectionKind::Relro),
        data(".tbss", 0x30, 0x70, SectionKind::Tls), data(".data", 0x30, 0x40)},
       {object("table", 0x20, 8, 0), object("a", 0x30, 8, 2)}});
  EXPECT_EQ(Program.occupantAt({0x20}), std::nullopt);
  ASSERT_TRUE(Program.occupantAt({0x30}));
  EXPECT_EQ(Program.label(*Program.occupantAt({0x30})), "a");
  EXPECT_EQ(Program.occupantAt({0x40}), std::nullopt);
}

/// Random sections and symbols: aliases, nesting, partial overlaps, symbols in
/// part or wholly outside of their section, empty sections, TLS sections over
/// others.
ImageDescription randomDescription(std::mt19937 &Random) {
  auto Up = [&](uint64_t Most) { return Random() % (Most + 1); };
  static const SectionKind Kinds[] = {SectionKind::Data, SectionKind::Data,
                                      SectionKind::Relro};
  ImageDescription D;
  uint64_t Address = 0x100 + Up(100);
  for (unsigned I = 0, E = 1 + Up(4); I != E; ++I) {
    Section S =
        data(".s", Address, Address + (Up(3) ? Up(300) : 0), Kinds[Up(2)]);
    D.Sections.push_back(S);
    if (Up(3) == 0)
      D.Sections.push_back(data(".tbss", S.Range.End.Value,
                                S.Range.End.Value + Up(200), SectionKind::Tls));
    Address = S.Range.End.Value + (Up(1) ? Up(100) : 0);
  }
  static const char *Names[] = {"a", "b", "c", "d", "e"};
  for (unsigned I = 0, E = Up(25); I != E; ++I) {
    Symbol S;
    if (!D.Symbols.empty() && Up(3) == 0) {
      S = D.Symbols[Up(D.Symbols.size() - 1)]; // another name of it
      S.Size += Up(2) ? 0 : Up(20);
    } else {
      S.Section = Up(D.Sections.size() - 1);
      AddressRange Around = D.Sections[S.Section].Range;
      S.Address = {Around.Begin.Value - 20 + Up(Around.size() + 40)};
      S.Size = Up(60);
    }
    S.NameData = Names[Up(4)];
    S.Binding = SymbolBinding(Up(2));
    D.Symbols.push_back(S);
  }
  return D;
}

/// Which of two symbols owns a byte that both have.
bool ownsBefore(const Symbol &A, const Symbol &B) {
  if (A.Address != B.Address)
    return A.Address < B.Address;
  if (A.Size != B.Size)
    return A.Size > B.Size;
  if (A.Binding != B.Binding)
    return A.Binding < B.Binding;
  return A.name() < B.name();
}

/// The owner of one byte, by looking at every symbol. An owner keeps its bytes
/// up to its end, so who starts first wins.
const Symbol *ownerByHand(const ImageDescription &D, uint16_t Section,
                          LinkAddress Byte) {
  const Symbol *Owner = nullptr;
  for (const Symbol &S : D.Symbols)
    if (S.Section == Section && S.range().contains(Byte) &&
        (!Owner || ownsBefore(S, *Owner)))
      Owner = &S;
  return Owner;
}

TEST(Image, EveryByteHasOneOccupantAsTheOracleSays) {
  std::mt19937 Random(20240601);
  for (unsigned Round = 0; Round != 2000; ++Round) {
    ImageDescription D = randomDescription(Random);
    Image Program = buildImage(D);
    SCOPED_TRACE(Round);
    OccupantIndex Next = 0;
    for (auto [Index, S] : enumerate(D.Sections)) {
      ASSERT_EQ(Program.firstOccupantOf(Index), Next);
      LinkAddress Byte = S.Range.Begin;
      for (size_t I = 0; I != Program.occupantsOf(Index).size(); ++I, ++Next) {
        AddressRange Range = Program.range(Next);
        ASSERT_EQ(Range.Begin, Byte) << "a byte with none, or with two";
        ASSERT_NE(Range.size(), 0u);
        ASSERT_EQ(&Program.sectionOf(Next), &Program.sections()[Index]);
        bool IsObject = Program.occupants()[Next].Kind == OccupantKind::Object;
        for (; Byte < Range.End; Byte = Byte + 1) {
          const Symbol *Owner = ownerByHand(D, Index, Byte);
          ASSERT_EQ(IsObject, Owner != nullptr);
          if (Owner) {
            EXPECT_EQ(Program.symbol(Next).name(), Owner->name());
            EXPECT_EQ(Program.symbol(Next).Address, Owner->Address);
            EXPECT_EQ(Program.symbol(Next).Size, Owner->Size);
          }
          if (S.Kind == SectionKind::Data) {
            ASSERT_EQ(Program.occupantAt(Byte), Next);
          }
        }
      }
      ASSERT_EQ(Byte, S.Range.End);
    }
    ASSERT_EQ(Next, Program.occupants().size());
  }
}

TEST(Image, AliasesAreTheSymbolsInsideAsTheOracleSays) {
  std::mt19937 Random(7);
  for (unsigned Round = 0; Round != 500; ++Round) {
    Image Program = buildImage(randomDescription(Random));
    for (OccupantIndex I = 0; I != Program.occupants().size(); ++I) {
      if (Program.occupants()[I].Kind != OccupantKind::Object)
        continue;
      const Symbol &Owner = Program.symbol(I);
      std::vector<const Symbol *> Expected;
      for (const Symbol &S : Program.symbols())
        if (&S > &Owner && S.Section == Owner.Section &&
            S.Address < Owner.range().End && S.range().End <= Owner.range().End)
          Expected.push_back(&S);
      EXPECT_EQ(Program.aliases(I), Expected);
    }
  }
}

} // namespace
