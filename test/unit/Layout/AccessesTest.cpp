// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The join of facts and image: by address, with nothing lost unsaid.

#include "linesman/Layout/Accesses.h"
#include "Literals.h"
#include "gtest/gtest.h"

using namespace linesman;
using namespace linesman::layout;

namespace {

TEST(Accesses, FactsOfAnAliasBelongToTheOwner) {
  Scene S({object("whole", 0x40, 0x20), object("part", 0x50, 8)});
  S.fact(0x50, {writes(1, 4, 4)});
  AccessTable Table = S.table();
  ASSERT_EQ(Table.objects().size(), 1u);
  const AccessedObject &Whole = Table.objects()[0];
  EXPECT_EQ(S.image().symbols()[Whole.Symbol].name(), "whole");
  EXPECT_EQ(Whole.Accesses[0].offset(), 0x14u);
  EXPECT_EQ(Whole.Accesses[0].Size, 4u);
}

TEST(Accesses, BeyondTwoGigabytesAreSomewhere) {
  const uint64_t Far = uint64_t(1) << 31;
  Scene S({object("huge", 0x40, 4 * Far)});
  S.fact(0x40, {writes(1, Far - 1), writes(1, Far), writes(1, 0, 4 * Far)});
  AccessTable Table = S.table();
  ASSERT_EQ(Table.objects().size(), 1u);
  llvm::ArrayRef<ObjectAccess> Found = Table.objects()[0].Accesses;
  ASSERT_EQ(Found.size(), 3u);
  EXPECT_EQ(Found[0].offset(), Far - 1);
  EXPECT_EQ(Found[1].offset(), std::nullopt);
  EXPECT_EQ(Found[1].first(), 0u);
  EXPECT_EQ(Found[2].offset(), 0u);
  EXPECT_EQ(Found[2].Size, UINT32_MAX);
}

TEST(Accesses, SeveralFactsOfAnObjectAreOneEntryInTheirOrder) {
  Scene S({object("a", 8, 8), object("b", 16, 8), object("c", 24, 8)});
  S.fact(24, {reads(1)})
      .fact(8, {reads(2)})
      .fact(24, {writes(3)}, 0x200000, "other");
  AccessTable Table = S.table();
  ASSERT_EQ(Table.objects().size(), 2u);
  EXPECT_EQ(Table.find(1), nullptr);
  const AccessedObject *C = Table.find(2);
  ASSERT_TRUE(C);
  ASSERT_EQ(C->Accesses.size(), 2u);
  EXPECT_EQ(C->Accesses[0].Weight, 1);
  EXPECT_EQ(C->Accesses[1].Weight, 3);
  EXPECT_EQ(Table.functions()[C->Accesses[1].Function].Name, "other");
}

TEST(Accesses, DeclarationComesFromTheFactThatHasOne) {
  Scene S({object("a", 0x40, 8)});
  facts::Fact Known;
  Known.Function = 1;
  Known.Object = 0x40;
  Known.DeclFile = "a.h";
  Known.DeclLine = 12;
  S.fact(0x40, {reads(1)}).add(Known);
  AccessTable Table = S.table();
  ASSERT_EQ(Table.objects().size(), 1u);
  EXPECT_EQ(Table.fileOf(Table.objects()[0]), "a.h");
  EXPECT_EQ(Table.objects()[0].DeclLine, 12u);
}

TEST(Accesses, KeepWhatFewOfThemSay) {
  Scene S({object("a", 0x40, 64), object("b", 0x80, 64)});
  facts::Access Plain = writes(1, 0, 8), Locked = writes(1, 8, 8),
                Stride = writes(1, 0, 8), Code = writes(1, 16, 8);
  Plain.File = "a.c";
  Plain.Line = 3;
  Plain.StagesBefore = 0;
  Locked.File = "b.c";
  Locked.HeldLock = 0x1000;
  Locked.Stored = 7;
  Locked.StagesBefore = UINT32_MAX;
  Stride.Offset = std::nullopt;
  Stride.Stride = 24;
  Stride.First = 8;
  Code.Instruction = 0x2000;
  // The same lock on the way to two objects, and nothing in between.
  S.fact(0x80, {Locked, Plain}).fact(0x40, {Plain, Locked, Stride, Code});
  AccessTable Table = S.table();
  ASSERT_EQ(Table.objects().size(), 2u);
  llvm::ArrayRef<ObjectAccess> A = Table.objects()[0].Accesses;
  ASSERT_EQ(A.size(), 4u);
  EXPECT_EQ(Table.fileOf(A[0]), "a.c");
  EXPECT_EQ(A[0].line(), 3u);
  EXPECT_EQ(A[0].stagesBefore(), 0u);
  EXPECT_EQ(Table.detailOf(A[0]), AccessDetail());
  EXPECT_EQ(Table.fileOf(A[1]), "b.c");
  EXPECT_EQ(A[1].line(), 0u);
  // More than any function has.
  EXPECT_GT(A[1].stagesBefore(), 1000000u);
  EXPECT_TRUE(A[1].StoresConstant);
  EXPECT_EQ(Table.detailOf(A[1]).Stored, 7u);
  EXPECT_EQ(Table.lockOf(A[1]), 0x1000u);
  EXPECT_EQ(A[2].offset(), std::nullopt);
  EXPECT_EQ(A[2].first(), 8u);
  EXPECT_EQ(A[2].stagesBefore(), std::nullopt);
  EXPECT_EQ(Table.detailOf(A[2]).Stride, 24u);
  EXPECT_EQ(Table.lockOf(A[2]), 0u);
  EXPECT_TRUE(A[3].isMachineCode());
  EXPECT_EQ(A[3].instruction().Value, 0x2000u);
  EXPECT_EQ(Table.fileOf(A[3]), "");
  EXPECT_EQ(A[3].line(), 0u);
  EXPECT_FALSE(A[0].isMachineCode());
  EXPECT_EQ(A[0].instruction().Value, 0u);
  llvm::ArrayRef<ObjectAccess> B = Table.objects()[1].Accesses;
  ASSERT_EQ(B.size(), 2u);
  EXPECT_EQ(Table.lockOf(B[0]), 0x1000u);
  EXPECT_EQ(Table.detailOf(B[1]), AccessDetail());
  EXPECT_EQ(Table.fileOf(B[1]), "a.c");
}

TEST(Accesses, BytesBeyondTheObjectAreSomewhere) {
  Scene S({object("a", 0x40, 8)});
  S.fact(0x40, {writes(1, 8, 4), writes(1, 4, 64)});
  AccessTable Table = S.table();
  ASSERT_EQ(Table.objects().size(), 1u);
  EXPECT_EQ(Table.objects()[0].Accesses[0].offset(), std::nullopt);
  EXPECT_EQ(Table.objects()[0].Accesses[1].offset(), 4u);
  EXPECT_EQ(Table.objects()[0].Accesses[1].Size, 4u) << "cut off at its end";
}

TEST(Accesses, FactsThatCannotBeHazardsAreCounted) {
  Scene S(ImageDescription{
      {data(".data.rel.ro", 0x40, 0x80, SectionKind::Relro),
       data(".tbss", 0x80, 0x100, SectionKind::Tls), data(".bss", 0x80, 0xc0)},
      {object("table", 0x40, 8, 0), object("a", 0x80, 8, 2)}});
  S.fact(0x40, {writes(1)})      // RELRO
      .fact(0xe0, {writes(1)})   // thread-local
      .fact(0xa0, {writes(1)})   // no symbol
      .fact(0x5000, {writes(1)}) // no section
      .fact(0, {writes(1)});     // another module: the decoder counts it
  AccessTable Table = S.table();
  EXPECT_TRUE(Table.empty());
  EXPECT_EQ(Table.counts().NotShared, 2u);
  EXPECT_EQ(Table.counts().Unplaced, 2u);
}

RoleIndex roleOf(facts::Fact F, std::vector<LinkAddress> StartUp = {}) {
  Scene S({object("a", 0x40, 8)});
  F.Object = 0x40;
  F.Accesses = {reads(1)};
  AccessTable Table = S.add(F).table(std::move(StartUp));
  return Table.sharesOf(Table.functions()[0])[0].Role;
}

TEST(Accesses, StartUpCodeIsKnownByWhatTheBinaryAndTheFactsSay) {
  facts::Fact F;
  F.Function = 0x1000;
  F.FunctionName = "work";
  EXPECT_EQ(roleOf(F), ConcurrentRole);
  EXPECT_EQ(roleOf(F, {{0x900}, {0x1000}}), StartUpRole);
  facts::Fact Initializer = F;
  Initializer.IsInitializer = true;
  EXPECT_EQ(roleOf(Initializer), StartUpRole);
  facts::Fact Main = F;
  Main.FunctionName = "main";
  EXPECT_EQ(roleOf(Main), StartUpRole);
}

} // namespace
