// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which cure a line gets: layout where layout is the cause, the source where
// the bytes are the same.

#include "Literals.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::layout;

namespace {

using Symbols = std::vector<uint32_t>;

Remedy cureOf(const Scene &S) { return Found(S).Findings.at(0).Cure; }

Scene three() {
  return Scene(
      {object("a", 0x40, 16), object("b", 0x50, 16), object("c", 0x60, 16)});
}

TEST(Remedy, PlainStoresOfTheSameBytesAreGuarded) {
  Remedy Cure = cureOf(three().fact(0x40, {at(3, writes(3))}));
  EXPECT_EQ(Cure.Kind, RemedyKind::Guard);
  EXPECT_TRUE(StringRef(Cure.Text).contains("padding will not help"));
  EXPECT_TRUE(Cure.Symbols.empty());
}

TEST(Remedy, ReaderOnAnotherLineOfSourceIsNoCounter) {
  Remedy Cure = cureOf(three().fact(0x40, {at(3, writes(3)), at(4, reads(3))}));
  EXPECT_EQ(Cure.Kind, RemedyKind::Guard);
}

TEST(Remedy, CountersWantACopyForEachThread) {
  EXPECT_EQ(cureOf(three().fact(0x40, {atomics(3)})).Kind,
            RemedyKind::PerThread);
  Remedy Cure = cureOf(three().fact(0x40, {at(3, writes(3)), at(3, reads(3))}));
  EXPECT_EQ(Cure.Kind, RemedyKind::PerThread);
  EXPECT_TRUE(StringRef(Cure.Text).contains("padding will not help"));
}

TEST(Remedy, CountersOfAnElementThatIsNotKnownAreCounters) {
  auto textFor = [](std::vector<linesman::facts::Access> Accesses) {
    Scene S({object("one", 0x40, 8), object("two", 0x48, 8)});
    S.fact(0x40, Accesses).fact(0x48, {reads(9)});
    return cureOf(S).Text;
  };
  // The read is of the same line of source, or of another one.
  EXPECT_TRUE(StringRef(textFor({at(3, writes(9, Somewhere, 8)),
                                 at(3, reads(9, Somewhere, 8))}))
                  .contains("Give each thread its own copy"));
  EXPECT_TRUE(StringRef(textFor({at(3, writes(9, Somewhere, 8)),
                                 at(4, reads(9, Somewhere, 8))}))
                  .contains("test before the store"));
  // Other bytes are read than are written.
  EXPECT_TRUE(StringRef(textFor({at(3, writes(9, Somewhere, 8)),
                                 at(3, reads(9, Somewhere, 4))}))
                  .contains("test before the store"));
}

TEST(Remedy, OneWriterAmongReadersIsIsolated) {
  Remedy Cure = cureOf(three()
                           .fact(0x40, {writes(1)})
                           .fact(0x50, {reads(9)})
                           .fact(0x60, {reads(9)}));
  EXPECT_EQ(Cure.Kind, RemedyKind::Isolate);
  EXPECT_EQ(Cure.Symbols, Symbols({0u}));
}

TEST(Remedy, SeveralWritersAmongReadersAreGrouped) {
  Remedy Cure = cureOf(three()
                           .fact(0x40, {writes(9)})
                           .fact(0x50, {reads(9)})
                           .fact(0x60, {atomics(9)}));
  EXPECT_EQ(Cure.Kind, RemedyKind::Group);
  EXPECT_EQ(Cure.Symbols, Symbols({0u, 2u}));
}

TEST(Remedy, WritersWithoutReadersAreParted) {
  Remedy Cure =
      cureOf(three().fact(0x40, {writes(9)}).fact(0x60, {writes(10)}));
  EXPECT_EQ(Cure.Kind, RemedyKind::Isolate);
  EXPECT_EQ(Cure.Symbols, Symbols({2u}));
}

TEST(Remedy, AConstantThatIsThereAlreadyIsNotStored) {
  auto stores = [](double Weight, uint64_t Constant) {
    linesman::facts::Access A = writes(Weight);
    A.Stored = Constant;
    return A;
  };
  auto cureFor = [](std::vector<linesman::facts::Access> Accesses) {
    return cureOf(three().fact(0x40, Accesses).fact(0x50, {reads(9)}));
  };
  Remedy Cure = cureFor({stores(9, 4)});
  EXPECT_EQ(Cure.Kind, RemedyKind::Guard);
  EXPECT_EQ(Cure.Symbols, Symbols({0u}));
  EXPECT_TRUE(StringRef(Cure.Text).starts_with(
      "every store writes the same constant, 0x4"));
  EXPECT_TRUE(StringRef(Cure.Text).contains("Otherwise, give it lines"));
  // What is stored seldom makes few of them change something.
  for (auto Seldom : {stores(1, 5), writes(1), writes(1, Somewhere, 1)})
    EXPECT_TRUE(StringRef(cureFor({stores(19, 4), Seldom}).Text)
                    .starts_with("nearly every store writes the same"));
  for (auto Often : {stores(9, 5), writes(9), writes(9, Somewhere, 1)})
    EXPECT_EQ(cureFor({stores(19, 4), Often}).Kind, RemedyKind::Isolate);
}

TEST(Remedy, MixedSharingSaysWhatLayoutLeaves) {
  Scene S = three().fact(0x40, {writes(3)}).fact(0x50, {reads(3)});
  EXPECT_EQ(Found(S).Findings.at(0).Kind, SharingKind::Mixed);
  EXPECT_TRUE(StringRef(cureOf(S).Text).contains("which no layout cures"));
}

TEST(Remedy, FalseSharingSaysNothingOfTheSameBytes) {
  std::vector<Symbol> Symbols = {object("a", 0x40, 8)};
  for (unsigned I = 0; I != 20; ++I)
    Symbols.push_back(object("r", 0x48 + I, 1));
  Scene S(Symbols);
  S.fact(0x40, {writes(1)});
  for (unsigned I = 0; I != 20; ++I)
    S.fact(0x48 + I, {reads(1, 0, 1)});
  EXPECT_EQ(Found(S).Findings.at(0).Kind, SharingKind::False);
  EXPECT_FALSE(StringRef(cureOf(S).Text).contains("which no layout cures"));
}

TEST(Remedy, PartsOfOneObjectNeedTheSource) {
  Scene S({object("array", 0x40, 64)});
  EXPECT_EQ(cureOf(S.fact(0x40, {writes(8, Somewhere, 8)})).Kind,
            RemedyKind::AlignAs);
}

TEST(Remedy, WhichElementIsNotKnownIsSaid) {
  // One element of 24 bytes has its field on the line.
  linesman::facts::Access Count = writes(8, Somewhere, 8);
  Count.Stride = 24;
  auto cureFor = [](linesman::facts::Access A) {
    return cureOf(Scene({object("one", 0x40, 24)}).fact(0x40, {A}));
  };
  Remedy Cure = cureFor(Count);
  EXPECT_EQ(Cure.Kind, RemedyKind::AlignAs);
  EXPECT_TRUE(StringRef(Cure.Text).starts_with("which element"));
  EXPECT_EQ(cureFor(writes(8)).Kind, RemedyKind::Guard);
}

TEST(Remedy, OnesOwnElementThatOthersReadIsStoredLessOften) {
  linesman::facts::Access Own = writes(8, Somewhere, 8);
  Own.Stride = 64;
  Own.IsByThread = true;
  Scene S({object("slots", 0x40, 256)});
  Remedy Cure = cureOf(S.fact(0x40, {Own, reads(9)}));
  EXPECT_EQ(Cure.Kind, RemedyKind::PerThread);
  EXPECT_TRUE(StringRef(Cure.Text).starts_with("each thread writes"));
}

TEST(Remedy, ElementsAreApartByTheLineNotByWhatIsKnownOfTheObject) {
  // Of an object without a symbol, no more than an element may be known.
  auto isSaid = [](uint64_t Stride) {
    linesman::facts::Access Count = writes(8, Somewhere, 4);
    Count.Stride = Stride;
    std::string Text =
        cureOf(Scene({object("counts", 0x44, 4)}).fact(0x44, {Count})).Text;
    EXPECT_NE(StringRef(Text).contains("whole lines apart"),
              StringRef(Text).contains("which element a thread uses"));
    return StringRef(Text).contains("whole lines apart");
  };
  EXPECT_TRUE(isSaid(64));
  EXPECT_TRUE(isSaid(128));
  EXPECT_FALSE(isSaid(4));
  EXPECT_FALSE(isSaid(8));
}

TEST(Remedy, WhatRunsAtStartSaysNothingOfCounting) {
  // A counter at start, and a plain store later.
  Scene S = three();
  S.fact(0x40, {at(3, writes(9)), at(3, reads(9))}, 0x200000, "main");
  S.fact(0x40, {at(7, writes(1))});
  EXPECT_EQ(cureOf(S).Kind, RemedyKind::Guard);
}

TEST(Remedy, PartsThatOthersReadGoToALineOfTheirOwn) {
  Remedy Cure = cureOf(Scene({object("log", 0x40, 16)})
                           .fact(0x40, {atomics(9, 8), reads(5, 0)}));
  EXPECT_EQ(Cure.Kind, RemedyKind::PerThread);
  EXPECT_TRUE(StringRef(Cure.Text).contains("a line of its own"));
  EXPECT_TRUE(StringRef(Cure.Text).contains("which no layout cures"));
  // Where nobody does, there is nothing to move.
  EXPECT_FALSE(
      StringRef(
          cureOf(Scene({object("log", 0x40, 16)}).fact(0x40, {atomics(9, 8)}))
              .Text)
          .contains("a line of its own"));
}

TEST(Remedy, WhatALockProtectsGoesWithIt) {
  auto textOf = [](uint64_t Lock) {
    linesman::facts::Access Count = writes(9);
    Count.HeldLock = Lock;
    return cureOf(three().fact(0x40, {Count})).Text;
  };
  EXPECT_TRUE(StringRef(textOf(0x300)).contains("while a lock is held"));
  EXPECT_FALSE(StringRef(textOf(0)).contains("while a lock is held"));
}

TEST(Remedy, WhatACallChangesAsAWholeIsNoCounter) {
  auto textOf = [](uint64_t Bytes) {
    return cureOf(Scene({object("done", 0x40, 48)})
                      .fact(0x40, {atomics(9, 0, Bytes)}))
        .Text;
  };
  EXPECT_TRUE(StringRef(textOf(48)).contains("wake each other by"));
  EXPECT_TRUE(StringRef(textOf(16)).contains("its own copy"));
}

TEST(Remedy, WhatIsHeldIsALock) {
  linesman::facts::Access Behind = reads(1);
  Behind.HeldLock = 0x50;
  Remedy Cure = cureOf(three().fact(0x40, {Behind}).fact(0x50, {atomics(9)}));
  EXPECT_TRUE(StringRef(Cure.Text).contains_insensitive("it is a lock"));
}

} // namespace
