// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/NodeSpeeds.h"
#include "linesman/Drive/RegisterHolders.h"
#include "gtest/gtest.h"
#include <unistd.h>

using namespace llvm;
using namespace linesman::drive;

/// Two nodes: latency in nanoseconds, bandwidth in GB/s.
static std::vector<NodeSpeed> twoNodes(double Local, double Remote,
                                       double LocalReads, double RemoteReads) {
  return {{0, 0, Local, LocalReads * 1e9, 0, 8},
          {0, 1, Remote, RemoteReads * 1e9, 0, 8}};
}

// Published figures of a Haswell-EP, in early snoop and in home snoop.
TEST(NodeSpeeds, EarlySnoopIsAnAnomaly) {
  std::vector<Advice> Advices = diagnose(twoNodes(90, 130, 46, 6.3));
  ASSERT_EQ(Advices.size(), 1u);
  EXPECT_EQ(Advices[0].Is, Advice::Warning);
  EXPECT_NE(Advices[0].Text.find("6.3 GB/s, its own with 46.0: 7.3 times less"),
            std::string::npos);
}

TEST(NodeSpeeds, HomeSnoopIsNone) {
  EXPECT_TRUE(diagnose(twoNodes(90, 130, 46, 25.3)).empty());
}

TEST(NodeSpeeds, OneNodeHasNothingToCompare) {
  EXPECT_TRUE(diagnose({NodeSpeed{0, 0, 90, 46e9, 30e9, 8}}).empty());
}

TEST(NodeSpeeds, MeasuresThisMachine) {
  Expected<Machine> Measured = readMachine();
  ASSERT_TRUE(bool(Measured));
  Expected<std::vector<NodeSpeed>> Speeds = measureNodes(*Measured);
  ASSERT_TRUE(bool(Speeds));
  ASSERT_FALSE(Speeds->empty());
  for (const NodeSpeed &S : *Speeds) {
    EXPECT_GT(S.Latency, 1);
    EXPECT_GT(S.Reads, 1e6);
    EXPECT_GT(S.Writes, 1e6);
    EXPECT_GE(S.Threads, 1u);
  }
}

TEST(RegisterHolders, FreeRegistersAreNoNews) {
  RegisterHolders Holders;
  Holders.Free = 4;
  Holders.WithEvents = {{7, "perf"}};
  EXPECT_TRUE(diagnose(Holders).empty());
}

TEST(RegisterHolders, NamesWhoMayHoldThem) {
  RegisterHolders Holders;
  Holders.Free = 1;
  Holders.Tracer = {5, "gdb"};
  Holders.WithEvents = {{7, "perf"}};
  std::vector<Advice> Advices = diagnose(Holders);
  ASSERT_EQ(Advices.size(), 1u);
  EXPECT_EQ(Advices[0].Text,
            "1 of 4 debug registers of the process's main thread are free for "
            "watch. Process 5 (gdb) traces it: a debugger, or a watch by "
            "ptrace. Process 7 (perf) has perf events, which may be "
            "watchpoints on it.");
}

TEST(RegisterUsers, WhoMayHaveThemIsNamed) {
  RegisterUsers Users;
  Users.Free = 4;
  Users.WithEvents = {{7, "perf"}};
  EXPECT_TRUE(diagnose(Users).empty());
  Users.Traces = {{{5, "gdb"}, {12, "app"}}};
  Users.Free = 0;
  std::vector<Advice> Advices = diagnose(Users);
  ASSERT_EQ(Advices.size(), 2u);
  EXPECT_EQ(Advices[0].Text, "process 5 (gdb) traces process 12 (app), and may "
                             "have debug registers of it that watch needs");
  EXPECT_EQ(Advices[1].Is, Advice::Warning);
  EXPECT_EQ(
      Advices[1].Text,
      "0 of 4 debug registers of any thread are free for watch. Process 7 "
      "(perf) has perf events, which may be watchpoints on whole "
      "processors.");
}

TEST(RegisterUsers, NobodyIsNamedWhereNobodyIsSeen) {
  RegisterUsers Users;
  Users.Free = 0;
  auto Says = [&](StringRef Words) {
    return StringRef(diagnose(Users)[0].Text).contains(Words);
  };
  EXPECT_TRUE(Says("Who has the others is not known: no process that linesman "
                   "may look into has perf events. A process outside"));
  EXPECT_FALSE(Says("root may"));
  Users.HasHidden = true;
  EXPECT_TRUE(Says("may not look into; root may."));
}

TEST(RegisterHolders, ThereIsNoSuchProcess) {
  Expected<RegisterHolders> Holders = findRegisterHolders(999999999);
  ASSERT_FALSE(bool(Holders));
  EXPECT_EQ(toString(Holders.takeError()), "there is no process 999999999");
}
