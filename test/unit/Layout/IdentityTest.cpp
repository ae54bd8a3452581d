// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that survive a new build, and comparisons by them.

#include "linesman/Layout/Identity.h"
#include "Literals.h"
#include "linesman/Layout/LineMates.h"
#include "linesman/Layout/RadixOrder.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <array>
#include <numeric>
#include <random>

using namespace llvm;
using namespace linesman;
using namespace linesman::layout;

namespace {

TEST(StemOf, DropsWhatCompilersAppend) {
  EXPECT_EQ(stemOf("counter"), "counter");
  EXPECT_EQ(stemOf("counter.2"), "counter");
  EXPECT_EQ(stemOf("counter.llvm.4711"), "counter");
  EXPECT_EQ(stemOf("counter.lto_priv.0"), "counter");
  EXPECT_EQ(stemOf("counter.constprop.1"), "counter");
  EXPECT_EQ(stemOf("counter.2.llvm.4711"), "counter");
  // Words of the program.
  EXPECT_EQ(stemOf("counter.part"), "counter.part");
  EXPECT_EQ(stemOf("f.counter"), "f.counter");
  EXPECT_EQ(stemOf("f.counter.7"), "f.counter");
  // Not to nothing.
  EXPECT_EQ(stemOf(".7"), ".7");
  EXPECT_EQ(stemOf(".llvm.7"), ".llvm");
  EXPECT_EQ(stemOf(""), "");
}

/// Two units with statics of one name, and a global.
Image twoUnits() {
  return buildImage({{data(".bss", 0, 0x1000)},
                     {local("counter", 0x10, 1), local("counter.1", 0x20, 1),
                      local("counter", 0x30, 2), object("total", 0x40, 8)},
                     {"", "a.c", "b.c"}});
}

TEST(Identity, HashOfAUnitIsDropped) {
  EXPECT_EQ(dropUnitHash("counter.llvm.4711"), "counter");
  EXPECT_EQ(dropUnitHash("counter.2.llvm.4711"), "counter.2");
  EXPECT_EQ(dropUnitHash("counter.llvm.part"), "counter.llvm.part");
  EXPECT_EQ(dropUnitHash("counter.llvm."), "counter.llvm.");
  EXPECT_EQ(dropUnitHash(".llvm.7"), ".llvm.7");
  EXPECT_EQ(dropUnitHash("counter.3"), "counter.3");
}

TEST(Identities, FindWhatTheyName) {
  Image Program = twoUnits();
  Identities Names(Program);
  EXPECT_EQ(Names.of(0), (Identity{"counter", "a.c", 0}));
  EXPECT_EQ(Names.of(1), (Identity{"counter.1", "a.c", 1}));
  EXPECT_EQ(Names.of(2), (Identity{"counter", "b.c", 0}));
  EXPECT_EQ(Names.of(3), (Identity{"total", "", 0}));
  for (uint32_t I = 0; I != 4; ++I)
    EXPECT_EQ(Names.find(Names.of(I)), I);
}

TEST(Identities, FindWhatWasRenamed) {
  Image Program = twoUnits();
  Identities Names(Program);
  // By stem, file and ordinal.
  EXPECT_EQ(Names.find({"counter.llvm.7", "a.c", 1}), 1u);
  EXPECT_EQ(Names.find({"counter.lto_priv.0", "b.c", 0}), 2u);
  // The only one of its stem, wherever it is now.
  EXPECT_EQ(Names.find({"total.llvm.7", "c.c", 3}), 3u);
  EXPECT_EQ(Names.find({"counter.llvm.7", "c.c", 0}), std::nullopt);
  EXPECT_EQ(Names.find({"counter.llvm.7", "a.c", 2}), std::nullopt);
  EXPECT_EQ(Names.find({"nobody", "", 0}), std::nullopt);
}

TEST(Identities, UnitOfTheLinkerIsNoFile) {
  Image Program = buildImage({{data(".bss", 0, 0x1000)},
                              {local("counter", 0x10, 1), local("two", 0x20, 1),
                               local("two.1", 0x30, 1), local("own", 0x40, 2),
                               local("counter", 0x50, 2)},
                              {"", "ld-temp.o", "a.c"}});
  Identities Names(Program);
  EXPECT_EQ(Names.of(0), (Identity{"counter", "", 0}));
  // Of a build whose units are apart, the only one without a file; and back.
  EXPECT_EQ(Names.translate({"counter", "b.c", 0}), Names.of(0));
  EXPECT_EQ(Names.translate({"own", "", 0}), Names.of(3));
  EXPECT_EQ(Names.translate({"own", "ld-temp.o", 0}), Names.of(3));
  // Which of two it is nobody knows, and another file's is another one.
  EXPECT_EQ(Names.translate({"two", "b.c", 0}), (Identity{"two", "b.c", 0}));
  EXPECT_EQ(Names.translate({"own", "b.c", 0}), (Identity{"own", "b.c", 0}));
}

LineMates matesOf(const Scene &Source) {
  AccessTable Table = Source.table();
  return findLineMates(Source.image(), LineMap(Source.image(), {64}), Table);
}

std::vector<std::string> names(ArrayRef<Identity> These) {
  std::vector<std::string> Names;
  for (const Identity &Is : These)
    Names.push_back(Is.Symbol);
  return Names;
}

TEST(LineMates, ThoseOfBothEndsOfWhatHasFacts) {
  Scene S({object("a", 0x40, 8), object("b", 0x48, 8), object("long", 0x78, 80),
           object("c", 0xf0, 8), object("far", 0x100, 8)});
  LineMates Mates = matesOf(S.fact(0x40, {reads(1)})
                                .fact(0x78, {writes(1)})
                                .fact(0x100, {writes(1)}));
  ASSERT_EQ(Mates.Objects.size(), 3u);
  EXPECT_EQ(Mates.Line.Bytes, 64u);
  EXPECT_EQ(Mates.Objects[0].Object.Symbol, "a");
  EXPECT_EQ(Mates.Objects[0].Usage, Use::Read);
  EXPECT_EQ(names(Mates.Objects[0].Mates),
            (std::vector<std::string>{"b", "long"}));
  EXPECT_EQ(Mates.Objects[1].Object.Symbol, "far");
  EXPECT_TRUE(Mates.Objects[1].Mates.empty());
  EXPECT_EQ(Mates.Objects[2].Usage, Use::Written);
  EXPECT_EQ(names(Mates.Objects[2].Mates),
            (std::vector<std::string>{"a", "b", "c"}));
}

TEST(LineMates, WithoutWhatNoSymbolNames) {
  Symbol Nameless = object(".bss+0x48", 0x48, 8);
  Nameless.Origin = SymbolOrigin::Anonymous;
  Scene S({object("a", 0x40, 8), Nameless, object("b", 0x50, 8)});
  LineMates Mates = matesOf(S.fact(0x40, {writes(1)}).fact(0x48, {writes(1)}));
  ASSERT_EQ(Mates.Objects.size(), 1u);
  EXPECT_EQ(Mates.Objects[0].Object.Symbol, "a");
  ASSERT_EQ(Mates.Objects[0].Mates.size(), 1u);
  EXPECT_EQ(Mates.Objects[0].Mates[0].Symbol, "b");
}

TEST(LineMates, ComparedByWhatStays) {
  auto lockOf = [](std::vector<MatesOf> Objects) {
    return LineMates{{64}, std::move(Objects)};
  };
  LineMates Old = lockOf({{{"a.1", "x.c", 0}, Use::Read, {{"b", "", 0}}},
                          {{"gone", "", 0}, Use::Written, {{"b", "", 0}}}});
  // Another name for the same, and an object that is new.
  EXPECT_TRUE(
      compareLineMates(
          Old, lockOf({{{"a.llvm.9", "x.c", 0}, Use::Read, {{"b.2", "", 0}}},
                       {{"new", "", 0}, Use::Written, {{"b", "", 0}}}}))
          .empty());
  auto Changes = compareLineMates(
      Old, lockOf({{{"a.1", "x.c", 0}, Use::Written, {{"c", "", 0}}}}));
  ASSERT_EQ(Changes.size(), 1u);
  EXPECT_EQ(Changes[0].Usage, Use::Written);
  EXPECT_EQ(names(Changes[0].Gained), std::vector<std::string>{"c"});
  EXPECT_EQ(names(Changes[0].Lost), std::vector<std::string>{"b"});
  // The other file's is somebody else.
  EXPECT_TRUE(
      compareLineMates(Old, lockOf({{{"a.1", "y.c", 0}, Use::Read, {}}}))
          .empty());
}

LineFinding findingOf(StringRef Id, double Points) {
  LineFinding F;
  F.Id = Id.str();
  F.Points.True = Points;
  return F;
}

TEST(CompareFindings, ByIdAndByMoreThanAHundredth) {
  auto Nameless = [](uint32_t) { return std::string(); };
  // Lines of one object count together.
  auto Changes = compareFindings(
      {findingOf("same", 100), findingOf("went", 1), findingOf("two", 1),
       findingOf("two", 2), findingOf("worse", 100)},
      Nameless,
      {findingOf("same", 100.9), findingOf("two", 3), findingOf("worse", 102),
       findingOf("came", 1)},
      Nameless);
  ASSERT_EQ(Changes.size(), 3u);
  EXPECT_EQ(Changes[0].Id, "came");
  EXPECT_EQ(Changes[0].OldScore, 0);
  EXPECT_EQ(Changes[1].Id, "went");
  EXPECT_EQ(Changes[1].NewScore, 0);
  EXPECT_EQ(Changes[2].Id, "worse");
  EXPECT_EQ(Changes[2].NewScore, 102);
}

TEST(CompareFindings, OneLineUnderTwoHeads) {
  AccessedObject Touched[3];
  for (uint32_t Symbol : {0, 1, 2})
    Touched[Symbol].Symbol = Symbol;
  auto lineOf = [&](StringRef Id, double Points, uint32_t Head,
                    std::vector<uint32_t> Symbols) {
    LineFinding F = findingOf(Id, Points);
    F.Head = Head;
    for (uint32_t Symbol : Symbols) {
      LineOccupant &O = F.Occupants.emplace_back();
      O.Object = &Touched[Symbol];
      O.Writes = 1;
    }
    return F;
  };
  auto Name = [](uint32_t Symbol) {
    return std::string(1, char('a' + Symbol));
  };
  LineFinding Two = lineOf("a", 1, 0, {0, 1}),
              Three = lineOf("b", 2, 1, {0, 1, 2});
  auto Changes = compareFindings({Two}, Name, {Three}, Name);
  ASSERT_EQ(Changes.size(), 1u);
  EXPECT_EQ(Changes[0].Id, "b");
  EXPECT_EQ(Changes[0].OldId, "a");
  EXPECT_EQ(Changes[0].OldScore, 1);
  EXPECT_EQ(Changes[0].NewScore, 2);
  Changes = compareFindings({Three}, Name, {Two}, Name);
  ASSERT_EQ(Changes.size(), 1u);
  EXPECT_EQ(Changes[0].Id, "a");
  EXPECT_EQ(Changes[0].OldId, "b");
}

TEST(OrderByKey, IsAStableSort) {
  std::mt19937_64 Random(42);
  for (unsigned Round = 0; Round != 200; ++Round) {
    std::vector<uint64_t> Keys(Random() % 300);
    // Few digits that differ, as addresses have, not the lowest ones, or all.
    uint64_t Mask = std::array{~uint64_t(0), uint64_t(0xff00ff),
                               uint64_t(0xff00f0)}[Round % 3];
    for (uint64_t &Key : Keys)
      Key = Random() & Mask;
    std::vector<uint32_t> Expected(Keys.size());
    std::iota(Expected.begin(), Expected.end(), 0);
    stable_sort(Expected,
                [&](uint32_t A, uint32_t B) { return Keys[A] < Keys[B]; });
    std::vector<uint32_t> Order =
        orderByKey(Keys.size(), [&](uint32_t I) { return Keys[I]; });
    EXPECT_EQ(Order, Expected);
    arrange(Keys, Order);
    EXPECT_TRUE(is_sorted(Keys));
  }
}

TEST(OrderByKey, OrdersWhatDescends) {
  const uint64_t Keys[] = {0x5000, 0x4000, 0x1000};
  EXPECT_EQ(orderByKey(3, [&](uint32_t I) { return Keys[I]; }),
            (std::vector<uint32_t>{2, 1, 0}));
}

TEST(Arrange, PutsEachItemToItsPlace) {
  std::mt19937_64 Random(42);
  // Blocks have 4096 items.
  for (uint32_t Count : {0, 1, 2, 4095, 4096, 4097, 30000}) {
    std::vector<uint32_t> Order(Count);
    std::iota(Order.begin(), Order.end(), 0);
    std::shuffle(Order.begin(), Order.end(), Random);
    // Each item is where it was.
    std::vector<uint32_t> Items(Count);
    std::iota(Items.begin(), Items.end(), 0);
    arrange(Items, Order);
    EXPECT_EQ(Items, Order);
    putInPlaces(Items, Order);
    EXPECT_TRUE(is_sorted(Items));
  }
}

} // namespace
