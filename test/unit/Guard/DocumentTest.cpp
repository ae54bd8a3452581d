// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Documents that nest, do not end, or are none.

#include "linesman/Guard/Document.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"
#include <sys/stat.h>

using namespace linesman::guard;
using namespace llvm;

namespace {

std::string nested(StringRef Open, unsigned Depth, StringRef Close) {
  std::string Result;
  for (unsigned I = 0; I != Depth; ++I)
    Result += Open;
  for (unsigned I = 0; I != Depth; ++I)
    Result += Close;
  return Result;
}

std::string problemOf(Expected<json::Value> Parsed) {
  return Parsed ? "" : toString(Parsed.takeError());
}
std::string problemOf(Error E) { return E ? toString(std::move(E)) : ""; }

TEST(Json, NestsSoDeepAndNoDeeper) {
  EXPECT_EQ(problemOf(parseJson(nested("[", 100, "]"))), "");
  for (const char *Open : {"[", "{\"a\":", "[{\"a\":"})
    for (unsigned Depth : {101, 50000, 1000000})
      EXPECT_EQ(problemOf(parseJson(nested(Open, Depth, ""))),
                "nested more than 100 deep");
  EXPECT_EQ(problemOf(parseJson("\"" + nested("[", 1000, "") + "\"")), "");
  // Another file, and one that is damaged.
  EXPECT_EQ(problemOf(parseJson("int main;")), "not JSON");
  EXPECT_NE(problemOf(parseJson("{\"a\" 1}")).find("[1:"), std::string::npos);
  EXPECT_EQ(problemOf(parseJson("[\"\\\"" + nested("[{", 1000, "") + "\"]")),
            "");
  EXPECT_NE(problemOf(parseJson("\"" + nested("[", 50, ""))), "");
}

TEST(Yaml, NestsSoDeepAndNoDeeper) {
  EXPECT_EQ(problemOf(checkYaml(nested("[", 90, "]"))), "");
  EXPECT_EQ(problemOf(checkYaml("a: '" + nested("[", 1000, "") + "'\n")), "");
  for (const char *Open : {"[", "{a: ", "- ", "? ", "!t [", "- [", "{ ? [ "})
    EXPECT_EQ(problemOf(checkYaml(nested(Open, 50000, ""))),
              "nested more than 100 deep")
        << Open;
  std::string Map;
  for (unsigned I = 0; I != 1000; ++I)
    Map += std::string(I, ' ') + "a:\n";
  EXPECT_EQ(problemOf(checkYaml(Map)), "nested more than 100 deep");
  EXPECT_EQ(problemOf(checkYaml("---\na: b\n...\n---\n- c\n")), "");
  EXPECT_NE(problemOf(checkYaml("a: [b\n")), "");
}

class Folder : public testing::Test {
protected:
  SmallString<128> Path;
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("linesman-guard", Path));
  }
  void TearDown() override { sys::fs::remove_directories(Path); }
  std::string file(StringRef Name) { return (Path + "/" + Name).str(); }

  static std::string problemOf(StringRef Path, uint64_t Most = MostBytes) {
    auto Read = readDocument(Path, Source::File, Most);
    return Read ? "" : toString(Read.takeError());
  }
};

TEST_F(Folder, OnlyRegularFilesAreRead) {
  ASSERT_EQ(::mkfifo(file("pipe").c_str(), 0600), 0);
  EXPECT_EQ(problemOf(file("pipe")),
            "'" + file("pipe") + "': is not a regular file");
  EXPECT_EQ(problemOf("/dev/zero"), "'/dev/zero': is not a regular file");
  EXPECT_EQ(problemOf(Path), "'" + Path.str().str() + "': Is a directory");
  EXPECT_EQ(problemOf(file("none")),
            "'" + file("none") + "': No such file or directory");
  // It says that it is empty, and is not.
  EXPECT_EQ(problemOf("/proc/self/status"), "");
}

TEST_F(Folder, FilesHaveABound) {
  std::error_code EC;
  raw_fd_ostream OS(file("long"), EC);
  ASSERT_FALSE(EC);
  OS << std::string((1 << 20) + 1, ' ');
  OS.close();
  EXPECT_EQ(problemOf(file("long"), 1 << 20),
            "'" + file("long") + "': more than 1 MiB");
  EXPECT_EQ(problemOf(file("long"), (1 << 20) + 1), "");
}

} // namespace
