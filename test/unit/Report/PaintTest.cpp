// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Report/Paint.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

using namespace linesman::report;

namespace {

/// What a terminal shows of \p Painted.
std::string withoutColor(llvm::StringRef Painted) {
  std::string Result;
  while (!Painted.empty()) {
    auto [Text, Rest] = Painted.split("\033[");
    Result += Text;
    Painted = Rest.split('m').second;
  }
  return Result;
}

TEST(Paint, ChangesNoText) {
  llvm::StringRef Report = "note: 3 of 4\n"
                           "\n"
                           "1. hits, 8 bytes        false sharing, 12\n"
                           "   ........wwwwwwww....rrrr~~~~\n"
                           "     write  1  work\n"
                           "     guard: store only what changed";
  std::string Painted = paint(Report);
  EXPECT_NE(Painted, Report);
  EXPECT_EQ(withoutColor(Painted), Report);
}

TEST(Paint, TellsWritesFromReads) {
  std::string Painted = paint("   wwwwwwwwrrrrrrrr\n");
  EXPECT_EQ(Painted, "   \033[31mwwwwwwww\033[0m\033[32mrrrrrrrr\033[0m\n");
}

TEST(Paint, LeavesProseAlone) {
  llvm::StringRef Prose = "writes to it are rare\n  raw\n12 of 40\n";
  EXPECT_EQ(paint(Prose), Prose);
}

} // namespace
