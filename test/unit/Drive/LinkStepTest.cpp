// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/LinkStep.h"
#include "../TemporaryFolder.h"

using namespace llvm;
using namespace linesman::drive;

static std::string problem(Expected<std::optional<LinkStep>> Step) {
  return Step ? "" : toString(Step.takeError());
}

TEST(LinkStep, PathsAreThoseOfTheFile) {
  TemporaryFolder Folder;
  std::string Settings = Folder.write("linesman.json", R"({"outputs": {"app": {
      "lock": "app.lock", "plan": "/plans/app.json", "max_score": 2.5}}})");
  std::optional<LinkStep> Step =
      cantFail(readLinkStep(Settings, Folder.file("app")));
  ASSERT_TRUE(Step);
  EXPECT_EQ(Step->Lock, Folder.file("app.lock"));
  EXPECT_EQ(Step->Plan, "/plans/app.json");
  EXPECT_EQ(Step->MaxScore, 2.5);
  EXPECT_EQ(Step->Report, LinkStep::Reports::None);
}

TEST(LinkStep, AnOutputWithoutAnEntryOnlyPassesThrough) {
  TemporaryFolder Folder;
  std::string Settings =
      Folder.write("linesman.json", R"({"outputs": {"app": {}}})");
  EXPECT_FALSE(cantFail(readLinkStep(Settings, Folder.file("other"))));
}

TEST(LinkStep, APathMeansOneOutputAndABareNameAny) {
  TemporaryFolder Folder;
  std::string Settings = Folder.write("linesman.json", R"({"outputs": {
      "app": {"fail_on": "located"}, "./app": {"fail_on": "costed"}}})");
  EXPECT_EQ(cantFail(readLinkStep(Settings, Folder.file("app")))->FailOn,
            "costed");
  EXPECT_EQ(cantFail(readLinkStep(Settings, "/tmp/app"))->FailOn, "located");
}

TEST(LinkStep, AGateDoesNotTurnItselfOff) {
  TemporaryFolder Folder;
  EXPECT_NE(
      problem(readLinkStep(Folder.write("a.json",
                                        R"({"outputs": {"app": {"lok": ""}}})"),
                           "app"))
          .find("unknown key"),
      std::string::npos);
  EXPECT_NE(problem(readLinkStep(Folder.write("b.json", "{}"), "app"))
                .find("expected an object with 'outputs'"),
            std::string::npos);
  EXPECT_NE(
      problem(readLinkStep(
                  Folder.write("c.json", R"({"outputs": {"gone/app": {}}})"),
                  Folder.file("app")))
          .find("is in no folder"),
      std::string::npos);
}

TEST(LinkStep, SettingsAreNamedByTheCommandOrBesideTheOutput) {
  TemporaryFolder Folder;
  std::vector<std::string> Command = {"ld", "--linesman=a.json", "main.o"};
  EXPECT_EQ(takeSettings(Command, Folder.file("app")), "a.json");
  EXPECT_EQ(Command, std::vector<std::string>({"ld", "main.o"}))
      << "the linker does not know the option";
  EXPECT_EQ(takeSettings(Command, Folder.file("app")), "");
  std::string Settings = Folder.write("linesman.json", "{}");
  EXPECT_EQ(takeSettings(Command, Folder.file("app")), Settings);
}

TEST(LinkStep, TheReportsFormIsItsEnding) {
  using Words = std::vector<std::string>;
  LinkStep Step;
  EXPECT_EQ(layoutWords(Step, "app"), Words({"layout", "app"}));
  Step.FailOn = "located";
  Step.Baseline = "accepted.json";
  Step.ReportFile = "out/app.html";
  EXPECT_EQ(layoutWords(Step, "app"),
            Words({"layout", "app", "-o", "out/app.html", "--format=html",
                   "--fail-on=located", "--baseline=accepted.json"}));
  for (const char *Text : {"app.txt", "app", "html"}) {
    Step.ReportFile = Text;
    EXPECT_EQ(layoutWords(Step, "app")[3], Text);
    EXPECT_EQ(layoutWords(Step, "app")[4], "--fail-on=located") << Text;
  }
}
