// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which findings of two builds are one.

#include "linesman/Layout/MatchLines.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace linesman::layout;

namespace {

/// Called after the first of \p Objects.
LineParty party(std::vector<std::string> Objects) {
  return {Objects.front(), Objects.front(), {Objects.begin(), Objects.end()}};
}

using Matches = std::vector<std::optional<size_t>>;

TEST(MatchLines, IdentityIsBeforeCompany) {
  EXPECT_EQ(matchLines({party({"a", "b", "c"}), party({"b", "c"})},
                       {party({"b", "a", "c"}), party({"a"})}),
            (Matches{1, 0}));
}

TEST(MatchLines, AHeadOnTheOthersLineFromEitherSide) {
  EXPECT_EQ(matchLines({party({"a", "b"})}, {party({"b", "a"})}), (Matches{0}));
  EXPECT_EQ(matchLines({party({"a"})}, {party({"b", "a"})}), (Matches{0}));
  EXPECT_EQ(matchLines({party({"a", "b"})}, {party({"b"})}), (Matches{0}));
  // Both have a line with c, and neither is called after what both have.
  EXPECT_EQ(matchLines({party({"a", "c"})}, {party({"b", "c"})}),
            (Matches{std::nullopt}));
}

TEST(MatchLines, OneToOneAndTheMostInCommonFirst) {
  EXPECT_EQ(matchLines({party({"a", "b", "c", "d"})},
                       {party({"b", "x"}), party({"c", "d", "a"})}),
            (Matches{std::nullopt, 0}));
  EXPECT_EQ(matchLines({party({"a", "x"}), party({"b", "y", "z"})},
                       {party({"x", "a"}), party({"y", "z", "a", "b"})}),
            (Matches{0, 1}));
}

TEST(MatchLines, WhatHasNoNameIsNobodys) {
  LineParty Old{"one", "", {}}, New{"other", "", {}};
  EXPECT_EQ(matchLines({Old}, {New}), (Matches{std::nullopt}));
}

TEST(MatchLines, ObjectsOfDifferentFilesAreDifferent) {
  EXPECT_EQ(keyOf({"a.llvm.1", "x.c", 0}), keyOf({"a.2", "x.c", 0}));
  EXPECT_NE(keyOf({"a", "x.c", 0}), keyOf({"a", "y.c", 0}));
  EXPECT_NE(keyOf({"a", "", 0}), keyOf({"a", "", 1}));
}

} // namespace
