// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the steps and what follows from their reports, with reports from
// literals in place of commands that run.

#include "linesman/Drive/Hunt.h"
#include "linesman/Drive/Story.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::drive;

namespace {

constexpr StringLiteral Nothing = R"({"line_size": 64, "findings": []})";
constexpr StringLiteral Located = R"({"line_size": 64, "notes": ["a note"],
  "findings": [{"id": "Hits", "rung": "located", "kind": "false-sharing",
    "line": {"address": "0x40"}, "occupants": [{"name": "Hits", "writes": 1}],
    "remedy": {"kind": "isolate", "text": "move it"}}]})";

std::string observed(StringRef Outcome, StringRef Verdict) {
  return (R"({"findings": [{"id": "Hits", "rung": "observed", "kind":
    "false-sharing", "observed": {"outcome": ")" +
          Outcome + R"(", "verdict": ")" + Verdict +
          R"(", "evidence": {"absent": "store", "every_ms": 10, "missed":
    0.0001}}}]})")
      .str();
}

std::string compared(StringRef Verdict, StringRef Ratio) {
  return (R"({"command": "ab", "metric": "ops", "better": "higher", "a":
    {"median": 10}, "b": {"median": 20}, "verdict": ")" +
          Verdict + R"(", "ratio": )" + Ratio + R"(, "p": 0.01, "rounds": 8})")
      .str();
}

constexpr StringLiteral Twice = R"({"median": 2, "low": 1.9, "high": 2.1})";
constexpr StringLiteral Same = R"({"median": 1, "low": 0.99, "high": 1.01})";

/// A hunt whose steps make the files that they are given here; a step without
/// one fails.
class HuntTest : public testing::Test {
protected:
  HuntRequest Request;
  StringMap<std::string> Reports;
  std::vector<std::string> Ran;

  void SetUp() override {
    SmallString<128> Folder;
    ASSERT_FALSE(sys::fs::createUniqueDirectory("linesman-hunt", Folder));
    Request.State = std::string(Folder);
    // A file that exists, so that a word can name it.
    Request.Program = Request.State + "/program";
    write(Request.Program, "");
    Request.Command = {Request.Program, "it's"};
    Request.LinkWords = {"ld", "a.o"};
    Reports = {{"located", Located.str()},
               {"fields", Nothing.str()},
               {"observed", observed("confirmed", "false-sharing")},
               {"plan-1", R"({"edits": [{"kind": "isolate"}]})"},
               {"isolated-1", "a program"},
               {"cost-1", compared("faster", Twice)}};
  }
  void TearDown() override { sys::fs::remove_directories(Request.State); }

  static void write(StringRef Path, StringRef Text) {
    std::error_code EC;
    raw_fd_ostream(Path, EC) << Text;
    ASSERT_FALSE(EC);
  }

  HuntResult hunt() {
    Ran.clear();
    return cantFail(runHunt(Request, [&](const Step &S) -> Expected<StepEnd> {
      Ran.push_back(S.Name);
      auto Known = Reports.find(S.Name);
      if (Known == Reports.end())
        return createStringError("no " + S.Name);
      if (Known->second == "stopped")
        return StepEnd::Stopped;
      write(S.Result, Known->second);
      return StepEnd::Done;
    }));
  }

  /// The lines of the story under a heading.
  std::string section(const HuntResult &Result, StringRef Heading) {
    for (const Section &S : tellStory(Request, Result).Sections)
      if (S.Heading == Heading)
        return join(S.Lines, "\n");
    return "";
  }
};

TEST_F(HuntTest, ClimbsInOrder) {
  HuntResult Result = hunt();
  EXPECT_EQ(Ran, (std::vector<std::string>{"located", "fields", "observed",
                                           "plan-1", "isolated-1", "cost-1"}));
  EXPECT_EQ(Result.outcome(), HuntOutcome::Costed);
  EXPECT_EQ(Result.Leads[0].Finding.Reached, linesman::layout::Rung::Costed);
  EXPECT_EQ(tellStory(Request, Result).Title, "costed: Hits");
  EXPECT_EQ(section(Result, "What it costs"),
            "Hits isolated: faster: 2 times the metric (95 % interval 1.9 to "
            "2.1); ops, higher is better: 10 before, 20 after; 8 rounds, p = "
            "0.01");
  // The isolated program takes the program's place, for the shell.
  const Step &Ab = Result.Steps.back().Action;
  EXPECT_EQ(Ab.Arguments.back(), Request.State + "/isolated-1 'it'\\''s'");
}

