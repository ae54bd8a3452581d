// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CodeTypes.h"
#include "gtest/gtest.h"

using namespace linesman;
using namespace linesman::input;
using facts::Origin;
using facts::PointerFacts;
using facts::PointerUse;

namespace {

constexpr uint64_t Push = 0x100, Find = 0x200, Now = 0x4000;
enum : RecordIndex { Queue, Item, Link };

/// struct Queue { long a; Item *first; ...; }; struct Item { long a;
/// Item *next; }; a Queue has a Link by value.
PointedRecords makeRecords() {
  PointedRecords Made;
  Made.Records.resize(3);
  Made.Records[Queue] = {"Queue", 64, 1, false, {{8, Item}}};
  Made.Records[Item] = {"Item", 16, 1, false, {{8, Item}}};
  Made.Records[Link] = {"Link", 16, 1, true, {}};
  Made.Functions[Push] = {7, {{0, Queue}, {2, Link}}, NoRecord};
  Made.Functions[Find] = {7, {}, Item};
  Made.Variables[Now] = {Queue, true};
  return Made;
}

Origin parameter(uint64_t Number) {
  Origin Source;
  Source.Kind = Origin::Parameter;
  Source.Value = Number;
  return Source;
}

Origin loadedAt(uint64_t Instruction) {
  Origin Source;
  Source.Kind = Origin::Loaded;
  Source.Value = Instruction;
  return Source;
}

PointerUse access(Origin Source, std::optional<int64_t> Offset,
                  uint64_t Size = 8) {
  PointerUse Use;
  Use.Source = Source;
  Use.Offset = Offset;
  Use.Size = Size;
  Use.Does = facts::AccessKind::Write;
  return Use;
}

PointerUse load(Origin Source, int64_t Offset, uint64_t Instruction) {
  PointerUse Use;
  Use.Kind = PointerUse::LoadedThrough;
  Use.Source = Source;
  Use.Offset = Offset;
  Use.Destination = loadedAt(Instruction);
  return Use;
}

/// "Queue+24", in the order of the facts.
std::vector<std::string> usesOf(std::initializer_list<PointerUse> Uses,
                                uint64_t Function = Push) {
  PointerFacts Facts;
  Facts.Function = {facts::FunctionRef::Address, Function};
  Facts.Uses.append(Uses.begin(), Uses.end());
  PointedRecords Records = makeRecords();
  std::vector<std::string> Result;
  for (const facts::TypeFact &Fact : typeFactsOf(Facts, Records))
    for (const facts::TypeAccess &A : Fact.Accesses)
      Result.push_back(Fact.Type.Name.str() + "+" + std::to_string(*A.Offset));
  return Result;
}

using Found = std::vector<std::string>;

TEST(CodeTypes, FollowsParametersResultsAndVariables) {
  EXPECT_EQ(usesOf({access(parameter(0), 24)}), Found{"Queue+24"});
  EXPECT_EQ(usesOf({access(parameter(1), 24)}), Found{});
  EXPECT_EQ(usesOf({access(parameter(0), 24)}, Find), Found{});
  Origin Result;
  Result.Kind = Origin::Result;
  Result.Function = {facts::FunctionRef::Address, Find};
  EXPECT_EQ(usesOf({access(Result, 0)}), Found{"Item+0"});
  // Of a library's function only the call is known.
  Result.Function = {};
  EXPECT_EQ(usesOf({access(Result, 0)}), Found{});
  Origin Variable;
  Variable.Kind = Origin::Variable;
  Variable.Value = Now;
  Variable.Offset = 0;
  EXPECT_EQ(usesOf({access(Variable, 40)}), Found{"Queue+40"});
  Variable.Offset = 8;
  EXPECT_EQ(usesOf({access(Variable, 40)}), Found{});
}

TEST(CodeTypes, FollowsLoadsWhoseRecordsAgree) {
  // In any order, and behind each other.
  EXPECT_EQ(usesOf({access(loadedAt(0x120), 0), load(loadedAt(0x110), 8, 0x120),
                    load(parameter(0), 8, 0x110)}),
            Found{"Item+0"});
  // A list's loop loads from its first item and from each next one.
  EXPECT_EQ(
      usesOf({load(parameter(0), 8, 0x110), load(loadedAt(0x110), 8, 0x120),
              load(loadedAt(0x120), 8, 0x120), access(loadedAt(0x120), 8)}),
      Found{"Item+8"});
  // One instruction loads what points to an Item, and what does not.
  EXPECT_EQ(usesOf({load(parameter(0), 8, 0x110), load(parameter(0), 0, 0x110),
                    access(loadedAt(0x110), 0)}),
            Found{});
  // What is loaded through that tells nothing, either, in any order.
  EXPECT_EQ(
      usesOf({load(parameter(0), 8, 0x110), load(loadedAt(0x110), 8, 0x120),
              load(parameter(0), 0, 0x110), access(loadedAt(0x120), 0)}),
      Found{});
  EXPECT_EQ(
      usesOf({load(parameter(0), 0, 0x110), load(loadedAt(0x110), 8, 0x120),
              load(parameter(0), 8, 0x110), access(loadedAt(0x120), 0)}),
      Found{});
}

TEST(CodeTypes, StaysInsideOfTheRecord) {
  EXPECT_EQ(
      usesOf({access(parameter(0), -8), access(parameter(0), 64),
              access(parameter(0), 60), access(parameter(0), 56),
              access(parameter(0), std::nullopt), access(parameter(0), 0, 0)}),
      Found{"Queue+56"});
}

TEST(CodeTypes, LeavesSmallPartsToWhatTheyAreIn) {
  EXPECT_EQ(usesOf({access(parameter(2), 0)}), Found{});
}

TEST(CodeTypes, TakesLocksThatAreHandedOn) {
  PointerUse Lock;
  Lock.Kind = PointerUse::Handed;
  Lock.Source = parameter(0);
  Lock.Offset = 16;
  EXPECT_EQ(usesOf({Lock}), Found{});
  Lock.IsLock = true;
  PointerFacts Facts;
  Facts.Function = {facts::FunctionRef::Address, Push};
  PointerUse Inside = access(parameter(0), 24), Outside = Inside;
  Inside.IsLocked = true;
  Facts.Uses.append({Lock, Inside, Outside});
  PointedRecords Records = makeRecords();
  std::vector<facts::TypeFact> Types = typeFactsOf(Facts, Records);
  ASSERT_EQ(Types.size(), 1u);
  ASSERT_EQ(Types[0].Accesses.size(), 3u);
  EXPECT_EQ(Types[0].Unit, 7u);
  EXPECT_EQ(Types[0].Accesses[0].Kind, facts::AccessKind::Atomic);
  EXPECT_TRUE(Types[0].Accesses[0].IsLock);
  EXPECT_TRUE(Types[0].Accesses[0].IsSynchronised);
  EXPECT_FALSE(Types[0].Accesses[1].IsUnlocked);
  EXPECT_TRUE(Types[0].Accesses[2].IsUnlocked);
}

} // namespace
