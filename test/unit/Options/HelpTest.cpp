// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "options/Help.h"
#include "options/Kinds.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::options;

namespace {

cl::SubCommand Command{"help-test"};
Flag All{Command, "all", "Every line"};
Text Output{Command, "o", "file", "Write to this file"};
Wanted Binary{Command, "BINARY"};
constexpr Grouping Groupings[] = {{"result", {"o"}}};

TEST(Help, HasPurposeUsageGroupsAndExamples) {
  const Example Examples[] = {{"linesman help-test a", "of a"}};
  testing::internal::CaptureStdout();
  writeHelp(OptionTable("help-test", Groupings),
            {"what it does", Examples, "1.0"});
  outs().flush();
  std::string Page = testing::internal::GetCapturedStdout();
  SmallVector<StringRef> Parts;
  StringRef(Page).split(Parts, "\n\n");
  ASSERT_EQ(Parts.size(), 5U);
  EXPECT_EQ(Parts[0], "linesman help-test: what it does");
  EXPECT_EQ(Parts[1], "usage: linesman help-test [OPTIONS] BINARY");
  EXPECT_TRUE(Parts[2].starts_with("result:\n  -o")) << Parts[2].str();
  EXPECT_TRUE(Parts[3].starts_with("others:\n  --all")) << Parts[3].str();
  EXPECT_EQ(Parts[4], "examples:\n  linesman help-test a   of a\n");
}

} // namespace
