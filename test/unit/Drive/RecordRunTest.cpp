// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/RecordRun.h"
#include "gtest/gtest.h"

using namespace linesman::drive;

static std::string problem(std::vector<std::string> Command) {
  llvm::Expected<RecordedRun> Run = recordRun(Command);
  return Run ? "" : llvm::toString(Run.takeError());
}

TEST(RecordRun, AProgramThatIsNotInstrumentedLeavesNoRecord) {
  EXPECT_EQ(problem({"true"}).find("'true' left no record: compile it"), 0U);
}

TEST(RecordRun, AProgramThatIsNotThereIsNamed) {
  EXPECT_EQ(problem({"./no-such-program"}).find("cannot execute './no-such"),
            0U);
}

/// The runtime's part is played by a shell.
TEST(RecordRun, ARecordThatIsNoneIsAnError) {
  std::string Text =
      problem({"sh", "-c", "echo something else > $LINESMAN_RECORD_FILE"});
  EXPECT_EQ(Text.find("not a record of this version"), 0U) << Text;
}

TEST(RecordRun, TheRecordOfTheProgramIsRead) {
  std::string Text = "linesman-record 1\\nthread 1 10f worker\\nend\\n";
  auto Run = recordRun(
      {"sh", "-c", "printf '" + Text + "' > $LINESMAN_RECORD_FILE; exit 3"});
  ASSERT_TRUE(bool(Run)) << llvm::toString(Run.takeError());
  EXPECT_TRUE(Run->Recorded.Lines.empty());
  EXPECT_EQ(Run->Recorded.ThreadNames.at({0x10f}), "worker");
  EXPECT_EQ(Run->Program.front(), '/');
}
