// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans as JSON: what is written is read, and what is wrong is said.

#include "linesman/Plan/Plan.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::plan;

namespace {

std::string errorOf(StringRef Text) {
  Expected<Plan> Read = readPlan(Text);
  return Read ? "" : toString(Read.takeError());
}

TEST(PlanFile, ReadsWhatItWrote) {
  Plan Before{"app", {128}, {4096}, {}, {{"x", "no layout helps"}}};
  Before.Edits.push_back(
      {{EditKind::Group, {{"a", "", 0}, {"b.llvm.7", "b.c", 2}}, 128, ""},
       {100, 1},
       2.5,
       {"a", "b"}});
  Before.Edits.push_back({{EditKind::Shift, {}, 4096, ".bss"}, {}, 0, {}});
  Before.Before = 7;
  Before.After = 4.5;
  std::string Text;
  raw_string_ostream OS(Text);
  writePlan(Before, OS);
  Expected<Plan> After = readPlan(Text);
  ASSERT_TRUE(bool(After)) << toString(After.takeError());
  ASSERT_EQ(After->Edits.size(), 2u);
  const PlannedEdit &Group = After->Edits[0];
  EXPECT_EQ(Group.Change.Kind, EditKind::Group);
  EXPECT_EQ(Group.Change.Bytes, 128u);
  ASSERT_EQ(Group.Change.Symbols.size(), 2u);
  EXPECT_EQ(Group.Change.Symbols[1].Symbol, "b.llvm.7");
  EXPECT_EQ(Group.Change.Symbols[1].File, "b.c");
  EXPECT_EQ(Group.Change.Symbols[1].Ordinal, 2u);
  EXPECT_EQ(Group.Cost.Bytes, 100u);
  EXPECT_EQ(Group.Removes, 2.5);
  EXPECT_EQ(Group.Findings, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(After->Edits[1].Change.Section, ".bss");
  ASSERT_EQ(After->Left.size(), 1u);
  EXPECT_EQ(After->Left[0].Id, "x");
  EXPECT_EQ(After->Left[0].Reason, "no layout helps");
  EXPECT_EQ(After->Line.Bytes, 128u);
  EXPECT_EQ(After->Before, 7);
  EXPECT_EQ(After->After, 4.5);
}

TEST(PlanFile, ReadsWhatPeopleWrite) {
  Expected<Plan> Read =
      readPlan(R"({"edits": [{"kind": "isolate", "symbols": ["nil_root"]}]})");
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  EXPECT_EQ(Read->Edits[0].Change.Bytes, 64u);
  EXPECT_FALSE(Read->Edits[0].Change.Symbols[0].Ordinal);
}

TEST(PlanFile, SaysWhatIsWrong) {
  EXPECT_NE(errorOf("{").find("Expected"), std::string::npos);
  EXPECT_NE(errorOf("[]").find("expected an object"), std::string::npos);
  EXPECT_EQ(errorOf("{}"), "not a plan: it has no 'edits'; 'linesman plan' "
                           "writes one");
  EXPECT_EQ(errorOf(R"({"command": "layout", "findings": []})"),
            "not a plan, but what 'linesman layout' wrote; 'linesman plan' "
            "writes one");
  EXPECT_NE(errorOf(R"({"edits": 1})").find("expected an array"),
            std::string::npos);
  EXPECT_NE(errorOf(R"({"schema": 2, "edits": []})").find("expected 1"),
            std::string::npos);
  EXPECT_NE(errorOf(R"({"edits": [{"kind": "move"}]})")
                .find("expected isolate, group, pad, shift or explode"),
            std::string::npos);
  EXPECT_NE(errorOf(R"({"edits": [{"kind": "isolate", "symbols": []}]})")
                .find("expected at least one symbol"),
            std::string::npos);
  EXPECT_NE(
      errorOf(
          R"({"edits": [{"kind": "isolate", "bytes": 65, "symbols": ["a"]}]})")
          .find("expected a power of two"),
      std::string::npos);
  EXPECT_NE(
      errorOf(R"({"edits": [{"kind": "pad", "bytes": 0, "symbols": ["a"]}]})")
          .find("expected a positive number"),
      std::string::npos);
  for (const char *Kind : {"isolate", "group"})
    EXPECT_NE(errorOf(R"({"edits": [{"kind": ")" + std::string(Kind) +
                      R"(", "bytes": 8192, "symbols": ["a"]}]})")
                  .find("expected at most 4096 bytes at plan.edits[0].bytes"),
              std::string::npos);
  for (const char *Kind : {"pad", "shift", "explode"})
    EXPECT_NE(errorOf(R"({"edits": [{"kind": ")" + std::string(Kind) +
                      R"(", "bytes": 2147483648, "symbols": ["a"]}]})")
                  .find("expected at most 1 GiB at plan.edits[0].bytes"),
              std::string::npos);
  EXPECT_NE(errorOf(R"({"line_size": 1099511627776, "edits": [
                       {"kind": "isolate", "symbols": ["a"]}]})")
                .find("expected at most 4096 bytes"),
            std::string::npos);
  EXPECT_NE(errorOf(R"({"edits": [{"kind": "pad", "symbols": [{}]}]})")
                .find("expected a name"),
            std::string::npos);
  EXPECT_NE(
      errorOf(
          R"({"edits": [{"kind": "pad", "symbols": [{"symbol": "a", "ordinal": -1}]}]})")
          .find("expected a number from 0"),
      std::string::npos);
}

} // namespace
