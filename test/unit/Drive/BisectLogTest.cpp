// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/BisectLog.h"
#include "../TemporaryFolder.h"

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::drive;

namespace {

struct Counting : Oracle {
  unsigned Asked = 0;
  WindowOutcome measure(const WindowRequest &) override {
    return {WindowState::Measured, double(++Asked)};
  }
};

WindowRequest window(CandidateIndex Begin) {
  return {Stage::Search, {{Begin, Begin + 1}}};
}

WindowLog newLog() {
  WindowLog Log;
  Log.Identity = "abc";
  Log.Candidates = 4;
  return Log;
}

/// Measures the windows \p First to 3 into \p Path.
void measureFrom(StringRef Path, LogStart Start, CandidateIndex First,
                 Counting &Inner) {
  WindowLog Log = newLog();
  auto Logged = cantFail(LoggedOracle::open(Path, Start, Log));
  Logged->setInner(Inner);
  for (CandidateIndex I = First; I != 4; ++I)
    EXPECT_EQ(Logged->measure(window(I)).Value, I + 1);
  EXPECT_FALSE(bool(Logged->takeError()));
}

} // namespace

TEST(BisectLog, WhatWasMeasuredIsNotMeasuredAgain) {
  TemporaryFolder Folder;
  Counting First, Second;
  measureFrom(Folder.file("log"), LogStart::New, 0, First);
  EXPECT_EQ(First.Asked, 4u);
  measureFrom(Folder.file("log"), LogStart::Resume, 0, Second);
  EXPECT_EQ(Second.Asked, 0u);
}

TEST(BisectLog, AHalfLineIsMeasuredAgain) {
  TemporaryFolder Folder;
  Counting First, Second;
  measureFrom(Folder.file("log"), LogStart::New, 0, First);
  std::string Text = Folder.read("log");
  Folder.write("log", StringRef(Text).drop_back(3));
  Second.Asked = 3;
  measureFrom(Folder.file("log"), LogStart::Resume, 0, Second);
  EXPECT_EQ(Second.Asked, 4u);
  EXPECT_EQ(Folder.read("log"), Text);
}

TEST(BisectLog, NothingThatWasPaidForIsOverwritten) {
  TemporaryFolder Folder;
  Folder.write("log", "mine");
  WindowLog Log = newLog();
  auto Logged = LoggedOracle::open(Folder.file("log"), LogStart::New, Log);
  ASSERT_FALSE(bool(Logged));
  EXPECT_NE(toString(Logged.takeError()).find("the log exists"),
            std::string::npos);
  EXPECT_EQ(Folder.read("log"), "mine");
}

TEST(BisectLog, ALogOfAnotherSearchIsRefused) {
  TemporaryFolder Folder;
  Counting First;
  measureFrom(Folder.file("log"), LogStart::New, 0, First);
  std::string Text = Folder.read("log");
  WindowLog Other = newLog();
  Other.Identity = "abd";
  auto Logged = LoggedOracle::open(Folder.file("log"), LogStart::Resume, Other);
  ASSERT_FALSE(bool(Logged));
  EXPECT_NE(toString(Logged.takeError()).find("another search"),
            std::string::npos);
  EXPECT_EQ(Folder.read("log"), Text);
}

TEST(BisectLog, ASearchThatAsksOtherwiseStops) {
  TemporaryFolder Folder;
  Counting Inner;
  measureFrom(Folder.file("log"), LogStart::New, 0, Inner);
  WindowLog Log = newLog();
  auto Logged =
      cantFail(LoggedOracle::open(Folder.file("log"), LogStart::Resume, Log));
  Logged->setInner(Inner);
  EXPECT_EQ(Logged->measure(window(2)).State, WindowState::Stopped);
  EXPECT_NE(
      toString(Logged->takeError()).find(":2: the log has another window"),
      std::string::npos);
}
