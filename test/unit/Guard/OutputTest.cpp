// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Guard/Output.h"
#include "../Drive/TemporaryFolder.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::guard;

namespace {
Error write(StringRef Path, StringRef Text) {
  return writeOutput(Path, [&](raw_ostream &OS) { OS << Text; });
}
} // namespace

TEST(Output, TheNewFileTakesThePlaceOfTheOldOne) {
  TemporaryFolder In;
  std::string Path = In.write("out", "old");
  ASSERT_EQ(::chmod(Path.c_str(), 0640), 0);
  cantFail(write(Path, "new"));
  EXPECT_EQ(In.read("out"), "new");
  struct stat Is;
  ASSERT_EQ(::stat(Path.c_str(), &Is), 0);
  EXPECT_EQ(Is.st_mode & 0777, 0640u);
}

TEST(Output, ALinkStaysALink) {
  TemporaryFolder In;
  In.write("real", "old");
  ASSERT_EQ(::symlink("real", In.file("link").c_str()), 0);
  cantFail(write(In.file("link"), "new"));
  EXPECT_EQ(In.read("real"), "new");
  EXPECT_TRUE(sys::fs::is_symlink_file(In.file("link")));
}

TEST(Output, TheOldFileIsWholeUntilTheNewOneIs) {
  TemporaryFolder In;
  std::string Path = In.write("out", "old");
  cantFail(writeOutput(Path, [&](raw_ostream &OS) {
    OS << "half";
    OS.flush();
    EXPECT_EQ(In.read("out"), "old");
  }));
  EXPECT_EQ(In.read("out"), "half");
}

TEST(Output, NothingIsLeftOfWhatCannotBeWritten) {
  TemporaryFolder In;
  EXPECT_TRUE(bool(errorToBool(checkOutput(In.file("no/out")))));
  EXPECT_TRUE(bool(errorToBool(write(In.file("no/out"), "x"))));
  EXPECT_TRUE(bool(errorToBool(checkOutput(In.file("")))));
}

TEST(Output, ATerminalIsToldNothing) {
  TemporaryFolder In;
  cantFail(write(In.file("out"), "a\x1b[31mb\n"));
  EXPECT_EQ(In.read("out"), "a\\x1b[31mb\n");
}
