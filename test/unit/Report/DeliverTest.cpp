// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of findings: their form, what a gate says, what a baseline
// accepts.

#include "linesman/Report/Deliver.h"
#include "../TemporaryFolder.h"
#include "Located.h"

using namespace llvm;
using namespace linesman::report;
using linesman::layout::Rung;

namespace {

/// Findings that are delivered into a file.
class DeliverTest : public testing::Test {
protected:
  TemporaryFolder Folder;
  MergedFindings Merged;
  Delivery Asked;
  std::string Notes;

  DeliverTest() {
    Merged.Findings = {located("hits", 8), located("misses", 3)};
    Asked.Output = Folder.file("report");
    Asked.Root = "/";
    Asked.Version = "1.0";
  }

  Expected<Gate> deliver(std::function<bool(const Finding &)> IsJudged = {},
                         uint64_t Most = 10) {
    Findings Found = mergedFindings(Merged, Asked.Form, Most, /*Columns=*/100);
    Found.IsJudged = std::move(IsJudged);
    raw_string_ostream OS(Notes);
    return linesman::report::deliver(Asked, Found, OS);
  }

  Gate verdict(std::function<bool(const Finding &)> IsJudged = {}) {
    return cantFail(deliver(std::move(IsJudged)));
  }

  std::string report() const { return Folder.read("report"); }
  bool reports(StringRef Text) const {
    return StringRef(report()).contains(Text);
  }
};

TEST_F(DeliverTest, EachFormNamesTheFindings) {
  for (Format Form : {Format::Text, Format::Json, Format::Sarif, Format::GitLab,
                      Format::Markdown}) {
    Asked.Form = Form;
    EXPECT_EQ(verdict(), Gate::Passes);
    // What has no place in the source is in no report of GitLab's.
    EXPECT_EQ(reports("hits"), Form != Format::GitLab) << report();
  }
  EXPECT_NE(Notes.find("findings without a place in the source"),
            std::string::npos);
}

TEST_F(DeliverTest, APatchThatIsEmptyIsANote) {
  Asked.Form = Format::Patch;
  EXPECT_EQ(verdict(), Gate::Passes);
  EXPECT_EQ(report(), "");
  EXPECT_NE(Notes.find("no check knows a change"), std::string::npos);
}

TEST_F(DeliverTest, AGateFailsFromItsRungOn) {
  Asked.FailsOn = Rung::Located;
  EXPECT_EQ(verdict(), Gate::Fails);
  Asked.FailsOn = Rung::Observed;
  EXPECT_EQ(verdict(), Gate::Passes);
  Merged.Findings.clear();
  Asked.FailsOn = Rung::Suspected;
  EXPECT_EQ(verdict(), Gate::Passes);
}

TEST_F(DeliverTest, AGateMayJudgeAPart) {
  Asked.FailsOn = Rung::Located;
  EXPECT_EQ(verdict([](const Finding &F) { return F.Id == "misses"; }),
            Gate::Fails);
  EXPECT_EQ(verdict([](const Finding &F) { return F.Id == "gone"; }),
            Gate::Passes);
}

TEST_F(DeliverTest, ABaselineHasAlsoWhatIsNotShown) {
  Asked.NewBaseline = Folder.file("accepted.json");
  cantFail(deliver({}, /*Most=*/1));
  Document Accepted = cantFail(readReportFile(Asked.NewBaseline));
  EXPECT_EQ(Accepted.Findings.size(), 2U);
}

TEST_F(DeliverTest, WhatIsAcceptedFailsNothingAndWhatIsNewDoes) {
  Asked.NewBaseline = Folder.file("accepted.json");
  EXPECT_EQ(verdict(), Gate::Passes);
  Asked.Baseline = std::exchange(Asked.NewBaseline, "");
  Asked.FailsOn = Rung::Located;
  EXPECT_EQ(verdict(), Gate::Passes);
  Merged.Findings.push_back(located("evictions", 1));
  EXPECT_EQ(verdict(), Gate::Fails);
  EXPECT_EQ(Notes, "linesman: new or worse than accepted: evictions\n");
}

TEST_F(DeliverTest, WhatCanNotBeReadOrWrittenIsKnownBefore) {
  EXPECT_EQ(toString(Asked.check()), "");
  Asked.Output = Folder.file("nowhere/report");
  EXPECT_NE(toString(Asked.check()).find("nowhere"), std::string::npos);
  Asked.Output = "";
  Asked.Baseline = Folder.write("broken.json", "{}");
  EXPECT_NE(toString(Asked.check()).find("broken.json': not a report"),
            std::string::npos);
}

TEST(MostShown, JsonIsForTheNextCommand) {
  EXPECT_EQ(mostShown(Format::Json, 7000), 7000U);
  EXPECT_EQ(mostShown(Format::Text, 7000), 10U);
  EXPECT_EQ(mostShown(Format::Markdown, 7000), 5U);
}

} // namespace
