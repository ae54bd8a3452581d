// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StepEvidence.h"
#include "Times.h"
#include "gtest/gtest.h"

using namespace linesman::process;
using namespace linesman::watch;

namespace {

constexpr ThreadId First{1}, Second{2};
constexpr RunAddress Site{0x1000};

/// A line of two threads that run all the time.
struct SteppedScene {
  Evidence Known;
  LineResult Line;
  uint64_t Now = 0;

  SteppedScene() {
    Line.Watched = {{0x4000}, 16};
    look();
  }

  /// A second later.
  void look() {
    Known.lookAtProcess(2 * Now);
    for (ThreadId Thread : {First, Second})
      Known.look(Thread, {Now, 0, Now / Millisecond}, Now);
    Now += 1000 * Millisecond;
  }

  /// So many steps at both words, for 10 ms each, of which every trap takes 1.
  void watch(unsigned Steps, uint64_t Traps = 0) {
    const std::vector<Aim> Aims = {{0, {0, 8}, {0x4000}},
                                   {0, {8, 8}, {0x4008}}};
    std::vector<ThreadStep> Threads;
    for (ThreadId Thread : {First, Second}) {
      ThreadStep Step;
      Step.Thread = Thread;
      Step.Traps = Traps;
      Step.Exposures.fill({10 * Millisecond, 10 * Millisecond});
      Threads.push_back(Step);
    }
    for (unsigned I = 0; I != Steps; ++I)
      noteExposures(Aims, Threads, /*SecondsPerHit=*/0.001, Known);
    look();
  }

  bool judge() {
    return judgeLine(0, Known, [](ThreadId) { return false; }, Line);
  }
};

TEST(StepEvidence, NothingSeenIsAVerdictOnceItWasLookedFor) {
  SteppedScene S;
  S.look();
  EXPECT_FALSE(S.judge());
  S.watch(20);
  EXPECT_TRUE(S.judge());
  EXPECT_TRUE(S.Line.Absent.suffices());
}

TEST(StepEvidence, TimeInTrapsIsNotTheThreads) {
  SteppedScene S;
  S.look();
  S.watch(20, /*Traps=*/10);
  EXPECT_FALSE(S.judge());
}

TEST(StepEvidence, APartThatWasWatchedSaysNothingOfItsWord) {
  SteppedScene S;
  S.look();
  ThreadStep Step;
  Step.Thread = First;
  Step.Exposures.fill({10 * Millisecond, 10 * Millisecond});
  for (unsigned I = 0; I != 40; ++I)
    noteExposures({{0, {0, 4}, {0x4000}}, {0, {4, 4}, {0x4004}}}, Step, 0,
                  S.Known);
  S.look();
  EXPECT_FALSE(S.judge());
}

TEST(StepEvidence, SharingNeedsNoAbsence) {
  SteppedScene S;
  S.Line.Matrix.addExact(First, AccessKind::Write, Site, bytesOf({0, 8}), 9);
  S.Line.Matrix.addExact(Second, AccessKind::Write, Site, bytesOf({0, 8}), 9);
  S.look();
  S.judge();
  EXPECT_EQ(S.Line.Matrix.verdict(), Verdict::TrueSharing);
  EXPECT_FALSE(S.Line.IsKindKnown) << "they may be at the other word as well";
  S.watch(40);
  EXPECT_TRUE(S.judge());
  EXPECT_TRUE(S.Line.IsKindKnown);
}

/// Hits of one instruction at a half, with both halves armed.
std::vector<Hit> hits(unsigned Half, unsigned Count) {
  Hit One;
  One.Thread = First;
  One.AimIndex = Half;
  One.Site = Site;
  One.AllArmed = true;
  return std::vector<Hit>(Count, One);
}

TEST(StepEvidence, HalvesAreTwoAimsBelowAWord) {
  EXPECT_TRUE(areHalves({{0, {0, 4}, {}}, {0, {4, 4}, {}}}));
  EXPECT_FALSE(areHalves({{0, {0, 8}, {}}, {0, {8, 8}, {}}}));
  EXPECT_FALSE(areHalves({{0, {0, 4}, {}}}));
}

TEST(StepEvidence, WhoIsMetAtOneHalfDoesNotTouchTheOther) {
  const Aim Halves[] = {{0, {0, 4}, {}}, {0, {4, 4}, {}}};
  auto IsUndecided = [&](const std::vector<Hit> &Seen) {
    SharingMatrix Matrix;
    Matrix.add(First, AccessKind::Read, Site, {0, 8}, 1);
    Matrix.add(First, AccessKind::Read, Site, {0, 4}, 1);
    excludeHalves(Halves, Seen, Matrix);
    for (ByteRange Word : Matrix.wordsToSharpen())
      if (Word.Offset == 0)
        return true;
    return false;
  };
  EXPECT_TRUE(IsUndecided({}));
  EXPECT_TRUE(IsUndecided(hits(0, 2))) << "a loop may not have come round";
  std::vector<Hit> Mixed = hits(0, 3);
  Mixed.push_back(hits(1, 1).front());
  EXPECT_TRUE(IsUndecided(Mixed));
  // Which of its bytes it touches is still open: the other half is not.
  SharingMatrix Matrix;
  Matrix.add(First, AccessKind::Read, Site, {0, 8}, 1);
  excludeHalves(Halves, hits(0, 3), Matrix);
  Matrix.add(First, AccessKind::Read, Site, {0, 4}, 1);
  ASSERT_EQ(Matrix.threads().size(), 1u);
  EXPECT_EQ(Matrix.threads()[0].Read & bytesOf({4, 4}), ByteSet());
}

} // namespace
