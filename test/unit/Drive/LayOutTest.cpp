// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is shown, what is hidden, and on which rung it is.

#include "linesman/Drive/LayOut.h"
#include "../Layout/Literals.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman;
using namespace linesman::drive;
using namespace linesman::layout;

namespace {

/// "a" beside "b" on a line, and a "c" that is written more on another.
input::Binary binary() {
  Scene S({layout::object("a", 0x40, 8), layout::object("b", 0x48, 8),
           layout::object("c", 0x80, 8)});
  S.fact(0x40, {writes(2)}).fact(0x48, {reads(2)}).fact(0x80, {writes(9)});
  input::Binary Result;
  Result.Accesses = S.table();
  Result.Image = S.image();
  return Result;
}

struct Seen {
  std::vector<std::string> Shown, Whole;
  uint64_t Hidden = 0;
  double TotalScore = 0;
  std::optional<Rung> Highest;
  report::LineList List = report::LineList::None;
};

Expected<Seen> look(input::Binary &Binary, const LayoutRequest &Request) {
  Seen Result;
  Error E = layOut(Binary, Request, {}, [&](LaidOut &Layout) {
    for (const LineFinding &F : Layout.Shown.Findings)
      Result.Shown.push_back(F.Id);
    for (const LineFinding &F : Layout.Whole.Findings)
      Result.Whole.push_back(F.Id);
    Result.Hidden = Layout.Shown.Hidden;
    Result.TotalScore = Layout.Shown.TotalScore;
    Result.Highest = Layout.Highest;
    Result.List = Layout.Shown.List;
    return Error::success();
  });
  if (E)
    return std::move(E);
  return Result;
}

using Names = std::vector<std::string>;

TEST(LayOut, HiddenFindingsCountAndAreDescribedWhereSomebodyWantsThem) {
  input::Binary Binary = binary();
  LayoutRequest Request;
  Seen All = cantFail(look(Binary, Request));
  EXPECT_EQ(All.Shown, Names({"c", "a"}));
  EXPECT_EQ(All.Hidden, 0u);
  EXPECT_EQ(All.Highest, Rung::Located);
  Request.MostShown = 1;
  Seen One = cantFail(look(Binary, Request));
  EXPECT_EQ(One.Shown, Names({"c"}));
  EXPECT_EQ(One.Whole, Names({"c"}));
  EXPECT_EQ(One.Hidden, 1u);
  EXPECT_EQ(One.TotalScore, All.TotalScore) << "also of what is hidden";
  Request.NeedsWhole = true;
  EXPECT_EQ(cantFail(look(Binary, Request)).Whole, Names({"c", "a"}));
}

TEST(LayOut, OfWhatABaselineAcceptsOnlyTheNumberIsShown) {
  input::Binary Binary = binary();
  LayoutRequest Request;
  Request.NeedsWhole = true;
  Request.MostShown = 1;
  report::Comparison Changes;
  Changes.Unaccepted = {"a"};
  cantFail(layOut(Binary, Request, {}, [&](LaidOut &Layout) {
    std::vector<LineFinding> Left = leaveUnaccepted(Changes, Layout);
    EXPECT_EQ(Layout.Shown.Findings.size(), 1u);
    EXPECT_EQ(Layout.Shown.Findings.front().Id, "a") << "not the first of all";
    EXPECT_EQ(Layout.Shown.Accepted, 1u);
    EXPECT_EQ(Layout.Shown.Hidden, 0u);
    return Error::success();
  }));
}

TEST(LayOut, NoFindingOfObjectsBeforeTheLinkIsLocated) {
  input::Binary Binary = binary();
  Binary.Unlinked.emplace();
  EXPECT_EQ(cantFail(look(Binary, {})).Highest, Rung::Suspected);
}

TEST(LayOut, AFilterKeepsTheNeighboursOfWhatItNames) {
  input::Binary Binary = binary();
  LayoutRequest Request;
  Request.Filter = "^b$";
  EXPECT_EQ(cantFail(look(Binary, Request)).Shown, Names({"a"}));
}

TEST(LayOut, AFilterOfNothingFailsAGateOnly) {
  input::Binary Binary = binary();
  LayoutRequest Request;
  Request.Path = "app";
  Request.Filter = "^d$";
  Seen Nothing = cantFail(look(Binary, Request));
  EXPECT_TRUE(Nothing.Shown.empty());
  EXPECT_EQ(Nothing.Highest, std::nullopt);
  Request.IsGate = true;
  EXPECT_EQ(toString(look(Binary, Request).takeError()),
            "'app': no variable matches --filter=^d$, so --fail-on has nothing "
            "to judge");
}

TEST(LayOut, LinesAreListedForWantOfFactsOnly) {
  input::Binary Binary = binary();
  LayoutRequest Request;
  Request.List = report::LineList::First;
  EXPECT_EQ(cantFail(look(Binary, Request)).List, report::LineList::None);
  Binary.Accesses = Scene({layout::object("a", 0x40, 8)}).table();
  EXPECT_EQ(cantFail(look(Binary, Request)).List, report::LineList::First);
}

} // namespace