TEST_F(HuntTest, WhatCostsMostComesFirst) {
  auto Finding = [](StringRef Id, StringRef Predicted) {
    return (R"({"id": ")" + Id + R"(", "rung": "observed", "kind":
      "false-sharing", "observed": {"outcome": "confirmed", "verdict":
      "false-sharing")" +
            Predicted + "}}")
        .str();
  };
  auto Price = [](StringRef Transfers, StringRef Share) {
    return (R"(, "predicted": {"transfers_per_second": )" + Transfers +
            R"(, "transfer_ns": 50, "share": )" + Share + R"(, "threads": 2})")
        .str();
  };
  Request.LinkWords.clear();
  Reports["observed"] =
      R"({"findings": [)" + Finding("Unknown", "") + "," +
      Finding("Little", Price(R"({"low": 1e4, "high": 2e4})",
                              R"({"low": 0.001, "high": 0.002})")) +
      "," + Finding("Much", Price(R"({"low": 4e6})", R"({"low": 0.1})")) + "]}";
  HuntResult Result = hunt();
  // Hits has no verdict.
  ASSERT_EQ(Result.Leads.size(), 4u);
  EXPECT_EQ(Result.Leads[0].id(), "Much");
  EXPECT_EQ(Result.Leads[1].id(), "Little");
  EXPECT_EQ(Result.Leads[2].id(), "Unknown");
  EXPECT_EQ(Result.Leads[3].id(), "Hits");
  EXPECT_EQ(section(Result, "What it costs"),
            "Much predicted: cannot tell well: 4.0 million transfers a second "
            "or more, x 50 ns: 10 % of the time of 2 threads or more, if they "
            "wait for each\n"
            "Little predicted: 10 thousand to 20 thousand transfers a second x "
            "50 ns: 0.10 to 0.20 % of the time of 2 threads, if they wait for "
            "each");
}

TEST_F(HuntTest, WithoutAPriceThereIsAReason) {
  Request.LinkWords.clear();
  // Of whatever kind it is.
  Reports["observed"] = R"({"findings": [{"id": "Hits", "rung": "observed",
    "kind": "mixed", "observed": {"outcome": "confirmed", "verdict": "mixed",
    "unpriced": "watched too briefly"}}]})";
  EXPECT_EQ(section(hunt(), "What it costs"),
            "Hits has no price: watched too briefly");
}

