// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/CompileFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::drive;

/// What \p Command becomes, without what is always added.
static std::string compiled(std::vector<std::string> Command) {
  CompiledUnit Unit{"/src/a.cpp", "/build", "", std::move(Command)};
  std::vector<std::string> Words =
      factsCommand({"clang", "facts.so"}, Unit, "a.o");
  const std::vector<std::string> Ours = {
      "-c", "-g",  "-fstandalone-debug",     "-w",
      "-o", "a.o", "-fpass-plugin=facts.so", "-working-directory=/build"};
  auto Begin =
      std::search(Words.begin(), Words.end(), Ours.begin(), Ours.end());
  EXPECT_NE(Begin, Words.end()) << join(Words, " ");
  Words.erase(Begin, Begin + Ours.size());
  return join(Words, " ");
}

TEST(CompileFacts, WhatDecidesAboutCodeStays) {
  EXPECT_EQ(
      compiled({"/usr/bin/g++-12", "-std=c++20", "-DX=1", "-Iinclude", "-O3",
                "-march=native", "-pthread", "-c", "a.cpp", "-o", "a.cpp.o"}),
      "clang --driver-mode=g++ -std=c++20 -DX=1 -Iinclude -O3 "
      "-march=native -pthread a.cpp");
}

TEST(CompileFacts, WhatHidesTheOptimisersCodeGoes) {
  EXPECT_EQ(
      compiled({"gcc", "-O0", "-flto=auto", "-fsanitize=address,undefined",
                "--coverage", "-Werror=all", "a.c"}),
      "clang a.c -O2");
  EXPECT_EQ(compiled({"gcc", "-Os", "a.c"}), "clang -Os a.c");
}

TEST(CompileFacts, NoOtherFileIsWritten) {
  EXPECT_EQ(compiled({"cc", "-O2", "-MD", "-MT", "a.o", "-MFdeps/a.d", "-MQ",
                      "a.o", "-oa.o", "-save-temps", "-gsplit-dwarf", "a.c"}),
            "clang -O2 a.c");
}

TEST(CompileFacts, LaunchersAreLeftOut) {
  EXPECT_EQ(compiled({"/usr/bin/ccache", "distcc", "c++", "-O2", "a.cpp"}),
            "clang --driver-mode=g++ -O2 a.cpp");
}

TEST(CompileFacts, BehindTwoDashesAreFiles) {
  CompiledUnit Unit{"/a.c", "/b", "", {"cc", "-O2", "--", "-o.c"}};
  std::vector<std::string> Words =
      factsCommand({"clang", "facts.so"}, Unit, "a.o");
  ASSERT_GE(Words.size(), 2u);
  EXPECT_EQ(join(ArrayRef(Words).take_back(2), " "), "-- -o.c");
}

TEST(CompileFacts, ReadsWhatClangDoesNotKnow) {
  EXPECT_EQ(join(readUnknownOptions(
                     "clang: error: unknown argument: '-fanalyzer'\n"
                     "clang: error: unknown argument '-mno-such'; did you mean "
                     "'-mno-sse'?\n"
                     "clang: error: unsupported argument 'pikachu' to option "
                     "'-mcpu='\n"
                     "a.c:1:1: error: unknown type name 'foo'\n"),
                 " "),
            "-fanalyzer -mno-such -mcpu=pikachu");
}
