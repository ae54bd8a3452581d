// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pure parts of a session: schedule, budget, choice of threads, and the
// reader of records.

#include "linesman/Watch/Budget.h"
#include "linesman/Watch/RecordFile.h"
#include "linesman/Watch/Schedule.h"
#include "linesman/Watch/ThreadChoice.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace linesman::process;
using namespace linesman::watch;

namespace {

TEST(Schedule, EveryWordOnceATurn) {
  Schedule Plan({{{0x1000}, 64}, {{0x2000}, 128}}, 1);
  std::set<uint64_t> Seen;
  unsigned Steps = 0;
  while (Plan.turns() == 0) {
    std::vector<Aim> Aims = Plan.next(2);
    ASSERT_FALSE(Aims.empty());
    for (const Aim &A : Aims) {
      EXPECT_EQ(A.Line, Aims.front().Line);
      EXPECT_TRUE(Seen.insert(A.Address.Value).second);
    }
    ++Steps;
  }
  EXPECT_EQ(Seen.size(), 8u + 16u);
  EXPECT_EQ(Steps, 4u + 8u);
}

TEST(Schedule, RefinementComesFirstAndEnds) {
  Schedule Plan({{{0x1000}, 64}}, 1);
  Plan.refine(0, {8, 8}, 1);
  Plan.refine(0, {8, 8}, 1);
  EXPECT_EQ(Plan.refinements(0, {8, 8}), 2u);
  EXPECT_EQ(Plan.refinements(0, {16, 8}), 0u);
  for (ByteRange Left :
       {ByteRange{8, 4}, ByteRange{8, 2}, ByteRange{12, 2}, ByteRange{8, 1},
        ByteRange{10, 1}, ByteRange{12, 1}, ByteRange{14, 1}}) {
    std::vector<Aim> Aims = Plan.next(2);
    ASSERT_EQ(Aims.size(), 2u);
    EXPECT_EQ(Aims[0].Bytes, Left);
    EXPECT_EQ(Aims[1].Bytes, (ByteRange{Left.Offset + Left.Size, Left.Size}));
    EXPECT_EQ(Aims[0].Address.Value, 0x1000 + Left.Offset);
  }
  EXPECT_EQ(Plan.next(2)[0].Bytes.Size, 8u);
}

/// The offsets of one turn in their order.
std::vector<unsigned> takeTurn(Schedule &Plan) {
  std::vector<unsigned> Order;
  for (unsigned Turn = Plan.turns(); Turn == Plan.turns();)
    for (const Aim &A : Plan.next(1))
      Order.push_back(A.Bytes.Offset);
  return Order;
}

TEST(Schedule, ATurnHasAnotherOrderThanTheOneBefore) {
  Schedule Plan({{{0x1000}, 64}}, 1);
  std::set<std::vector<unsigned>> Orders;
  for (unsigned Turn = 0; Turn != 8; ++Turn)
    Orders.insert(takeTurn(Plan));
  EXPECT_GT(Orders.size(), 6u);
}

TEST(Schedule, TimeIsForLinesThatNeedIt) {
  Schedule Plan({{{0x1000}, 64}, {{0x2000}, 64}}, 1);
  takeTurn(Plan);
  Plan.want(0, false);
  takeTurn(Plan); // begun before
  for (unsigned Step = 0; Step != 8; ++Step)
    EXPECT_EQ(Plan.next(1)[0].Line, 1u);
  Plan.want(1, false);
  takeTurn(Plan);
  EXPECT_EQ(takeTurn(Plan).size(), 16u) << "nobody needs it: all get it";
}

TEST(Budget, PausesUntilTheDebtIsPaid) {
  Budget Debt(0.05, 10e-6, 4);
  EXPECT_EQ(Debt.pause(0), 0);
  Debt.chargeTraps(100, 100); // 1 ms
  EXPECT_NEAR(Debt.pause(0.004), 0.016, 1e-9);
  EXPECT_EQ(Debt.pause(0.03), 0);
  Debt.chargeTraps(10, 800); // many threads on few processors: 2 ms
  EXPECT_NEAR(Debt.spent(), 0.003, 1e-9);
  Debt.chargeOwnTime(0.004);
  EXPECT_NEAR(Debt.spent(), 0.004, 1e-9);
}

TEST(ThreadChoice, AllWhereAllFit) {
  ThreadChoice Choice;
  std::vector<ThreadId> All = {{1}, {2}, {3}};
  EXPECT_EQ(Choice.next(All, 3), All);
}

TEST(ThreadChoice, BusyOnesAlwaysAndTheRestInTurn) {
  ThreadChoice Choice;
  std::vector<ThreadId> All;
  for (int I = 1; I <= 100; ++I)
    All.push_back({I});
  std::set<int> Seen;
  for (uint64_t Round = 1; Round != 40; ++Round) {
    // Of one that is not there any more the last look still knows.
    Choice.look({{{5}, 10},
                 {{77}, Round * 1000},
                 {{78}, Round * 1000},
                 {{101}, Round * 9000}});
    std::vector<ThreadId> Batch = Choice.next(All, 8);
    EXPECT_EQ(Batch.size(), 8u);
    EXPECT_TRUE(std::count(Batch.begin(), Batch.end(), ThreadId{77}));
    EXPECT_TRUE(std::count(Batch.begin(), Batch.end(), ThreadId{78}));
    EXPECT_FALSE(std::count(Batch.begin(), Batch.end(), ThreadId{101}));
    for (ThreadId T : Batch)
      Seen.insert(T.Value);
  }
  EXPECT_EQ(Seen.size(), 100u);
}

constexpr const char *SmallRecord = R"(linesman-record 1
thread 2 65 shard one
thread 3 66 shard-2
site 1 401001
site 2 401011
stack 7 402001 402011
block 8000 40 7
line 8000 1
use 2 0 ff 0 0 1
use 3 ff 0 0 2 0
line 8040 0
use 2 0 ff 0 0 1
line 8080 0
use 3 0 ff 0 0 2
retired 9000 5 9000 10 7
use 2 0 f 0 0 1
use 3 0 f0 0 0 2
detail 8000 2 1 1 64
lost sites 3
end
)";