TEST_F(HuntTest, AWidePriceIsWorthASecondLook) {
  Request.LinkWords.clear();
  auto Seen = [](StringRef Id, StringRef High) {
    return (R"({"id": ")" + Id + R"(", "rung": "observed", "kind": "mixed",
      "observed": {"outcome": "confirmed", "verdict": "mixed", "predicted":
      {"transfers_per_second": {"low": 1e4, "high": 1e6}, "transfer_ns": 50,
       "share": {"low": 0.01, "high": )" +
            High + R"(}, "threads": 2}}})")
        .str();
  };
  auto only = [&](StringRef High) {
    return R"({"findings": [)" + Seen("Hits", High) + "]}";
  };
  // Alone it was in its first watch already.
  Reports["observed"] = only("0.5");
  hunt();
  EXPECT_EQ(Ran.back(), "observed");
  Reports["observed"] = R"({"findings": [)" + Seen("Hits", "0.5") + "," +
                        Seen("Other", "0.02") + "]}";
  Reports["priced-1"] = only("0.03");
  sys::fs::remove_directories(Request.State);
  sys::fs::create_directories(Request.State);
  HuntResult Result = hunt();
  EXPECT_EQ(Ran.back(), "priced-1");
  EXPECT_EQ(Result.Leads[0].id(), "Hits");
  EXPECT_EQ(Result.Leads[0].predicted()->HighShare, 0.03);
  // What says less changes nothing.
  Reports["priced-1"] = only("0.9");
  sys::fs::remove(Request.State + "/priced-1.json");
  EXPECT_EQ(hunt().Leads[0].predicted()->HighShare, 0.5);
}

TEST_F(HuntTest, RunsNothingThatIsKnown) {
  hunt();
  HuntResult Again = hunt();
  EXPECT_TRUE(Ran.empty());
  EXPECT_EQ(Again.outcome(), HuntOutcome::Costed);
}

TEST_F(HuntTest, PagesAreSearchedWithoutALinkThatIsRefused) {
  Request.HasNodes = true;
  Reports["pages-only"] = R"({"outcome": "no-effect"})";
  HuntResult Result = hunt();
  EXPECT_EQ(ArrayRef(Ran).slice(3, 2),
            ArrayRef<std::string>({"pages", "pages-only"}));
  EXPECT_EQ(Result.PageOutcome, "no-effect");
  auto Pages = llvm::find_if(Result.Steps, [](const StepRecord &Step) {
    return Step.Action.Name == "pages-only";
  });
  ASSERT_NE(Pages, Result.Steps.end());
  EXPECT_TRUE(llvm::none_of(Pages->Action.Arguments, [](StringRef Word) {
    return Word.starts_with("--link");
  }));
}

TEST_F(HuntTest, WhatWatchRefutesIsRuledOutAndNotLinked) {
  Reports["observed"] = observed("refuted", "private");
  HuntResult Result = hunt();
  EXPECT_EQ(Ran.back(), "observed");
  EXPECT_EQ(Result.outcome(), HuntOutcome::NothingFound);
  EXPECT_EQ(section(Result, "What was ruled out"),
            "Hits: watched, private; one store every 10 ms would have been "
            "missed with p = 0.0001");
}

TEST_F(HuntTest, FalseSharingThatCostsNothingIsRuledOut) {
  Reports["cost-1"] = compared("no-difference", Same);
  HuntResult Result = hunt();
  EXPECT_EQ(Result.outcome(), HuntOutcome::NothingFound);
  EXPECT_EQ(Result.best(), nullptr);
}

TEST_F(HuntTest, ACostIsDecidedByAVerdict) {
  EXPECT_TRUE(hunt().isCostDecided());
  for (StringRef Verdict : {"no-difference", "slower"}) {
    sys::fs::remove(Request.State + "/cost-1.json");
    Reports["cost-1"] = compared(Verdict, Same);
    EXPECT_TRUE(hunt().isCostDecided());
  }
  sys::fs::remove(Request.State + "/cost-1.json");
  Reports["cost-1"] = compared("cannot-tell", Same);
  EXPECT_FALSE(hunt().isCostDecided());
  Request.LinkWords.clear();
  EXPECT_FALSE(hunt().isCostDecided());
}

TEST_F(HuntTest, AGateJudgesWhatWasNotRuledOut) {
  HuntResult Result = hunt();
  ASSERT_EQ(Result.judged().size(), 1u);
  EXPECT_EQ(Result.judged().front().Reached, linesman::layout::Rung::Costed);
  EXPECT_EQ(Result.whyBlind(linesman::layout::Rung::Costed), "");
  sys::fs::remove(Request.State + "/observed.json");
  Reports["observed"] = observed("refuted", "private");
  EXPECT_TRUE(hunt().judged().empty());
}

TEST_F(HuntTest, ACureInTheSourceIsTheCostOfTheBest) {
  Request.LinkWords.clear();
  Request.Fixed = "./fixed";
  Reports["cost-fixed"] = compared("faster", Twice);
  HuntResult Result = hunt();
  ASSERT_EQ(Result.judged().size(), 1u);
  EXPECT_NE(Result.best()->Finding.Reached, linesman::layout::Rung::Costed);
  EXPECT_EQ(Result.judged().front().Reached, linesman::layout::Rung::Costed);
}

TEST_F(HuntTest, AGateThatSawNothingDoesNotPass) {
  Reports["observed"] = observed("not-seen", "");
  Request.LinkWords.clear();
  EXPECT_NE(hunt().whyBlind(linesman::layout::Rung::Observed), "");
  sys::fs::remove(Request.State + "/observed.json");
  Reports["observed"] = observed("confirmed", "false-sharing");
  EXPECT_EQ(hunt().whyBlind(linesman::layout::Rung::Observed), "");
  EXPECT_NE(hunt().whyBlind(linesman::layout::Rung::Costed), "");
}

TEST_F(HuntTest, LevelsThatDecideAreTold) {
  std::string Report = compared("faster", Same);
  Report.insert(Report.rfind('}'), R"(, "shares": {"decide": true,
    "low_level": 17000, "high_level": 45000, "a_low": 5, "b_low": 0})");
  Reports["cost-1"] = Report;
  HuntResult Result = hunt();
  EXPECT_EQ(Result.outcome(), HuntOutcome::Costed);
  EXPECT_EQ(section(Result, "What it costs")
                .find("Hits isolated: faster: 5 of 8 starts fall into the "
                      "level of 17000 before, 0 after; ops"),
            0u);
}

TEST_F(HuntTest, WhatCouldTellIsSaidWithItsTime) {
  std::string Report = compared("cannot-tell", Same);
  Report.insert(Report.rfind('}'), R"(, "rounds_needed": 16000,
    "seconds_needed": 10800)");
  Reports["cost-1"] = Report;
  EXPECT_TRUE(StringRef(section(hunt(), "What it costs"))
                  .contains("; about 16000 rounds could tell (about 3 hours)"));
}

TEST_F(HuntTest, TrueSharingIsNotRuledOutByALayout) {
  std::string Mixed = observed("confirmed", "mixed");
  size_t Kind = Mixed.find("false-sharing");
  Mixed.replace(Kind, StringRef("false-sharing").size(), "mixed");
  Reports["observed"] = Mixed;
  Reports["cost-1"] = compared("no-difference", Same);
  HuntResult Result = hunt();
  EXPECT_EQ(Result.outcome(), HuntOutcome::Observed);
  // The change in the source tells what it costs.
  Request.Fixed = "fixed";
  Reports["cost-fixed"] = compared("faster", Twice);
  EXPECT_EQ(hunt().outcome(), HuntOutcome::Costed);
}

TEST_F(HuntTest, TriesAgainWhatItCouldNotTell) {
  Reports["observed"] = observed("cannot-tell", "private");
  Reports["observed-1"] = observed("not-seen", "not-seen");
  Reports["observed-2"] = observed("confirmed", "false-sharing");
  HuntResult Result = hunt();
  EXPECT_EQ(Ran[4], "observed-2");
  EXPECT_EQ(Ran[5], "plan-1");
  EXPECT_EQ(Result.Leads[0].Seen, Sight::Confirmed);
}

TEST_F(HuntTest, AStepThatFailsIsTold) {
  Reports.erase("isolated-1");
  HuntResult Result = hunt();
  EXPECT_EQ(Result.outcome(), HuntOutcome::Observed);
  EXPECT_EQ(section(Result, "What is not known")
                .find("cost of Hits: no "
                      "isolated-1"),
            0u);
}

TEST_F(HuntTest, OneIsNotSeveral) {
  HuntResult Result = hunt();
  Lead &Field = Result.Leads.emplace_back();
  Field.Finding.Id = "Node::Sent";
  Field.IsField = true;
  EXPECT_EQ(section(Result, "What is not known")
                .find("1 suspected field of types: Node::Sent."),
            0u);
}

TEST_F(HuntTest, WithoutTheProgramThereIsNoHunt) {
  Reports.erase("located");
  Expected<HuntResult> Result =
      runHunt(Request, [](const Step &) -> Expected<StepEnd> {
        return createStringError("not a binary");
      });
  ASSERT_FALSE(bool(Result));
  EXPECT_EQ(toString(Result.takeError()), "not a binary");
}

TEST_F(HuntTest, StopsWhereItIsAsked) {
  Reports["observed"] = "stopped";
  HuntResult Result = hunt();
  EXPECT_EQ(Ran.back(), "observed");
  EXPECT_EQ(Result.outcome(), HuntOutcome::Stopped);
  Reports["observed"] = observed("confirmed", "false-sharing");
  EXPECT_EQ(hunt().outcome(), HuntOutcome::Costed);
  EXPECT_EQ(Ran.front(), "observed");
}

TEST_F(HuntTest, NothingFoundSaysWhatWasLookedAt) {
  Reports["located"] = Nothing;
  HuntResult Result = hunt();
  EXPECT_EQ(Ran.back(), "fields");
  EXPECT_EQ(Result.outcome(), HuntOutcome::NothingFound);
  EXPECT_NE(section(Result, "What was ruled out"), "");
}

TEST_F(HuntTest, NothingIsSaidOfTypesThatNoFactsTellOf) {
  auto ruledOut = [&](StringRef Fields) {
    SetUp();
    Reports["located"] = Nothing;
    Reports["fields"] = Fields.str();
    return section(hunt(), "What was ruled out");
  };
  EXPECT_EQ(ruledOut(R"({"findings": [], "types": 0})").find("field of a type"),
            std::string::npos);
  EXPECT_NE(ruledOut(R"({"findings": [], "types": 3})").find("field of a type"),
            std::string::npos);
}

constexpr StringLiteral OneField = R"({"findings": [{"id": "T::f",
  "rung": "suspected", "kind": "mixed", "member": "f",
  "type": {"name": "T", "size": 16},
  "occupants": [{"name": "T::f", "writes": 1}]}], "types": 1})";

