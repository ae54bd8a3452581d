// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Guard/Output.h"
#include "../TemporaryFolder.h"
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
  TemporaryFolder Folder;
  std::string Path = Folder.write("out", "old");
  ASSERT_EQ(::chmod(Path.c_str(), 0640), 0);
  cantFail(write(Path, "new"));
  EXPECT_EQ(Folder.read("out"), "new");
  struct stat Is;
  ASSERT_EQ(::stat(Path.c_str(), &Is), 0);
  EXPECT_EQ(Is.st_mode & 0777, 0640u);
}

TEST(Output, ALinkStaysALink) {
  TemporaryFolder Folder;
  Folder.write("real", "old");
  ASSERT_EQ(::symlink("real", Folder.file("link").c_str()), 0);
  cantFail(write(Folder.file("link"), "new"));
  EXPECT_EQ(Folder.read("real"), "new");
  EXPECT_TRUE(sys::fs::is_symlink_file(Folder.file("link")));
}

TEST(Output, TheOldFileIsWholeUntilTheNewOneIs) {
  TemporaryFolder Folder;
  std::string Path = Folder.write("out", "old");
  cantFail(writeOutput(Path, [&](raw_ostream &OS) {
    OS << "half";
    OS.flush();
    EXPECT_EQ(Folder.read("out"), "old");
  }));
  EXPECT_EQ(Folder.read("out"), "half");
}

TEST(Output, NothingIsLeftOfWhatCannotBeWritten) {
  TemporaryFolder Folder;
  EXPECT_TRUE(bool(errorToBool(checkOutput(Folder.file("no/out")))));
  EXPECT_TRUE(bool(errorToBool(write(Folder.file("no/out"), "x"))));
  EXPECT_TRUE(bool(errorToBool(checkOutput(Folder.file("")))));
}

TEST(Output, ATerminalIsToldNothing) {
  TemporaryFolder Folder;
  cantFail(write(Folder.file("out"), "a\x1b[31mb\n"));
  EXPECT_EQ(Folder.read("out"), "a\\x1b[31mb\n");
}
