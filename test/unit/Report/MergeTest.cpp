// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Report/Merge.h"
#include "gtest/gtest.h"

using namespace linesman::report;

namespace {

TEST(PlainIdentity, IsOneForAllWaysToNameAVariable) {
  EXPECT_EQ(plainIdentity("ns::hits"), "ns::hits");
  EXPECT_EQ(plainIdentity("file.cpp:hits"), "hits");
  EXPECT_EQ(plainIdentity("hits+0x8"), "hits");
  EXPECT_EQ(plainIdentity("int f<int>(int)::count"), "f::count");
}

TEST(PlainIdentity, IsOneForAllWaysToNameAFunctionsLocal) {
  EXPECT_EQ(plainIdentity("query.once"), plainIdentity("query::once"));
  EXPECT_EQ(plainIdentity("file.c:query.once"), plainIdentity("query::once"));
}

TEST(PlainIdentity, IsOneForAllWaysToNameAField) {
  EXPECT_EQ(plainIdentity("Slot[].lock"), plainIdentity("Slot::lock"));
  EXPECT_EQ(plainIdentity("Slot[2].lock"), plainIdentity("Slot::lock"));
}

TEST(PlainIdentity, KeepsApartWhatIsNotOne) {
  EXPECT_NE(plainIdentity("a::once"), plainIdentity("b::once"));
  EXPECT_EQ(plainIdentity(""), "");
}

llvm::json::Array list(std::initializer_list<llvm::json::Object> Findings) {
  llvm::json::Array Result;
  for (const llvm::json::Object &Each : Findings)
    Result.push_back(llvm::json::Object(Each));
  return Result;
}

llvm::json::Object checked(llvm::StringRef Id) {
  return llvm::json::Object{{"id", Id},
                            {"rung", "suspected"},
                            {"check", "linesman-redundant-store"},
                            {"subject", "field"}};
}

llvm::json::Object ranked(llvm::StringRef Id) {
  return llvm::json::Object{{"id", Id}, {"rung", "suspected"}};
}

std::vector<std::string> idsOf(const MergedFindings &Merged) {
  std::vector<std::string> Ids;
  for (const llvm::json::Value &Each : Merged.Findings)
    Ids.push_back(Each.getAsObject()->getString("id").value_or("").str());
  return Ids;
}

std::vector<std::string> merged(llvm::json::Array Checks,
                                llvm::json::Array Facts) {
  std::vector<FindingsList> Lists;
  Lists.push_back({"checks", std::move(Checks)});
  Lists.push_back({"fields", std::move(Facts)});
  return idsOf(mergeFindings(std::move(Lists), {}));
}

TEST(Merge, ChecksCountAsFirstsWhateverTheOrderOfTheSource) {
  EXPECT_EQ(merged(list({checked("A::a"), checked("B::b"), checked("C::c")}),
                   list({ranked("D::d"), ranked("E::e")})),
            (std::vector<std::string>{"A::a", "B::b", "C::c", "D::d", "E::e"}));
}

TEST(Merge, WhatBothSayComesFirst) {
  EXPECT_EQ(merged(list({checked("A::a"), checked("B::b")}),
                   list({ranked("D::d"), ranked("B::b")})),
            (std::vector<std::string>{"B::b", "A::a", "D::d"}));
}

TEST(Merge, FactsOfAWordInAFieldSupportTheCheckOfTheField) {
  EXPECT_EQ(merged(list({checked("Spin::word")}),
                   list({ranked("Spin::word.inner"), ranked("Spin::other")})),
            (std::vector<std::string>{"Spin::word.inner", "Spin::other"}));
}

TEST(Merge, FactsOfTwoWordsInAFieldThatNoCheckNamesStayApart) {
  EXPECT_EQ(merged(list({checked("Spin::other")}),
                   list({ranked("Pair::both.a"), ranked("Pair::both.b")})),
            (std::vector<std::string>{"Spin::other", "Pair::both.a",
                                      "Pair::both.b"}));
}

} // namespace
