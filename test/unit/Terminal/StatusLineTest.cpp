// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "terminal/StatusLine.h"
#include "gtest/gtest.h"

using namespace llvm;
using linesman::terminal::StatusLine;

/// What a device gets when a command shows two texts and ends.
static std::string output(StatusLine::Device Shown) {
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  StatusLine Line(OS, Shown);
  Line.show("round 1");
  Line.show("round 2");
  Line.clear();
  Line.clear();
  return Bytes;
}

TEST(StatusLine, ATerminalSeesOneLineThatGoes) {
  EXPECT_EQ(output(StatusLine::Device::Terminal),
            "\r\033[Kround 1\r\033[Kround 2\r\033[K");
}

TEST(StatusLine, AFileGetsNothing) {
  EXPECT_EQ(output(StatusLine::Device::Other), "");
}

TEST(StatusLine, ATerminalDoesNotObeyAFilesName) {
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  StatusLine(OS, StatusLine::Device::Terminal).show("a\033[2Jb\nc");
  EXPECT_EQ(Bytes, "\r\033[Ka\\x1b[2Jb\\nc\r\033[K");
}