TEST_F(HuntTest, AFieldIsWatchedWhereTheProgramUsesIt) {
  Reports["located"] = Nothing;
  Reports["fields"] = OneField;
  Reports["used-1"] = R"({"findings": [{"id": "T::f", "rung": "observed",
    "kind": "mixed", "observed": {"outcome": "confirmed", "verdict": "mixed"}}]})";
  HuntResult Result = hunt();
  EXPECT_EQ(Result.outcome(), HuntOutcome::Observed);
  EXPECT_TRUE(any_of(Ran, [](StringRef Step) { return Step == "used-1"; }));
}

TEST_F(HuntTest, ThreadsWithObjectsOfTheirOwnAreNothingToFix) {
  Reports["located"] = Nothing;
  Reports["fields"] = OneField;
  auto used = [](StringRef Apart) {
    return (R"({"findings": [{"id": "T::f", "rung": "suspected", "kind": "mixed",
      "observed": {"outcome": "cannot-tell", "verdict": "private")" +
            Apart + "}}]}")
        .str();
  };
  Reports["used-1"] = used("");
  EXPECT_EQ(hunt().outcome(), HuntOutcome::Open);
  sys::fs::remove(Request.State + "/used-1.json");
  Reports["used-1"] = used(R"(, "threads_apart": 4)");
  HuntResult Result = hunt();
  EXPECT_EQ(Result.outcome(), HuntOutcome::NothingFound);
  EXPECT_NE(section(Result, "What was ruled out").find("4 threads came"),
            std::string::npos);
  // A gate must not pass for that.
  EXPECT_TRUE(Result.isOpen());
}