TEST(RecordFile, ReadsWhatTheRuntimeWrites) {
  llvm::Expected<Record> R = parseRecord(SmallRecord, "prog");
  ASSERT_TRUE(bool(R)) << llvm::toString(R.takeError());
  ASSERT_EQ(R->Lines.size(), 4u);
  EXPECT_EQ(R->ThreadNames[{0x65}], "shard one");
  const RecordedLine *Used = nullptr, *Freed = nullptr;
  for (const RecordedLine &L : R->Lines) {
    if (L.Line.Watched.Address.Value == 0x8000)
      Used = &L;
    if (L.Freed)
      Freed = &L;
  }
  ASSERT_TRUE(Used && Freed);
  EXPECT_EQ(Used->Line.Matrix.verdict(), Verdict::TrueSharing);
  ASSERT_TRUE(Used->Block.has_value());
  EXPECT_EQ(Used->Block->Stack.size(), 2u);
  EXPECT_EQ(Used->Line.Matrix.fields()[0].Accesses[0].Writes, 100u);
  EXPECT_EQ(Freed->Freed, 5u);
  EXPECT_EQ(Freed->Line.Matrix.verdict(), Verdict::FalseSharing);
  ASSERT_EQ(R->Lost.size(), 1u);
  EXPECT_EQ(R->Lost[0].Subject, "sites");
}

TEST(RecordFile, PredictsLongerLinesAndMoves) {
  // 8080 and 80c0 are one pair of 128 bytes; byte 56 of the one and byte 0 of
  // the other meet as soon as both move down by 8.
  std::string Text = "linesman-record 1\nthread 2 65 a\nthread 3 66 b\n"
                     "line 8080 0\nuse 2 0 ff00000000000000 0 0 0\n"
                     "line 80c0 0\nuse 3 0 ff 0 0 0\nend\n";
  llvm::Expected<Record> R = parseRecord(Text, "prog");
  ASSERT_TRUE(bool(R)) << llvm::toString(R.takeError());
  ASSERT_EQ(R->Predictions.size(), 2u);
  EXPECT_EQ(R->Predictions[0].Reason, Prediction::Cause::LongerLines);
  EXPECT_EQ(R->Predictions[1].Reason, Prediction::Cause::Placement);
  EXPECT_EQ(R->Predictions[1].Shift, 8u);
}

TEST(RecordFile, RefusesOtherFiles) {
  for (const char *Text :
       {"", "linesman-record 2\nend\n", "linesman-record 1\n",
        "linesman-record 1\nuse 1 2 3 4 5 6\nend\n",
        "linesman-record 1\nline zz 0\nend\n",
        "linesman-record 1\nwhat 1\nend\n"}) {
    llvm::Expected<Record> R = parseRecord(Text, "prog");
    EXPECT_FALSE(bool(R)) << Text;
    llvm::consumeError(R.takeError());
  }
}

} // namespace
