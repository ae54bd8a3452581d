// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Report/TextLines.h"
#include "gtest/gtest.h"

using namespace linesman::report;

TEST(WeightText, SaysWhatIsPerhapsAnothers) {
  EXPECT_EQ(weightText(6, 0), "6");
  EXPECT_EQ(weightText(22.8, 16.8), "6 to 22.8");
  EXPECT_EQ(weightText(16.8, 16.8), "up to 16.8");
  // Nothing that three digits would show.
  EXPECT_EQ(weightText(1000, 0.1), "1k");
}

TEST(Numbers, HaveOneFormForEachKind) {
  EXPECT_EQ(number(0.125), "0.125");
  EXPECT_EQ(number(999.6), "1k");
  EXPECT_EQ(scoreText(0.1 + 0.2), "0.3");
  EXPECT_EQ(scoreText(1.0 / 3), "0.333333");
  EXPECT_EQ(scoreText(1e9), "1e+09");
  EXPECT_EQ(measurementText(16.4321), "16.43");
  EXPECT_EQ(measurementText(17000), "17000");
  EXPECT_EQ(measurementText(-17000), "-17000");
  EXPECT_EQ(measurementText(1e20), "1e+20");
  EXPECT_EQ(probabilityText(0.00416), "0.0042");
  EXPECT_EQ(probabilityText(1), "1");
  EXPECT_EQ(percentText(0.0025), "0.25");
  EXPECT_EQ(percentText(0.025), "2.5");
  EXPECT_EQ(percentText(0.25), "25");
}

TEST(DurationText, HasTheUnitOfWhichThereAreSome) {
  EXPECT_EQ(durationText(0.2), "1 second");
  EXPECT_EQ(durationText(119), "119 seconds");
  EXPECT_EQ(durationText(200), "3 minutes");
  EXPECT_EQ(durationText(3 * 3600 + 600), "3 hours");
  EXPECT_EQ(durationText(1e6), "12 days");
}

TEST(BriefName, KeepsWhatFits) {
  EXPECT_EQ(briefName("Map<int>::insert(int)", 21), "Map<int>::insert(int)");
}

TEST(BriefName, DropsTemplateArgumentsFirst) {
  EXPECT_EQ(briefName("std::map<int, std::pair<int, long>>::insert(int)", 30),
            "std::map<...>::insert(int)");
  EXPECT_EQ(briefName("A<int>::B<long>::f(A<int>, B<long>)", 30),
            "A<...>::B<...>::f(...)");
}

TEST(BriefName, KeepsOperatorsAndAnonymousNamespaces) {
  EXPECT_EQ(
      briefName("(anonymous namespace)::f(int, (anonymous namespace)::T)", 10),
      "(anonymous namespace)::f(...)");
  EXPECT_EQ(briefName("T<int>& operator<<<int>(T<int>&, int)", 10),
            "T<...>& operator<<<int>(...)");
  EXPECT_EQ(briefName("Pool<int>::operator()(long, long)", 10),
            "Pool<...>::operator()(...)");
  EXPECT_EQ(briefName("Pointer<int>::operator->() const", 10),
            "Pointer<...>::operator->() const");
  EXPECT_EQ(briefName("Value<int>::operator unsigned long() const", 10),
            "Value<...>::operator unsigned long() const");
  EXPECT_EQ(briefName("an_operator_of<int>::operator bool(int)", 10),
            "an_operator_of<...>::operator bool(...)");
}

TEST(BriefName, SurvivesNamesThatAreNone) {
  for (const char *Name : {"", "<", ">", "((", "operator", "operator<", ")x(",
                           "operator a", "operators"})
    EXPECT_LE(briefName(Name, 0).size(), 16u) << Name;
}

static std::string named(StringRef Name, StringRef Right) {
  std::string Line;
  raw_string_ostream OS(Line);
  writeNamed("1. ", Name, Right.str(), /*Columns=*/40, OS);
  return Line;
}

TEST(WriteNamed, KeepsTheVariableOfALongFunction) {
  EXPECT_EQ(named("add(int, long, Table<int>*)::Count", "reads 2"),
            "1. add(...)::Count               reads 2\n");
  EXPECT_EQ(named("Count", "reads 2"),
            "1. Count                         reads 2\n");
}

TEST(WriteNamed, LosesTheMiddleOfWhatHasNoBriefForm) {
  EXPECT_EQ(named("a_name_that_is_longer_than_a_line_has_room_for", "reads 2"),
            "1. a_name_that_i...has_room_for  reads 2\n");
  EXPECT_EQ(named("a_name", std::string(40, 'r')),
            "1. a_name           ..." + std::string(17, 'r') + "\n");
}