TEST_F(HuntTest, WhatWasSeenDecidesTheRemedy) {
  Reports["located"] = Nothing;
  Reports["fields"] = R"({"findings": [{"id": "T::f", "rung": "suspected",
    "kind": "mixed", "member": "f", "type": {"name": "T", "size": 16},
    "remedy": {"kind": "guard", "text": "test before the store"},
    "occupants": [{"name": "T::f", "writes": 1}]}], "types": 1})";
  auto used = [](StringRef Second) {
    return (R"({"findings": [{"id": "T::f", "rung": "observed", "kind": "mixed",
      "observed": {"outcome": "confirmed", "verdict": "false-sharing", "words": [
        {"offset": 0, "size": 8, "accesses": [{"thread": 7, "writes": 3}]},
        {"offset": 16, "size": 8, "accesses": [)" +
            Second + R"({"thread": 8, "writes": 3}]}]}}]})")
        .str();
  };
  Reports["used-1"] = used("");
  EXPECT_NE(section(hunt(), "How to fix it")
                .find("bytes 0-7 thread 7, bytes 16-23 thread 8"),
            std::string::npos);
  sys::fs::remove(Request.State + "/used-1.json");
  // They meet on a word after all.
  Reports["used-1"] = used(R"({"thread": 7, "reads": 1}, )");
  EXPECT_EQ(section(hunt(), "How to fix it"), "guard: test before the store");
}

TEST_F(HuntTest, WhereNoObjectIsFoundTheStorySaysWhy) {
  Reports["located"] = Nothing;
  Reports["fields"] = OneField;
  HuntResult Result = hunt();
  EXPECT_EQ(Result.outcome(), HuntOutcome::Open);
  EXPECT_TRUE(none_of(Result.Steps, [](const StepRecord &Step) {
    return Step.Action.Name == "used-1";
  }));
  EXPECT_TRUE(any_of(Result.Notes, [](StringRef Note) {
    return Note.starts_with("T::f was not watched");
  }));
}

TEST_F(HuntTest, ANoteIsToldOnce) {
  Reports["fields"] = R"({"notes": ["a note"], "findings": []})";
  EXPECT_EQ(hunt().Notes, std::vector<std::string>{"a note"});
}

} // namespace
