// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/LinkerPlace.h"
#include "../TemporaryFolder.h"
#include "linesman/Drive/LinkStep.h"
#include "linesman/Relink/CaptureLink.h"
#include <cstdlib>

using namespace llvm;
using namespace linesman;
using namespace linesman::drive;

namespace {

TEST(LinkerPlace, ALinkersNameIsOne) {
  for (StringRef Name : {"ld", "/usr/bin/ld.lld", "mold", "linesman-ld",
                         "/opt/bin/linesman-ld.mold"})
    EXPECT_TRUE(isLinkerName(Name)) << Name.str();
  for (StringRef Name : {"linesman", "/usr/bin/linesman", "clang", "lda"})
    EXPECT_FALSE(isLinkerName(Name)) << Name.str();
}

/// A folder with a linker that writes its words down, alone in PATH.
class LinkerTest : public testing::Test {
protected:
  TemporaryFolder Folder;
  std::string Path = std::getenv("PATH"), Linker;

  LinkerTest() {
    Linker = Folder.write("ld", "#!/bin/sh\n"
                                "echo \"$*\" > $(dirname $0)/words\n"
                                "exit 3\n");
    EXPECT_FALSE(sys::fs::setPermissions(Linker, sys::fs::all_all));
    ::setenv("PATH", (StringRef(Folder.file("")) + ":" + Path).str().c_str(),
             1);
  }
  ~LinkerTest() override {
    ::setenv("PATH", Path.c_str(), 1);
    ::unsetenv("LINESMAN_CAPTURE");
    ::unsetenv("LINESMAN_CAPTURE_ONLY");
  }

  relink::Link call(std::string Output) const {
    relink::Link Result;
    Result.Command = {Linker, "a.o", "-o", std::move(Output)};
    return Result;
  }
};

TEST_F(LinkerTest, AStepThatAsksForNothingIsTheLinker) {
  std::string Said;
  raw_string_ostream OS(Said);
  EXPECT_EQ(cantFail(runLinkStep({}, call("app"), "linesman", OS)), 3);
  EXPECT_EQ(Folder.read("words"), "a.o -o app\n");
  EXPECT_EQ(Said, "");
}

TEST_F(LinkerTest, AnOutputThatBreaksAGateIsRemoved) {
  relink::Link Call = call(Folder.write("app", "no program"));
  Call.Command.front() = "/bin/true";
  LinkStep Step;
  Step.MaxScore = 1;
  std::string Said;
  raw_string_ostream OS(Said);
  EXPECT_TRUE(errorToBool(runLinkStep(Step, Call, "linesman", OS).takeError()));
  EXPECT_EQ(Folder.read("app"), "(missing)");
}

TEST_F(LinkerTest, AReportThatCanNotBeMadeBreaksNoLink) {
  relink::Link Call = call(Folder.write("app", "no program"));
  Call.Command.front() = "/bin/true";
  LinkStep Step;
  Step.Report = LinkStep::Reports::Printed;
  std::string Said;
  raw_string_ostream OS(Said);
  EXPECT_EQ(cantFail(runLinkStep(Step, Call, "linesman", OS)), 0);
  EXPECT_NE(Said.find("warning: no report: "), std::string::npos);
  EXPECT_EQ(Folder.read("app"), "no program");
}

TEST_F(LinkerTest, ACaptureWritesTheLinkDownAndMayLeaveItAtThat) {
  std::string Links = Folder.file("links");
  ASSERT_FALSE(sys::fs::create_directories(Links));
  ::setenv("LINESMAN_CAPTURE", Links.c_str(), 1);
  ::setenv("LINESMAN_CAPTURE_ONLY", "1", 1);
  std::string Said;
  raw_string_ostream OS(Said);
  EXPECT_EQ(cantFail(actAsLinker({"linesman-ld", "a.o", "-o", "app"},
                                 "/bin/true", OS)),
            0);
  EXPECT_EQ(Folder.read("words"), "(missing)");
  auto Captured = cantFail(relink::readCapturedLinks(Links));
  ASSERT_EQ(Captured.size(), 1U);
  EXPECT_EQ(sys::path::filename(Captured[0].Output), "app");
  EXPECT_EQ(sys::path::filename(Captured[0].Captured.Command[0]), "ld");
}

TEST_F(LinkerTest, ALinkerThatIsNotThereIsNamed) {
  Expected<int> Code =
      actAsLinker({"linesman-ld.none", "a.o"}, "/bin/true", nulls());
  ASSERT_FALSE(bool(Code));
  EXPECT_EQ(toString(Code.takeError()).find("no linker 'ld.none'"), 0U);
}

} // namespace
