// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is one row of the table.

#include "linesman/Scan/ScanReport.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::scan;

namespace {

std::string finding(StringRef Id, StringRef Object, int64_t Size, double Score,
                    StringRef Writer) {
  json::Object Is{
      {"id", Id},
      {"rung", "located"},
      {"kind", "true-sharing"},
      {"score", Score},
      {"occupants",
       json::Array{json::Object{
           {"name", Object},
           {"size", Size},
           {"writes", 1.0},
           {"sites", json::Array{json::Object{{"function", Writer},
                                              {"access", "write"}}}}}}}};
  std::string Text;
  raw_string_ostream(Text) << json::Value(std::move(Is));
  return Text;
}

ScannedFile file(StringRef Package, StringRef Hash,
                 std::vector<std::string> Findings) {
  ScannedFile Is;
  Is.Source.Package = Package.str();
  Is.Path = "usr/bin/a";
  Is.Hash = Hash.str();
  Is.Findings = std::move(Findings);
  return Is;
}

class ScanReportTest : public testing::Test {
protected:
  State Scanned = cantFail(State::open("", ""));

  std::vector<std::string> rows() {
    std::vector<std::string> Result;
    for (const Row &Line : rankScan(Scanned).Rows)
      Result.push_back(Line.finding().getString("id").value_or("").str() + " " +
                       std::to_string(Line.files().size()) + " " +
                       std::to_string(Line.Places.size()));
    return Result;
  }
};

using Rows = std::vector<std::string>;

TEST_F(ScanReportTest, AnObjectOfTwoFilesIsOneRow) {
  cantFail(Scanned.add(file("p", "1", {finding("a", "a", 8, 2, "f")})));
  cantFail(Scanned.add(file("q", "2", {finding("a", "a", 8, 3, "f")})));
  EXPECT_EQ(Rows{"a 2 2"}, rows());
  EXPECT_EQ(3, rankScan(Scanned).Rows.front().Score);
}

TEST_F(ScanReportTest, AnotherSizeOrWriterIsAnotherObject) {
  cantFail(Scanned.add(file("p", "1", {finding("a", "a", 8, 3, "f")})));
  cantFail(Scanned.add(file("q", "2", {finding("a", "a", 16, 2, "f")})));
  cantFail(Scanned.add(file("r", "3", {finding("a", "a", 8, 1, "g")})));
  EXPECT_EQ((Rows{"a 1 1", "a 1 1", "a 1 1"}), rows());
}

TEST_F(ScanReportTest, LinesOfOneObjectAreOneRow) {
  cantFail(Scanned.add(
      file("p", "1",
           {finding("t", "t", 512, 1, "f"), finding("t+0x40", "t", 512, 9, "g"),
            finding("u", "u", 8, 5, "f")})));
  EXPECT_EQ((Rows{"t+0x40 1 2", "u 1 1"}), rows());
}

TEST_F(ScanReportTest, WithoutANameItIsTheSameInTheSameFileOnly) {
  cantFail(Scanned.add(
      file("p", "1", {finding(".bss+0x8", ".bss+0x8", 8, 1, "f")})));
  cantFail(Scanned.add(
      file("q", "2", {finding(".bss+0x8", ".bss+0x8", 8, 2, "f")})));
  cantFail(Scanned.add(
      file("r", "1", {finding(".bss+0x8", ".bss+0x8", 8, 1, "f")})));
  EXPECT_EQ((Rows{".bss+0x8 1 1", ".bss+0x8 2 2"}), rows());
}

TEST_F(ScanReportTest, ThePageHasScoresOfSixDigits) {
  cantFail(Scanned.add(file("p", "1", {finding("a", "a", 8, 1.0 / 3, "f")})));
  std::string Page;
  raw_string_ostream OS(Page);
  writeHtml(rankScan(Scanned), 10, OS);
  // Rows are objects of the one array that begins with them.
  size_t Rows = Page.find("\"rows\":[{\"score\":0.333333,\"id\":\"a\"");
  EXPECT_NE(Rows, std::string::npos) << Page;
  EXPECT_NE(Page.find("\"files\":[[\"p\",\"usr/bin/a\"]]", Rows),
            std::string::npos);
  EXPECT_NE(Page.find("\"uses\":[[\"a\",\"write\",\"f\"]]", Rows),
            std::string::npos);
}

TEST_F(ScanReportTest, WhatWasNotReadIsCounted) {
  cantFail(Scanned.add(file("p", "1", {})));
  ScannedFile Bad = file("q", "2", {});
  Bad.Problem = "no ELF";
  cantFail(Scanned.add(std::move(Bad)));
  ScannedFile Good = file("r", "3", {finding("a", "a", 8, 3, "f")});
  Good.Hidden = 4;
  cantFail(Scanned.add(std::move(Good)));
  ScanReport Is = rankScan(Scanned);
  EXPECT_EQ(2u, Is.Read);
  EXPECT_EQ(1u, Is.WithFindings);
  EXPECT_EQ(1u, Is.NotRead);
  EXPECT_EQ(5u, Is.Findings);
  std::string Text;
  raw_string_ostream OS(Text);
  writeText(Is, 10, 80, /*Changes=*/nullptr, OS);
  EXPECT_NE(std::string::npos, Text.find("1 file not read")) << Text;
  EXPECT_NE(std::string::npos, Text.find("  q: usr/bin/a: no ELF\n")) << Text;
}

TEST_F(ScanReportTest, AGateKnowsWhatWasNotSeen) {
  ScannedFile Is = file("p", "1", {});
  cantFail(Scanned.add(Is));
  EXPECT_EQ("", rankScan(Scanned).whyBlind());
  Is.Path = "usr/bin/b";
  Is.Blind = "no facts in this binary";
  cantFail(Scanned.add(Is));
  EXPECT_EQ("p: usr/bin/b: no facts in this binary",
            rankScan(Scanned).whyBlind());
  Is.Path = "usr/bin/c";
  Is.Blind.clear();
  Is.Hidden = 3;
  cantFail(Scanned.add(Is));
  Is.Path = "usr/bin/d";
  Is.Problem = "unreadable";
  cantFail(Scanned.add(Is));
  EXPECT_EQ("p: usr/bin/b: no facts in this binary; and 2 more files",
            rankScan(Scanned).whyBlind());
}

TEST_F(ScanReportTest, TextHasWhatIsNewOrWorse) {
  cantFail(Scanned.add(file("p", "1",
                            {finding("old", "old", 8, 3, "f"),
                             finding("added", "added", 8, 2, "g")})));
  linesman::report::Comparison Changes;
  Changes.New = 1;
  Changes.OldTotal = 3;
  Changes.Unaccepted.insert("added");
  std::string Text;
  raw_string_ostream OS(Text);
  writeText(rankScan(Scanned), 10, 100, &Changes, OS);
  EXPECT_NE(Text.find("2 more than accepted: 1 new, 0 worse"),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("2. added"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("1. old"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("--top=N shows more"), std::string::npos) << Text;
}

} // namespace
