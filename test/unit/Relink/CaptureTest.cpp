// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../TemporaryFolder.h"
#include "linesman/Relink/CaptureLink.h"

using namespace llvm;
using namespace linesman::relink;

/// Why \p Build left no links.
static std::string problem(std::vector<std::string> Build) {
  TemporaryFolder Folder;
  auto Links = captureBuild(Build, Folder.file("links"), "/bin/true");
  return Links ? "" : toString(Links.takeError());
}

TEST(CaptureBuild, ABuildThatLinksNothingIsAnError) {
  EXPECT_EQ(problem({"true"}).find("the build ran no linker"), 0U);
}

TEST(CaptureBuild, ABuildThatFailsIsAnError) {
  EXPECT_EQ(problem({"false"}), "false failed with 1");
}

/// The linker's part is played by this test: it writes the link down.
TEST(CaptureBuild, ABuildFindsTheLinkersNamesAndTheFolder) {
  TemporaryFolder Folder;
  std::string Link =
      Folder.write("link.json", R"({"link": ["/usr/bin/ld", "a.o", "-o", "app"],
                       "folder": "/src", "environment": []})");
  auto Made = captureBuild({"sh", "-c",
                            "test -e ${COMPILER_PATH%%:*}/ld.lld && cp " +
                                Link + " $LINESMAN_CAPTURE/link-000001.json"},
                           Folder.file("links"), "/bin/true");
  ASSERT_TRUE(bool(Made)) << toString(Made.takeError());
  ASSERT_EQ(Made->Links.size(), 1U);
  EXPECT_EQ(Made->Links.front().Output, "/src/app");
  EXPECT_EQ(Made->Added, 1U);
  // A build that has nothing to do keeps what is there.
  auto Again = captureBuild({"true"}, Folder.file("links"), "/bin/true");
  ASSERT_TRUE(bool(Again)) << toString(Again.takeError());
  EXPECT_EQ(Again->Links.size(), 1U);
  EXPECT_EQ(Again->Added, 0U);
}
