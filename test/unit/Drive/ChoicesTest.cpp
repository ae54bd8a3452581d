// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What command lines mean: the metric of ab, the object of watch, the program
// of a hunt.

#include "linesman/Drive/Ab.h"
#include "linesman/Drive/Hunt.h"
#include "linesman/Drive/WatchReport.h"
#include "gtest/gtest.h"
#include <unistd.h>

using namespace linesman::bisect;
using namespace linesman::drive;

namespace {

std::string problem(llvm::Error E) { return llvm::toString(std::move(E)); }

TEST(ChooseMetric, AMatchMeansOutputAndMoreIsBetter) {
  AbConfig Config;
  EXPECT_EQ(problem(chooseMetric("", "ops: (.*)", Config)), "");
  EXPECT_EQ(Config.Measured, Metric::Output);
  EXPECT_EQ(Config.Match, "ops: (.*)");
  EXPECT_EQ(Config.Compare.Direction, Better::Higher);
  EXPECT_EQ(problem(chooseMetric("", "", Config)), "");
  EXPECT_EQ(Config.Measured, Metric::Time);
  EXPECT_EQ(Config.Compare.Direction, Better::Lower);
}

TEST(ChooseMetric, CountersHaveNames) {
  AbConfig Config;
  EXPECT_EQ(problem(chooseMetric("page-faults", "", Config)), "");
  EXPECT_EQ(Config.Measured, Metric::Events);
  ASSERT_NE(Config.A.Counted, nullptr);
  EXPECT_EQ(Config.A.Counted, Config.B.Counted);
  EXPECT_NE(counterNames().find("page-faults"), std::string::npos);
}

TEST(ChooseMetric, WhatDoesNotGoTogether) {
  AbConfig Config;
  EXPECT_EQ(problem(chooseMetric("output", "", Config)),
            "--metric=output needs --match=REGEX");
  EXPECT_EQ(problem(chooseMetric("time", "x", Config)),
            "--match goes with --metric=output only");
  EXPECT_EQ(problem(chooseMetric("tme", "", Config)),
            "--metric=tme: expected time, output, exit, or one of " +
                counterNames() + "; did you mean 'time'?");
  EXPECT_EQ(problem(chooseMetric("nonsense", "", Config)),
            "--metric=nonsense: expected time, output, exit, or one of " +
                counterNames());
}

TEST(CheckDecided, OnlyVerdictsPass) {
  using linesman::watch::Outcome;
  std::vector<WatchedLine> Lines(2);
  Lines[0].Seen.Means = Outcome::Refuted;
  Lines[1].Seen.Means = Outcome::Confirmed;
  EXPECT_EQ(problem(checkDecided(Lines)), "");
  for (Outcome Open : {Outcome::NotSeen, Outcome::CannotTell}) {
    Lines[1].Seen.Means = Open;
    EXPECT_EQ(problem(checkDecided(Lines)).find("1 of 2 lines"), 0u);
  }
}

TEST(FindProgramFile, NamedOrFirstWordOrTheProcess) {
  auto Found = [](llvm::StringRef Named, std::vector<std::string> Command,
                  int Pid) {
    llvm::Expected<std::string> File = findProgramFile(Named, Command, Pid);
    return File ? *File : problem(File.takeError());
  };
  std::string Self = Found("", {}, ::getpid());
  EXPECT_NE(Self.find("DriveTests"), std::string::npos);
  EXPECT_EQ(Found("", {Self, "--option"}, 0), Self);
  EXPECT_EQ(Found(Self, {"script"}, 0), Self);
  EXPECT_NE(Found("", {"no-such-program-here"}, 0).find("no-such-program"),
            std::string::npos);
}

} // namespace
