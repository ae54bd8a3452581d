// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of lines as hunks. test/tidy-command/patch.test applies one.

#include "linesman/Report/Patch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::report;

namespace {

/// A file of lines "1" to \p Lines in a folder that is the root of its tree.
class PatchTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("patch", Folder));
    File = Folder;
    sys::path::append(File, "a.cpp");
  }
  void TearDown() override { sys::fs::remove_directories(Folder); }

  void write(unsigned Lines, StringRef End = "\n") {
    std::error_code EC;
    raw_fd_ostream OS(File, EC);
    for (unsigned I = 1; I <= Lines; ++I)
      OS << I << (I == Lines ? End : "\n");
  }

  FindingEdit edit(unsigned Line, StringRef Before, StringRef After) const {
    return {{File.str().str(), Line}, Before.str(), After.str()};
  }

  Expected<std::string> patch(std::vector<FindingEdit> Edits) const {
    Document Report;
    Finding &F = Report.Findings.emplace_back();
    F.Id = "hits";
    F.Fix = std::move(Edits);
    std::string Text;
    raw_string_ostream OS(Text);
    if (Error E = writePatch(Report, SourceRoot(Folder, "/"), OS))
      return std::move(E);
    size_t Begin = Text.find("\n--- ");
    return Begin == std::string::npos ? Text : Text.substr(Begin + 1);
  }

  SmallString<128> Folder, File;
};

TEST_F(PatchTest, TwoHunks) {
  write(20);
  // In any order; the second hunk begins a line later for what the first adds.
  EXPECT_EQ(cantFail(patch({edit(15, "15", "x"), edit(2, "2", "2\n2b")})),
            "--- a/a.cpp\n+++ b/a.cpp\n"
            "@@ -1,5 +1,6 @@\n 1\n-2\n+2\n+2b\n 3\n 4\n 5\n"
            "@@ -12,7 +13,7 @@\n 12\n 13\n 14\n-15\n+x\n 16\n 17\n 18\n");
}

TEST_F(PatchTest, NearEditsAreOneHunkAndAdjacentOnesOneChange) {
  write(12);
  EXPECT_EQ(cantFail(patch({edit(4, "4", "x"), edit(5, "5", "y"),
                            edit(10, "10\n11", "z")})),
            "--- a/a.cpp\n+++ b/a.cpp\n"
            "@@ -1,12 +1,11 @@\n 1\n 2\n 3\n-4\n-5\n+x\n+y\n 6\n 7\n 8\n 9\n"
            "-10\n-11\n+z\n 12\n");
}

TEST_F(PatchTest, LastLineWithoutAnEnd) {
  write(2, "");
  EXPECT_EQ(cantFail(patch({edit(2, "2", "x")})),
            "--- a/a.cpp\n+++ b/a.cpp\n@@ -1,2 +1,2 @@\n 1\n"
            "-2\n\\ No newline at end of file\n"
            "+x\n\\ No newline at end of file\n");
}

TEST_F(PatchTest, OtherSourceIsAnError) {
  write(3);
  for (FindingEdit Edit : {edit(2, "two", "x"), edit(3, "3\n4", "x"),
                           edit(9, "9", "x"), edit(0, "1", "x")}) {
    Expected<std::string> Text = patch({Edit});
    ASSERT_FALSE(Text) << *Text;
    EXPECT_NE(toString(Text.takeError()).find("not what the checks have seen"),
              std::string::npos);
  }
  sys::fs::remove(File);
  EXPECT_TRUE(errorToBool(patch({edit(1, "1", "x")}).takeError()));
}

TEST_F(PatchTest, NoFixIsNoText) { EXPECT_EQ(cantFail(patch({})), ""); }

TEST_F(PatchTest, AFixIsWholeOrNotThere) {
  std::vector<FindingEdit> Edits = {edit(3, "3\n4", "x")};
  EXPECT_FALSE(addFix({edit(5, "5", "z"), edit(4, "4", "y")}, Edits));
  EXPECT_EQ(Edits.size(), 1u);
  // The same change is no other one, and other lines and files are free.
  FindingEdit Elsewhere = edit(3, "3", "x");
  Elsewhere.Place.File = "b.cpp";
  EXPECT_TRUE(
      addFix({edit(3, "3\n4", "x"), edit(5, "5", "z"), Elsewhere}, Edits));
  EXPECT_EQ(Edits.size(), 3u);
}

TEST_F(PatchTest, WhatIsLeftOutIsSaid) {
  write(3);
  Document Report;
  for (StringRef Id : {"first", "second"}) {
    Finding &F = Report.Findings.emplace_back();
    F.Id = Id.str();
    F.Fix = {edit(2, "2", Id)};
  }
  std::string Text;
  raw_string_ostream OS(Text);
  ASSERT_FALSE(errorToBool(writePatch(Report, SourceRoot(Folder, "/"), OS)));
  StringRef Written = Text;
  EXPECT_TRUE(Written.contains("\n+first\n"));
  EXPECT_FALSE(Written.contains("+second"));
  EXPECT_TRUE(Written.split("second").second.split('\n').first.contains(
      "left out, as another fix changes the same line"));
}

} // namespace
