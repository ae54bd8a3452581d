// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a scan knows survives its end, whatever that was.

#include "linesman/Scan/State.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::scan;

namespace {

class StateTest : public testing::Test {
protected:
  SmallString<128> Path;

  void SetUp() override {
    ASSERT_FALSE(sys::fs::createTemporaryFile("state", "jsonl", Path));
    sys::fs::remove(Path);
  }
  void TearDown() override { sys::fs::remove(Path); }

  State open(StringRef Reader = "one") {
    Expected<State> Is = State::open(Path, Reader);
    EXPECT_TRUE(bool(Is));
    return std::move(*Is);
  }
  void write(StringRef Text) {
    std::error_code EC;
    raw_fd_ostream(Path, EC, sys::fs::OF_Append) << Text;
    EXPECT_FALSE(EC);
  }
  std::string openBad() {
    Expected<State> Is = State::open(Path, "one");
    return Is ? "no error" : toString(Is.takeError());
  }
};

ScannedFile file(StringRef Path, StringRef Hash) {
  ScannedFile Is;
  Is.Source = {"squid", "5.7"};
  Is.Path = Path.str();
  Is.Hash = Hash.str();
  Is.Size = 12;
  Is.Seconds = 0.5;
  Is.PeakKiB = 3;
  Is.TotalScore = 4.5;
  Is.Hidden = 2;
  Is.Findings.push_back(R"({"id":"a","score":4})");
  return Is;
}

TEST_F(StateTest, IsReadBack) {
  State Is = open();
  EXPECT_EQ(nullptr, Is.find("h"));
  EXPECT_FALSE(Is.hasPackage("squid"));
  cantFail(Is.add(file("usr/sbin/squid", "h")));
  cantFail(Is.add(ScannedPackage{{"squid", "5.7"}, 1}));
  State Again = open();
  const ScannedFile *Found = Again.find("h");
  ASSERT_NE(nullptr, Found);
  EXPECT_EQ("squid", Found->Source.Package);
  EXPECT_EQ("5.7", Found->Source.Version);
  EXPECT_EQ("usr/sbin/squid", Found->Path);
  EXPECT_EQ(12u, Found->Size);
  EXPECT_EQ(0.5, Found->Seconds);
  EXPECT_EQ(3u, Found->PeakKiB);
  EXPECT_EQ(4.5, Found->TotalScore);
  EXPECT_EQ(2u, Found->Hidden);
  ASSERT_EQ(1u, Found->Findings.size());
  EXPECT_EQ(R"({"id":"a","score":4})", Found->Findings.front());
  EXPECT_TRUE(Again.hasPackage("squid"));
  EXPECT_EQ(1u, Again.packages().at("squid").Files);
}

TEST_F(StateTest, ForgetsNothingBesideALineWithoutItsEnd) {
  cantFail(open().add(file("a", "h")));
  write("{\"scan\": \"file\", \"pa");
  State Again = open();
  EXPECT_NE(nullptr, Again.find("h"));
  cantFail(Again.add(file("b", "i")));
  State Last = open();
  EXPECT_NE(nullptr, Last.find("h"));
  EXPECT_NE(nullptr, Last.find("i"));
  EXPECT_EQ(2u, Last.files().size());
}

TEST_F(StateTest, SaysNothingTwice) {
  State First = open();
  ASSERT_FALSE(bool(First.add(file("usr/sbin/squid", "h"))));
  ASSERT_FALSE(bool(First.add(ScannedPackage{{"squid", "5.7"}, 1})));
  uint64_t Before = 0, After = 0;
  ASSERT_FALSE(sys::fs::file_size(Path, Before));
  State Again = open();
  ASSERT_FALSE(bool(Again.add(file("usr/sbin/squid", "h"))));
  ASSERT_FALSE(bool(Again.add(ScannedPackage{{"squid", "5.7"}, 1})));
  ASSERT_FALSE(sys::fs::file_size(Path, After));
  EXPECT_EQ(Before, After);
  // The same package with other contents is news.
  ASSERT_FALSE(bool(Again.add(file("usr/sbin/squid", "other"))));
  ASSERT_FALSE(sys::fs::file_size(Path, After));
  EXPECT_LT(Before, After);
}

TEST_F(StateTest, LaterResultsWin) {
  State Is = open();
  cantFail(Is.add(file("a", "h")));
  cantFail(Is.add(file("a", "i")));
  for (const State &Known : {std::move(Is), open()}) {
    EXPECT_EQ(1u, Known.files().size());
    EXPECT_EQ(nullptr, Known.find("h")) << "the file is another one now";
    EXPECT_NE(nullptr, Known.find("i"));
  }
}

TEST_F(StateTest, ProblemsAreTriedAgain) {
  State Is = open();
  ScannedFile Bad = file("a", "h");
  Bad.Problem = "it took longer than 1 s";
  cantFail(Is.add(std::move(Bad)));
  State Again = open();
  EXPECT_EQ(nullptr, Again.find("h"));
  EXPECT_FALSE(Again.hasPackage("squid"));
  EXPECT_EQ("it took longer than 1 s", Again.files().begin()->second.Problem);
}

TEST_F(StateTest, ResultsOfAnotherReaderAreLeftOut) {
  cantFail(open("one").add(file("a", "h")));
  EXPECT_EQ(nullptr, open("two").find("h"));
}

TEST_F(StateTest, WhatIsNoStateIsAnError) {
  write("hello\n");
  EXPECT_NE(std::string::npos, openBad().find("line 1: "));
  sys::fs::remove(Path);
  write("{\"schema\": 1}\n");
  EXPECT_NE(std::string::npos,
            openBad().find("line 1: neither a file nor a package of a scan"));
  sys::fs::remove(Path);
  write("{\n  \"schema\": 1\n}\n");
  EXPECT_NE(std::string::npos, openBad().find("line 2: "));
}

} // namespace
