// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/Placements.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::control;
using namespace linesman::drive;

namespace {

std::string written(const PlaceResult &Result) {
  std::string Text;
  raw_string_ostream OS(Text);
  writeText(Result, OS);
  return Text;
}

PlaceResult onNodeOne(uint64_t There, uint64_t Absent) {
  PlaceResult Result;
  Result.Selector = ".bss";
  Result.Target.Node = 1;
  Result.There = There;
  Result.Absent = Absent;
  return Result;
}

TEST(Placements, AResultSaysWherePagesAreAndWillGo) {
  EXPECT_EQ(written(onNodeOne(1, 0)), ".bss: 1 page on node 1\n");
  PlaceResult Later = onNodeOne(2, 3);
  EXPECT_EQ(written(Later),
            ".bss: 2 pages on node 1, 3 not there yet (will go there)\n");
  Later.Later = PlaceResult::Policy::Kernels;
  EXPECT_EQ(written(Later),
            ".bss: 2 pages on node 1, 3 not there yet (will go where they are "
            "first written)\n");
}

TEST(Placements, WhatStayedHasAReason) {
  PlaceResult Result = onNodeOne(0, 0);
  Result.Stayed = {{"it is shared", 2}, {"the node is full", 1}};
  EXPECT_EQ(written(Result), ".bss: 0 pages on node 1\n"
                             ".bss: 2 pages did not move: it is shared\n"
                             ".bss: 1 page did not move: the node is full\n");
  std::string Text;
  raw_string_ostream OS(Text);
  writeStayed(Result, "note: ", OS);
  EXPECT_EQ(Text, "note: .bss: 2 pages did not move: it is shared\n"
                  "note: .bss: 1 page did not move: the node is full\n");
}

TEST(Placements, ARequestIsASelectorAndATarget) {
  auto Requests = cantFail(parsePlaceRequests(
      {std::string(".bss=1"), std::string("all=interleave")}));
  ASSERT_EQ(Requests.size(), 2U);
  EXPECT_EQ(Requests[0].Selector, ".bss");
  EXPECT_EQ(Requests[0].Target.Node, 1);
  EXPECT_EQ(Requests[1].Target.Target, Placement::Kind::Interleave);
  EXPECT_FALSE(
      errorToBool(parsePlaceRequests({std::string("a=0")}).takeError()));
  EXPECT_TRUE(
      errorToBool(parsePlaceRequests({std::string("all")}).takeError()));
}

} // namespace
