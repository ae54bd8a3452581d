// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Process/Launchers.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::process;

namespace {

/// The words of what is started, with how many launchers are in front.
std::string started(StringRef Line) {
  SmallVector<StringRef> Parts;
  Line.split(Parts, ' ');
  std::vector<std::string> Words(Parts.begin(), Parts.end());
  LaunchedCommand Result = skipLaunchers(Words);
  return std::to_string(Result.Launchers.size()) + ": " +
         join(Result.Words, " ");
}

TEST(Launchers, AProgramIsItself) {
  EXPECT_EQ(started("./server -c 4"), "0: ./server -c 4");
  EXPECT_EQ(started("bash -c ./server"), "0: bash -c ./server");
  EXPECT_TRUE(skipLaunchers({}).Words.empty());
}

TEST(Launchers, TheirOptionsAreSkipped) {
  EXPECT_EQ(started("env A=1 B=2 ./s A=3"), "1: ./s A=3");
  EXPECT_EQ(started("env -i -u HOME --unset=X ./s -x"), "1: ./s -x");
  EXPECT_EQ(started("/usr/bin/nice -n 5 ./s"), "1: ./s");
  EXPECT_EQ(started("nice -10 ./s"), "1: ./s");
  EXPECT_EQ(started("nice --adjustment 5 ./s"), "1: ./s");
  EXPECT_EQ(started("taskset -c 0,1 ./s"), "1: ./s");
  EXPECT_EQ(started("taskset 0x3 ./s"), "1: ./s");
  EXPECT_EQ(started("numactl -N0 -m 0 --interleave=all ./s"), "1: ./s");
  EXPECT_EQ(started("stdbuf -oL -e 0 ./s"), "1: ./s");
  EXPECT_EQ(started("setarch x86_64 -R ./s"), "1: ./s");
  EXPECT_EQ(started("setarch -R ./s"), "1: ./s");
  EXPECT_EQ(started("chrt -f 10 ./s"), "1: ./s");
  EXPECT_EQ(started("ionice -c3 ./s"), "1: ./s");
  EXPECT_EQ(started("nohup -- ./s -- x"), "1: ./s -- x");
}

TEST(Launchers, OneStartsAnother) {
  EXPECT_EQ(started("env A=1 nice taskset -c 0 ./s 1"), "3: ./s 1");
}

TEST(Launchers, WhatIsNotKnownIsNotGuessed) {
  for (StringRef Line :
       {"env -S ./s", "env -C /tmp ./s", "env PATH=/x s", "taskset -p 1", "env",
        "nice -n", "taskset -c 0", "numactl --hardware", "timeout 5 ./s"})
    EXPECT_EQ(started(Line), ("0: " + Line).str());
}

TEST(Launchers, InterpretersByName) {
  for (StringRef Path : {"/usr/bin/bash", "dash", "/usr/bin/python3.13",
                         "timeout", "/bin/env", "perl5.40"})
    EXPECT_TRUE(isInterpreter(Path)) << Path.str();
  for (StringRef Path : {"./server", "/usr/bin/bashful", "environment"})
    EXPECT_FALSE(isInterpreter(Path)) << Path.str();
}

} // namespace
