// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/Stretch.h"
#include "gtest/gtest.h"
#include <csignal>
#include <fstream>

using namespace llvm;
using namespace linesman::drive;

static bool never() { return false; }

static Stretch run(StretchConfig Config) {
  Expected<std::optional<Stretch>> Result = runStretch(Config, never);
  EXPECT_TRUE(bool(Result));
  if (!Result) {
    ADD_FAILURE() << toString(Result.takeError());
    return {};
  }
  EXPECT_TRUE(Result->has_value());
  return **Result;
}

TEST(Stretch, HasOutputAndExitCode) {
  Stretch Result = run({"echo hello; exit 3"});
  EXPECT_EQ(Result.Output, "hello\n");
  EXPECT_EQ(Result.ExitCode, 3);
  EXPECT_FALSE(Result.Signal);
}

TEST(Stretch, HasTheSignalThatEndedIt) {
  EXPECT_EQ(run({"kill -9 $$"}).Signal, SIGKILL);
}

TEST(Stretch, ReadsNothingFromTheTerminal) {
  EXPECT_EQ(run({"cat; echo end"}).Output, "end\n");
}

TEST(Stretch, CountsItsOwnTimeWithWhatItStarts) {
  Stretch Result =
      run({"sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; true"});
  EXPECT_GT(Result.RunSeconds, 0);
  EXPECT_GE(Result.Seconds, Result.RunSeconds * 0.5);
}

TEST(Stretch, CountsEvents) {
  const Event *Faults = findEvent("page-faults");
  ASSERT_TRUE(Faults);
  StretchConfig Config{"true", Faults, ""};
  EXPECT_GT(run(Config).Events.value_or(0), 0u);
  EXPECT_EQ(findEvent("nonsense"), nullptr);
}

TEST(Stretch, AProbeDecides) {
  StretchConfig Config{"echo server; exec sleep 1000", nullptr,
                       "kill -0 $LINESMAN_PID && echo probe"};
  Stretch Result = run(Config);
  EXPECT_EQ(Result.Output, "probe\n");
  EXPECT_EQ(Result.ExitCode, 0);
}

TEST(Stretch, ACommandThatEndsBeforeItsProbeIsAnError) {
  Expected<std::optional<Stretch>> Result =
      runStretch({"exit 0", nullptr, "sleep 0.3"}, never);
  ASSERT_FALSE(bool(Result));
  EXPECT_EQ(toString(Result.takeError()),
            "the command ended before its probe: 'exit 0'");
}

TEST(Stretch, EndsWhatIsUnwanted) {
  unsigned Asked = 0;
  Expected<std::optional<Stretch>> Result =
      runStretch({"trap '' TERM; while :; do sleep 0.05; done"},
                 [&] { return ++Asked > 3; });
  ASSERT_TRUE(bool(Result));
  EXPECT_FALSE(Result->has_value());
}

TEST(Stretch, OnlyWaitsThatOthersCausedDisturb) {
  Stretch Alone;
  Alone.RunSeconds = 2;
  Alone.WaitSeconds = 5;
  Alone.ForeignSeconds = 0.01;
  EXPECT_FALSE(isDisturbed(Alone, WaitBase::Ready))
      << "more threads than processors";
  Stretch Busy = Alone;
  Busy.ForeignSeconds = 1;
  EXPECT_TRUE(isDisturbed(Busy, WaitBase::Ready));
  Busy.WaitSeconds = 0.05;
  EXPECT_FALSE(isDisturbed(Busy, WaitBase::Ready))
      << "others had processors of their own";
}

TEST(Stretch, WaitsAreHeldAgainstWhatTheMetricHolds) {
  // 5 ms of work in a second.
  Stretch Sleepy;
  Sleepy.Seconds = 1;
  Sleepy.RunSeconds = 0.005;
  Sleepy.WaitSeconds = 0.001;
  Sleepy.ForeignSeconds = 0.5;
  EXPECT_FALSE(isDisturbed(Sleepy, WaitBase::Elapsed));
  EXPECT_TRUE(isDisturbed(Sleepy, WaitBase::Ready));
  Sleepy.WaitSeconds = 0.1;
  EXPECT_TRUE(isDisturbed(Sleepy, WaitBase::Elapsed)) << "a tenth longer";

  // Two threads that work all the time wait for a tenth of it, each.
  Stretch Busy;
  Busy.Seconds = 1;
  Busy.RunSeconds = 1.8;
  Busy.WaitSeconds = 0.2;
  Busy.ForeignSeconds = 0.2;
  EXPECT_TRUE(isDisturbed(Busy, WaitBase::Elapsed));
  EXPECT_TRUE(isDisturbed(Busy, WaitBase::Ready));
  // No more than in one that is always ready.
  Busy.WaitSeconds = 0.08;
  EXPECT_FALSE(isDisturbed(Busy, WaitBase::Elapsed));
}
