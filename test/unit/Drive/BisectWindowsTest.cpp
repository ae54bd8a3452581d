// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/BisectSetup.h"
#include "linesman/Drive/Placements.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::control;
using namespace linesman::drive;
using namespace linesman::process;

namespace {

/// Remembers where it was asked to put what.
struct Notebook : Actuator {
  std::vector<std::pair<RunRange, int>> Placed;
  /// Pages on this node do not move.
  std::optional<int> Stuck;

  ProcessId process() const override { return {1}; }
  Expected<std::vector<StaticModule>> modules() override {
    return std::vector<StaticModule>();
  }
  Expected<std::vector<PagePlace>> query(RunRange) override {
    return std::vector<PagePlace>();
  }
  Expected<std::vector<PagePlace>> place(RunRange Range, Placement Target,
                                         Preparation) override {
    Placed.push_back({Range, Target.Node});
    return std::vector<PagePlace>{
        {Range.Begin, PageState::Private, Stuck.value_or(Target.Node)}};
  }
  Error prepare(RunRange) override { return Error::success(); }
  bool isInside() const override { return true; }
};

RunRange page(uint64_t Number) {
  return {{Number * 4096}, {(Number + 1) * 4096}};
}

} // namespace

TEST(BisectWindows, NeighboursWithOneGoalAreOneRequest) {
  Notebook Notes;
  BisectConfig Config;
  std::optional<std::vector<bool>> Last;
  const std::vector<RunRange> Ranges = {page(1), page(2), page(3), page(9)};
  cantFail(
      placeCandidates(Notes, Config, Ranges, {false, false, true, true}, Last));
  const std::vector<std::pair<RunRange, int>> All = {
      {{{4096}, {3 * 4096}}, Config.LocalNode},
      {page(3), Config.RemoteNode},
      {page(9), Config.RemoteNode}};
  EXPECT_EQ(Notes.Placed, All);
}

TEST(BisectWindows, WhatIsAsItShouldBeIsNotTouched) {
  Notebook Notes;
  BisectConfig Config;
  std::optional<std::vector<bool>> Last;
  const std::vector<RunRange> Ranges = {page(1), page(2), page(3)};
  cantFail(placeCandidates(Notes, Config, Ranges, {false, false, false}, Last));
  Notes.Placed.clear();
  cantFail(placeCandidates(Notes, Config, Ranges, {false, true, false}, Last));
  const std::vector<std::pair<RunRange, int>> One = {
      {page(2), Config.RemoteNode}};
  EXPECT_EQ(Notes.Placed, One);
}

TEST(BisectWindows, APageThatStaysIsSaid) {
  Notebook Notes;
  Notes.Stuck = 1;
  BisectConfig Config;
  std::optional<std::vector<bool>> Last;
  std::vector<PagePlace> Elsewhere = cantFail(
      placeCandidates(Notes, Config, {page(1), page(2)}, {false, true}, Last));
  ASSERT_EQ(Elsewhere.size(), 1u);
  EXPECT_EQ(Elsewhere.front().Address, page(1).Begin);
}

TEST(BisectWindows, ExitCodesAreThoseOfGitBisectRun) {
  EXPECT_EQ(verdictOf(0)->Value, 0);
  EXPECT_EQ(verdictOf(1)->Value, 1);
  EXPECT_EQ(verdictOf(127)->Value, 1);
  EXPECT_EQ(verdictOf(125)->State, WindowState::Skipped);
  EXPECT_FALSE(verdictOf(128));
  EXPECT_FALSE(verdictOf(-1));
}

TEST(BisectWindows, AMetricOfAFailedCommandIsNone) {
  BisectConfig Config;
  Config.Metric = MetricSource::Output;
  Config.Match = "ops ([0-9]+)";
  EXPECT_EQ(cantFail(judge(Config, "it", 0, "ops 7", 1)).Value, 7);
  auto Failed = judge(Config, "it", 3, "ops 7", 1);
  ASSERT_FALSE(bool(Failed));
  EXPECT_EQ(toString(Failed.takeError()), "it failed with exit code 3");
}

TEST(BisectWindows, WrittenCandidatesComeFirst) {
  std::vector<PageCandidate> Candidates(4);
  weighByWrites(Candidates, {{{1, 3}}});
  std::vector<double> Weights;
  for (const PageCandidate &C : Candidates)
    Weights.push_back(C.Prior);
  EXPECT_EQ(Weights, (std::vector<double>{1, 8, 8, 1}));
  EXPECT_EQ(remoteIn({Stage::Search, {{1, 3}}}, 4),
            (std::vector<bool>{false, true, true, false}));
}

TEST(Placements, TheLastEqualsSignCounts) {
  std::vector<PlaceRequest> Requests = cantFail(
      parsePlaceRequests({"operator===1", "all=interleave", "x=default"}));
  EXPECT_EQ(Requests[0].Selector, "operator==");
  EXPECT_EQ(Requests[0].Target.Node, 1);
  EXPECT_EQ(Requests[1].Target.Target, Placement::Kind::Interleave);
  EXPECT_EQ(Requests[2].Target.Target, Placement::Kind::Default);
}

TEST(Placements, SaysWhatIsMissing) {
  for (const char *Bad : {"all", "=1", "all=", "all=-1", "all=one"}) {
    auto Requests = parsePlaceRequests({Bad});
    ASSERT_FALSE(bool(Requests)) << Bad;
    EXPECT_NE(toString(Requests.takeError()).find("expected"),
              std::string::npos);
  }
}
