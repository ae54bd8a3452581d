// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types: merging of facts, phases against an oracle that tries every
// address byte by byte, and findings.

#include "linesman/Layout/Types.h"
#include "Literals.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <random>
#include <set>

using namespace llvm;
using namespace linesman;
using namespace linesman::layout;

namespace {

/// Lines that the bytes of a field are on, one byte at a time.
std::set<uint64_t> linesOf(uint64_t Base, uint64_t Offset, uint64_t Size,
                           uint64_t Line) {
  std::set<uint64_t> Lines;
  for (uint64_t Byte = 0; Byte != Size; ++Byte)
    Lines.insert((Base + Offset + Byte) / Line);
  return Lines;
}

bool shareALine(uint64_t Base, const TypeMember &A, const TypeMember &B,
                uint64_t Line) {
  std::set<uint64_t> OfA = linesOf(Base, A.Offset, A.Size, Line);
  return any_of(linesOf(Base, B.Offset, B.Size, Line),
                [&](uint64_t L) { return OfA.count(L) != 0; });
}

TEST(Phases, CountsAreThoseOfEveryAddress) {
  std::mt19937 Random(4711);
  auto Up = [&](uint64_t Most) { return Random() % (Most + 1); };
  for (unsigned Round = 0; Round != 20000; ++Round) {
    uint64_t Line = uint64_t(16) << Up(3);
    uint64_t Alignment = uint64_t(1) << Up(8);
    uint64_t Size = 2 + Up(300);
    TypeMember A{Up(Size - 1), 0, ""}, B{Up(Size - 1), 0, ""};
    A.Size = 1 + Up(Size - A.Offset - 1);
    B.Size = 1 + Up(Size - B.Offset - 1);
    bool IsSizeKnown = Up(3);

    uint64_t Addresses = 0, Shared = 0;
    for (uint64_t Base = 0; Base < Line; Base += Alignment) {
      ++Addresses;
      Shared += shareALine(Base, A, B, Line);
    }
    auto Found = findPhases(IsSizeKnown ? Size : 0, Alignment, Line);
    uint64_t Count = 0;
    for (const Phase &P : Found) {
      EXPECT_LT(P.Offset, Line);
      EXPECT_EQ(P.Offset % Alignment, 0u);
      Count += P.Count;
    }
    EXPECT_EQ(Count, Addresses);
    EXPECT_EQ(countShared(Found, Line, A.Offset, A.Size, B.Offset, B.Size),
              Shared)
        << "line " << Line << " alignment " << Alignment << " size " << Size;
    if (HasFailure())
      return;
  }
}

TEST(Phases, OneInEight) {
  // Two words at the begin of an object that is aligned to words.
  auto Found = findPhases(48, 8, 64);
  EXPECT_EQ(countShared(Found, 64, 8, 8, 16, 8), 7u);
  // malloc's alignment: the second never begins a line.
  EXPECT_EQ(countShared(findPhases(48, 16, 64), 64, 0, 8, 8, 8), 4u);
  EXPECT_EQ(countShared(findPhases(48, 16, 64), 64, 8, 8, 16, 8), 3u);
  // Aligned to lines there is one way only.
  EXPECT_EQ(findPhases(128, 64, 64).size(), 1u);
}

facts::TypeFact fact(StringRef Name, uint64_t Size,
                     std::vector<facts::TypeAccess> Accesses, uint64_t Unit = 0,
                     uint16_t Fingerprint = 0) {
  facts::TypeFact F;
  F.Type = {Name, Size, 8, Fingerprint};
  F.Unit = Unit;
  F.Accesses.append(Accesses.begin(), Accesses.end());
  return F;
}

facts::TypeAccess of(facts::Access A) {
  facts::TypeAccess T;
  static_cast<facts::Access &>(T) = A;
  T.IsSynchronised = A.Kind == facts::AccessKind::Atomic;
  return T;
}

facts::TypeAccess element(facts::Access A) {
  facts::TypeAccess T = of(A);
  T.IsElement = true;
  return T;
}

std::vector<std::string> names(const TypeTable &Table) {
  std::vector<std::string> Names;
  for (const AccessedType &T : Table.Types)
    Names.push_back(T.Name + " " + std::to_string(T.Size) + " " +
                    std::to_string(T.Uses.size()));
  return Names;
}

TEST(TypeTable, MergesUnitsByNameAndLayout) {
  TypeTableBuilder B;
  B.add(fact("_ZTSN2ns1SE", 0, {of(reads(1))}, 0), 0);
  B.add(fact("ns::S", 48, {of(writes(1))}, 100), 1);
  // Another copy of a function that has spoken.
  B.add(fact("ns::S", 48, {of(writes(1))}, 200), 1);
  TypeTable Table = std::move(B).finish();
  EXPECT_EQ(names(Table), std::vector<std::string>{"ns::S 48 2"});
  EXPECT_TRUE(Table.Conflicts.empty());
}

TEST(TypeTable, OtherLayoutsStayApart) {
  TypeTableBuilder B;
  B.add(fact("S", 48, {of(reads(1))}, 0), 0);
  B.add(fact("S", 56, {of(writes(1))}, 100), 1);
  B.add(fact("T", 0, {of(reads(1))}, 0, 7), 0);
  B.add(fact("T", 0, {of(writes(1))}, 100, 8), 1);
  TypeTable Table = std::move(B).finish();
  EXPECT_EQ(names(Table),
            (std::vector<std::string>{"S 48 1", "S 56 1", "T 0 1", "T 0 1"}));
  EXPECT_EQ(Table.Conflicts, (std::vector<std::string>{"S", "T"}));
}

TEST(TypeTable, AnonymousNamespacesAreOfTheirUnits) {
  TypeTableBuilder B;
  B.add(fact("_ZTSN12_GLOBAL__N_11SE", 8, {of(reads(1))}, 0), 0);
  B.add(fact("_ZTSN12_GLOBAL__N_11SE", 16, {of(reads(1))}, 100), 1);
  TypeTable Table = std::move(B).finish();
  EXPECT_EQ(Table.Types.size(), 2u);
  EXPECT_TRUE(Table.Conflicts.empty());
}

TEST(TypeTable, DiscardedFunctionsDoNotCount) {
  TypeTableBuilder B;
  B.add(fact("S", 48, {of(reads(1))}), NoNode);
  EXPECT_TRUE(std::move(B).finish().Types.empty());
}

/// A scene of types that functions at 0x1000, 0x1010, ... touch.
class Types {
public:
  Types &add(std::string Name, uint64_t Size,
             std::vector<facts::TypeAccess> Accesses) {
    NodeIndex N = Graph.Nodes.size();
    Graph.Nodes.emplace_back().Address = {0x1000 + 0x10 * N};
    Graph.Nodes.back().Name = "work";
    Builder.add(fact(Name, Size, Accesses), N);
    return *this;
  }
  Types &layOut(TypeLayout Layout) {
    Layouts.push_back(std::move(Layout));
    return *this;
  }
  std::vector<LineFinding> find(PhaseRules Rules = {}) {
    Scene.emplace(
        buildTypeScene(std::move(Builder).finish(), Layouts, Graph, Rules));
    return findTypeHazards(*Scene, LineMap(Scene->Image, {Rules.LineBytes}));
  }

private:
  CallGraph Graph;
  TypeTableBuilder Builder;
  std::vector<std::optional<TypeLayout>> Layouts;
  std::optional<TypeScene> Scene;
};

const FieldHazard &field(const LineFinding &F) {
  return std::get<FieldHazard>(F.About);
}

std::vector<std::string> ids(ArrayRef<LineFinding> Findings) {
  std::vector<std::string> Ids;
  for (const LineFinding &F : Findings)
    Ids.push_back(F.Id);
  return Ids;
}

TEST(TypeHazards, WrittenBesideRead) {
  auto Found = Types()
                   .add("Klass", 32, {of(reads(10, 8)), of(writes(4, 16))})
                   .find({64, 8});
  ASSERT_EQ(ids(Found), std::vector<std::string>{"Klass::+16"});
  EXPECT_EQ(field(Found[0]).Shared, 7u);
  EXPECT_EQ(field(Found[0]).Phases, 8u);
  EXPECT_EQ(Found[0].Reached, Rung::Suspected);
  EXPECT_EQ(Found[0].Kind, SharingKind::Mixed);
  // min(10, 4) at 7 of 8 addresses; the same bytes at all of them.
  EXPECT_DOUBLE_EQ(Found[0].Points.Between, 4 * 7.0 / 8);
  EXPECT_DOUBLE_EQ(Found[0].Points.True, 4);
  EXPECT_FALSE(field(Found[0]).IsSynchronised);
}

TEST(TypeHazards, NamesOfDebugInfo) {
  auto Found =
      Types()
          .add("Klass", 32, {of(reads(10, 8)), of(writes(4, 16))})
          .layOut({32, 8, {{8, 8, "list"}, {16, 8, "cache"}}, {}, "k.h:1"})
          .find();
  ASSERT_EQ(ids(Found), std::vector<std::string>{"Klass::cache"});
  EXPECT_EQ(field(Found[0]).Member, "cache");
  EXPECT_NE(Found[0].Cure.Text.find("move `cache` away from `list`"),
            std::string::npos);
}

TEST(TypeHazards, PaddingLeavesTrueSharingOfWhatIsSynchronised) {
  auto Padded = [](facts::TypeAccess Write) {
    return Types()
        .add("Klass", 128, {of(reads(10, 8)), of(at(7, reads(10, 64))), Write})
        .layOut({128, 64, {{8, 8, "list"}, {64, 8, "cache"}}, {}, ""})
        .find();
  };
  EXPECT_TRUE(Padded(of(writes(4, 64))).empty());
  facts::TypeAccess Store = of(writes(4, 64));
  Store.IsSynchronised = true;
  auto Found = Padded(Store);
  ASSERT_EQ(ids(Found), std::vector<std::string>{"Klass::cache"});
  EXPECT_EQ(Found[0].Kind, SharingKind::True);
  EXPECT_EQ(Found[0].Cure.Kind, RemedyKind::Guard);
}

TEST(TypeHazards, LocksOfAnArray) {
  auto Found =
      Types().add("pthread_mutex_t", 40, {element(atomics(3, 0, 16))}).find();
  ASSERT_EQ(ids(Found), std::vector<std::string>{"pthread_mutex_t[]"});
  EXPECT_TRUE(field(Found[0]).IsArray);
  EXPECT_GT(Found[0].Points.Between, 0);
  EXPECT_EQ(Found[0].Cure.Kind, RemedyKind::AlignAs);
  EXPECT_FALSE(
      StringRef(Found[0].Cure.Text).contains_insensitive("it is a lock"));
  // Who takes it, and not only updates it atomically, is known to lock.
  facts::TypeAccess Lock = element(atomics(3, 0, 16));
  Lock.IsLock = true;
  EXPECT_TRUE(
      StringRef(Types().add("pthread_mutex_t", 40, {Lock}).find()[0].Cure.Text)
          .contains_insensitive("it is a lock"));
  // As large as a line, each is on its own.
  Found = Types().add("lock", 64, {element(atomics(3, 0, 16))}).find();
  EXPECT_EQ(Found.size(), 1u);
  for (const LineFinding &F : Found)
    EXPECT_EQ(F.Kind, SharingKind::True);
}

TEST(TypeHazards, WhatIsDoneWithoutTheLockMeetsIt) {
  auto kindWith = [](bool IsUnlocked) {
    facts::TypeAccess Lock = of(atomics(3, 0, 16)), Read = of(reads(9, 16));
    Lock.IsLock = true;
    // Before it is taken, nothing is held.
    Lock.IsUnlocked = true;
    Read.IsUnlocked = IsUnlocked;
    auto Found = Types().add("S", 32, {Lock, Read}).find();
    return Found.empty() ? SharingKind::True : Found[0].Kind;
  };
  EXPECT_EQ(kindWith(false), SharingKind::True);
  EXPECT_NE(kindWith(true), SharingKind::True);
}

TEST(TypeHazards, SynchronisedTypesComeFirst) {
  auto Found = Types()
                   .add("A", 32, {of(reads(100, 8)), of(writes(100, 16))})
                   .add("B", 32, {of(reads(2, 8)), of(atomics(2, 16))})
                   .find();
  EXPECT_EQ(ids(Found), (std::vector<std::string>{"B::+16", "A::+16"}));
}

TEST(TypeHazards, WhatIsOnlyReadIsNone) {
  EXPECT_TRUE(Types()
                  .add("A", 32, {of(reads(100, 8)), of(reads(100, 16))})
                  .find()
                  .empty());
}

TEST(TypeHazards, OfALargeObjectOnlyTouchedLinesAreLookedAt) {
  uint64_t Size = uint64_t(1) << 50;
  auto Found = Types()
                   .add("Huge", Size,
                        {of(reads(10, Size - 16)), of(writes(4, Size - 8)),
                         of(writes(1, 0, Size / 2))})
                   .find({64, 8});
  EXPECT_EQ(ids(Found).front(), formatv("Huge::+{0}", Size - 8).str());
}

TEST(TypeScene, CountsWhatItHasNoRoomFor) {
  // Four phases each, and sections are numbered with 16 bits.
  constexpr unsigned Many = 16000;
  CallGraph Graph;
  Graph.Nodes.emplace_back().Address = {0x1000};
  TypeTable Table;
  for (unsigned I = 0; I != Many; ++I)
    Table.Types.push_back(
        {"T" + std::to_string(I), 0, 8, {{0, of(I ? writes(1) : reads(1))}}});
  TypeScene Scene = buildTypeScene(std::move(Table), {}, Graph, {});
  EXPECT_GT(Scene.LeftOut, 0u);
  EXPECT_EQ(Scene.Objects.size() / 4 + Scene.LeftOut, Many - 1);
}

/// The oracle scores what shares a line address by address, for fields of a
/// word and accesses of one function each.
TEST(TypeHazards, FalseSharingIsThatOfEveryAddress) {
  std::mt19937 Random(815);
  auto Up = [&](uint64_t Most) { return Random() % (Most + 1); };
  for (unsigned Round = 0; Round != 300; ++Round) {
    uint64_t Words = 2 + Up(20);
    uint64_t Written = Up(Words - 1), Read = Up(Words - 1);
    if (Written == Read)
      continue;
    double W = 1 + Up(9), R = 1 + Up(9);
    uint64_t HeapAlignment = uint64_t(8) << Up(2);
    auto Found = Types()
                     .add("T", Words * 8,
                          {of(writes(W, Written * 8)), of(reads(R, Read * 8))})
                     .find({64, HeapAlignment});
    uint64_t Shared = 0, Addresses = 0;
    for (uint64_t Base = 0; Base < 64; Base += HeapAlignment) {
      ++Addresses;
      Shared += (Base + Written * 8) / 64 == (Base + Read * 8) / 64;
    }
    SCOPED_TRACE(formatv("round {0}: {1} words, aligned to {2}, written {3}, "
                         "read {4}",
                         Round, Words, HeapAlignment, Written, Read)
                     .str());
    double Between = std::min(W, R) * double(Shared) / double(Addresses);
    // Too little to be called false sharing, and the rest is nobody's.
    if (Between <= 0.05 * (Between + W)) {
      EXPECT_TRUE(Found.empty());
      continue;
    }
    ASSERT_EQ(Found.size(), 1u);
    EXPECT_EQ(field(Found[0]).Shared, Shared);
    EXPECT_EQ(field(Found[0]).Phases, Addresses);
    EXPECT_DOUBLE_EQ(Found[0].Points.Between, Between);
  }
}

} // namespace
