// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the steps of a relink hand on, without a linker.

#include "ChooseEdits.h"
#include "linesman/Relink/InseparableSymbol.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman;
using namespace linesman::relink;
using plan::EditKind;

namespace {

ResolvedEdit editOf(EditKind Kind, uint64_t Bytes) {
  ResolvedEdit Result;
  Result.Change.Kind = Kind;
  Result.Change.Bytes = Bytes;
  Result.Symbols = {{{0, 0}}};
  return Result;
}

LinkInputs inputsWith(DefinitionKind Kind) {
  LinkInputs Inputs;
  Inputs.Objects.emplace_back().Definitions.emplace_back().Kind = Kind;
  return Inputs;
}

TEST(MeantNames, InputsAreNamedAndNotTheirCopies) {
  MeantNames Names;
  Names.add("/scratch/0-a.o", "a.o");
  Names.add("/out.12.linesman/app", "app");
  EXPECT_EQ(Names.in("/scratch/0-a.o: in app: /out.12.linesman/app, "
                     "/scratch/0-a.o"),
            "a.o: in app: app, a.o");
  EXPECT_EQ(Names.in("b.o"), "b.o");
}

TEST(InseparableSymbol, ARemedyIsTheCallers) {
  InseparableSymbol Problem;
  Problem.Subject = "cannot isolate 'hits'";
  Problem.Object = "a.o";
  Problem.Places = 3;
  Problem.Others = {"misses", "done"};
  EXPECT_EQ(toString(make_error<InseparableSymbol>(Problem)),
            "cannot isolate 'hits': a.o has 3 symbols in one input section; "
            "rebuild with -fdata-sections. It stays with: misses, done");
  EXPECT_EQ(Problem.describe("give up"),
            "cannot isolate 'hits': a.o has 3 symbols in one input section; "
            "rebuild with -fdata-sections, or give up. It stays with: misses, "
            "done");
}

TEST(ChosenEdits, TheLongestLineCountsAndRoomIsNone) {
  std::vector<ResolvedEdit> Edits = {editOf(EditKind::Isolate, 128),
                                     editOf(EditKind::Pad, 4096),
                                     editOf(EditKind::Group, 64)};
  EXPECT_EQ(chooseEdits(Edits, {}).Line, 128u);
  EXPECT_EQ(chooseEdits({editOf(EditKind::Shift, 256)}, {}).Line,
            layout::LineSize().Bytes);
}

TEST(ChosenEdits, WithoutAnOldOutputNothingIsKnownOfTails) {
  ChosenEdits Chosen =
      chooseEdits({editOf(EditKind::Isolate, 64)}, {"/no/such/file"});
  EXPECT_EQ(Chosen.After.Data, 0u);
  EXPECT_EQ(Chosen.After.Bss, 0u);
}

TEST(ChosenEdits, OnlyIsolatedThreadLocalObjectsGrowTheBlock) {
  std::vector<ResolvedEdit> Isolated = {editOf(EditKind::Isolate, 64)};
  EXPECT_TRUE(
      growsThreadBlock(inputsWith(DefinitionKind::ThreadLocal), Isolated));
  EXPECT_FALSE(
      growsThreadBlock(inputsWith(DefinitionKind::Writable), Isolated));
  EXPECT_FALSE(growsThreadBlock(inputsWith(DefinitionKind::ThreadLocal),
                                {editOf(EditKind::Pad, 64)}));
}

TEST(ReadLink, AFileThatChangedSinceItWasReadIsNamed) {
  SmallString<64> Path;
  ASSERT_FALSE(sys::fs::createTemporaryFile("input", "o", Path));
  FileRemover Remover(Path);
  ASSERT_FALSE(errorToBool(writeFile(Path, ArrayRef<char>{'a', 'b'})));
  ReadFile Before{Path.str().str(), {}};
  ASSERT_FALSE(sys::fs::status(Path, Before.Status));
  EXPECT_EQ(toString(expectUnchanged(Before)), "");

  ASSERT_FALSE(errorToBool(writeFile(Path, ArrayRef<char>{'a', 'b', 'c'})));
  std::string Said = toString(expectUnchanged(Before));
  EXPECT_NE(Said.find(Path.str().str()), std::string::npos) << Said;
  EXPECT_NE(Said.find("changed while it was being linked"), std::string::npos);
}

} // namespace
