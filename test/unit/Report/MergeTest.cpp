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

Finding checked(llvm::StringRef Id) {
  Finding Result;
  Result.Id = Id;
  Result.About = SourceSubject();
  Result.Suspicion = {"linesman-redundant-store", "", "field", "", ""};
  return Result;
}

Finding ranked(llvm::StringRef Id) {
  Finding Result;
  Result.Id = Id;
  return Result;
}

std::vector<std::string> merged(std::vector<Finding> Checks,
                                std::vector<Finding> Facts) {
  std::vector<FindingsList> Lists;
  Lists.push_back({"checks", std::move(Checks)});
  Lists.push_back({"fields", std::move(Facts)});
  std::vector<std::string> Ids;
  for (const Finding &Found : mergeFindings(std::move(Lists), {}).Findings)
    Ids.push_back(Found.Id);
  return Ids;
}

TEST(Merge, ChecksCountAsFirstsWhateverTheOrderOfTheSource) {
  EXPECT_EQ(merged({checked("A::a"), checked("B::b"), checked("C::c")},
                   {ranked("D::d"), ranked("E::e")}),
            (std::vector<std::string>{"A::a", "B::b", "C::c", "D::d", "E::e"}));
}

TEST(Merge, WhatBothSayComesFirst) {
  EXPECT_EQ(merged({checked("A::a"), checked("B::b")},
                   {ranked("D::d"), ranked("B::b")}),
            (std::vector<std::string>{"B::b", "A::a", "D::d"}));
}

TEST(Merge, FactsOfAWordInAFieldSupportTheCheckOfTheField) {
  EXPECT_EQ(merged({checked("Spin::word")},
                   {ranked("Spin::word.inner"), ranked("Spin::other")}),
            (std::vector<std::string>{"Spin::word.inner", "Spin::other"}));
}

TEST(Merge, FactsOfTwoWordsInAFieldThatNoCheckNamesStayApart) {
  EXPECT_EQ(merged({checked("Spin::other")},
                   {ranked("Pair::both.a"), ranked("Pair::both.b")}),
            (std::vector<std::string>{"Spin::other", "Pair::both.a",
                                      "Pair::both.b"}));
}

TEST(Merge, WhatBothSayIsCountedAmongThoseThatAreThere) {
  std::vector<FindingsList> Lists;
  Lists.push_back({"checks", {checked("A::a"), checked("B::b")}});
  Lists.push_back({"fields", {ranked("B::b"), ranked("D::d")}});
  MergedFindings Merged = mergeFindings(std::move(Lists), {});
  EXPECT_EQ(Merged.countJoint(), 1u);
  EXPECT_EQ(Merged.first(1).countJoint(), 1u);
  // Who leaves some out has not to count.
  Merged.Findings.erase(Merged.Findings.begin());
  EXPECT_EQ(Merged.countJoint(), 0u);
}

TEST(Merge, AHeaderThatTheBuildCopiesSaysItOnce) {
  auto Reported = [](llvm::StringRef File, unsigned Line) {
    Finding Result = checked("A::a");
    Result.Occupants.emplace_back().Sites.emplace_back().Place = {File.str(),
                                                                  Line};
    return Result;
  };
  std::vector<FindingsList> Lists;
  Lists.push_back({"checks",
                   {Reported("include/a.h", 7), Reported("build/a.h", 7),
                    Reported("include/a.h", 8)}});
  MergedFindings Merged = mergeFindings(std::move(Lists), {});
  ASSERT_EQ(Merged.Findings.size(), 1u);
  const auto &Evidence = Merged.Findings.front().Evidence;
  ASSERT_EQ(Evidence.size(), 2u);
  EXPECT_EQ(Evidence[0].Place.File, "include/a.h");
  EXPECT_EQ(Evidence[1].Place.Line, 8u);
}

} // namespace
