// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs of the system under the shim of this build.

#include "../TemporaryFolder.h"
#include "linesman/Drive/Placements.h"

using namespace llvm;
using namespace linesman::control;
using namespace linesman::drive;

namespace {

class RunSettledTest : public testing::Test {
protected:
  TemporaryFolder Folder;
  std::string Notes;

  /// A shell that says when it runs, and ends with 5 after \p Script.
  LaunchConfig shell(StringRef Script = "true") const {
    LaunchConfig Program;
    Program.Command = {
        "/bin/sh", "-c",
        ("echo ran > " + Folder.file("trace") + "\n" + Script + "\nexit 5")
            .str()};
    Program.ShimPath = LINESMAN_SHIM;
    return Program;
  }
  Expected<int> run(const LaunchConfig &Program, const Settlement &Wanted) {
    raw_string_ostream OS(Notes);
    return runSettled(Program, Wanted, OS);
  }
  std::string problem(const LaunchConfig &Program,
                      const Settlement &Wanted = {}) {
    Expected<int> Code = run(Program, Wanted);
    return Code ? "" : toString(Code.takeError());
  }
};

TEST_F(RunSettledTest, TheProgramRunsToItsOwnEnd) {
  EXPECT_EQ(cantFail(run(shell(), {})), 5);
  EXPECT_EQ(Folder.read("trace"), "ran\n");
  EXPECT_EQ(Notes, "");
}

TEST_F(RunSettledTest, AllPagesCanBePreparedAndHeld) {
  Settlement Wanted;
  Wanted.Requests = {{"all", {Placement::Kind::Default}}};
  Wanted.Preparing = Preparation::Prepare;
  EXPECT_EQ(cantFail(run(shell(), Wanted)), 5);
  Wanted.Others = Unplaced::Held;
  EXPECT_EQ(cantFail(run(shell(), Wanted)), 5);
  EXPECT_EQ(Notes, "");
}

TEST_F(RunSettledTest, NothingRunsOfAProgramThatCanNotBeSettled) {
  Settlement Wanted;
  Wanted.Requests = {{"no_such_object", {Placement::Kind::Default}}};
  EXPECT_EQ(problem(shell(), Wanted).find("no object 'no_such_object'"), 0U);
  EXPECT_EQ(Folder.read("trace"), "(missing)");
}

TEST_F(RunSettledTest, EachStartOfAScriptIsSettled) {
  LaunchConfig Program = shell("/bin/true; /bin/true");
  Program.Program = "/bin/true";
  EXPECT_EQ(cantFail(run(Program, {})), 5);
  // Each of them is asked: the first one fails, and the script is killed.
  Settlement Wanted;
  Wanted.Requests = {{"no_such_object", {Placement::Kind::Default}}};
  EXPECT_NE(problem(Program, Wanted), "");
}

TEST_F(RunSettledTest, AScriptThatDoesNotStartItsProgramIsAnError) {
  LaunchConfig Program = shell();
  Program.Program = "/bin/cat";
  EXPECT_EQ(problem(Program).find("the program did not load the shim"), 0U);
}

TEST_F(RunSettledTest, WithoutAShimNothingRuns) {
  LaunchConfig Program = shell();
  Program.ShimPath = "/nowhere/shim.so";
  EXPECT_EQ(problem(Program).find("/nowhere/shim.so: "), 0U);
  EXPECT_EQ(Folder.read("trace"), "(missing)");
}

} // namespace
