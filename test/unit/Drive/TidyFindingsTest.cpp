// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/TidyFindings.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::drive;

namespace {

json::Value parseOne(StringRef Text) {
  Expected<json::Value> Value = json::parse(Text);
  if (!Value)
    ADD_FAILURE() << toString(Value.takeError());
  return Value ? std::move(*Value) : json::Value(nullptr);
}

/// A variable that one role writes.
json::Value writtenBy(StringRef Role, double Atomics = 0, double Score = 10) {
  return json::Object{
      {"id", "hits"},
      {"kind", "mixed"},
      {"score", Score},
      {"occupants", json::Array{json::Object{
                        {"atomics", Atomics},
                        {"sites", json::Array{json::Object{
                                      {"access", "write"},
                                      {"role", "concurrent"},
                                      {"roles", json::Array{Role}}}}}}}}};
}

size_t shown(bool KnowsThreads, json::Value Finding) {
  json::Array Findings;
  Findings.push_back(std::move(Finding));
  dropFactsAlone(KnowsThreads, Findings);
  return Findings.size();
}

TEST(FactsAlone, AVariableNeedsAThreadOrALock) {
  EXPECT_EQ(shown(true, writtenBy("worker")), 1U);
  EXPECT_EQ(shown(true, writtenBy("unknown callers")), 0U);
  EXPECT_EQ(shown(true, writtenBy("unknown callers", 5)), 1U);
}

TEST(FactsAlone, SeveralProgramsDoNotTellWhoRunsWhat) {
  EXPECT_EQ(shown(false, writtenBy("worker")), 0U);
  EXPECT_EQ(shown(false, writtenBy("worker", 5)), 1U);
}

TEST(FactsAlone, WhatIsRareIsLeftOut) {
  EXPECT_EQ(shown(true, writtenBy("worker", 5, 0.001)), 0U);
}

TEST(FactsAlone, OnlyTheFirstAreShown) {
  json::Array Findings;
  for (int I = 0; I != 8; ++I)
    Findings.push_back(writtenBy("worker"));
  LeftOut Silent = dropFactsAlone(true, Findings);
  EXPECT_EQ(Findings.size(), 5U);
  EXPECT_EQ(Silent.Variables, 0U);
}

TEST(FactsAlone, WhatAChecksSaysStays) {
  json::Array Findings;
  Findings.push_back(
      json::Object{{"id", "hits"}, {"check", "x"}, {"score", 0}});
  EXPECT_EQ(dropFactsAlone(true, Findings).Variables, 0U);
  EXPECT_EQ(Findings.size(), 1U);
}

TEST(FactsAlone, AFieldNeedsALockAndANeighbour) {
  auto Field = [](StringRef Kind) {
    return parseOne(formatv(R"({{"id": "T::lock", "kind": "{0}", "score": 9,
      "type": {{"name": "T"}, "occupants": [{{"atomics": 3}]})",
                            Kind)
                        .str());
  };
  EXPECT_EQ(shown(true, Field("mixed")), 1U);
  EXPECT_EQ(shown(true, Field("true-sharing")), 0U);
}

TEST(Units, AssemblyIsToldByItsName) {
  EXPECT_TRUE(isAssembly({"/src/huf.S", "", "", {}}));
  EXPECT_FALSE(isAssembly({"/src/huf.c", "", "", {}}));
}

} // namespace
