// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/OutputNumber.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::drive;

static std::string readError(StringRef Output, StringRef Match) {
  Expected<double> Number = readNumber(Output, Match);
  EXPECT_FALSE(bool(Number));
  return Number ? "" : toString(Number.takeError());
}

TEST(OutputNumber, TakesTheFirstGroupOfTheLastMatch) {
  EXPECT_EQ(cantFail(readNumber("ops 1\nops 2.5\nend", "ops ([0-9.]+)")), 2.5);
  EXPECT_EQ(cantFail(readNumber("7 8 9", "[0-9]")), 9);
}

TEST(OutputNumber, AnAnchorMeansTheBeginningOfALine) {
  EXPECT_EQ(cantFail(readNumber("3 x 4\n", "^[0-9]")), 3);
  EXPECT_EQ(cantFail(readNumber("3\n5 6", "^[0-9]")), 5);
}

TEST(OutputNumber, SaysWhatIsMissing) {
  EXPECT_EQ(readError("nothing", "ops ([0-9]+)"),
            "the output has no match of --match=ops ([0-9]+)");
  EXPECT_EQ(readError("ops many", "ops (.*)"),
            "--match=ops (.*) matched 'many', which is not a number");
  EXPECT_EQ(readError("", "x*"), "the output has no match of --match=x*");
}
