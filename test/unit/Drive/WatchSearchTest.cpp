// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What there is to watch in this very process, and in one that just begins.

#include "linesman/Drive/WatchSearch.h"
#include "../TemporaryFolder.h"
#include "linesman/Process/Modules.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/StringExtras.h"
#include <unistd.h>

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::process;

extern "C" {
/// Two lines.
alignas(64) char LinesmanTestLines[128] = {1};
}

namespace {

const uint64_t Lines = reinterpret_cast<uint64_t>(LinesmanTestLines);

bool never() { return false; }

Expected<Assignment> search(const WatchRequest &Request) {
  return findAssignment(Request, {::getpid()}, nullptr, never);
}

std::string problem(Expected<Assignment> Found) {
  return Found ? "" : toString(Found.takeError());
}

WatchRequest forSymbol(StringRef Name) {
  WatchRequest Request;
  Request.Object.Symbol = Name.str();
  return Request;
}

TEST(WatchSearch, AnObjectIsAllOfItsLines) {
  Assignment Found = cantFail(search(forSymbol("LinesmanTestLines")));
  ASSERT_EQ(Found.Targets.size(), 2U);
  EXPECT_EQ(Found.Targets[0].Subject, "LinesmanTestLines (line 1 of 2)");
  EXPECT_EQ(Found.Targets[0].Lines[0].Address.Value, Lines);
  EXPECT_EQ(Found.Targets[1].Lines[0].Address.Value, Lines + 64);
  EXPECT_FALSE(Found.Report || Found.Targets[0].Finding);
}

TEST(WatchSearch, APlaceIsOneLine) {
  Assignment Byte = cantFail(search(forSymbol("LinesmanTestLines+70")));
  ASSERT_EQ(Byte.Targets.size(), 1U);
  EXPECT_EQ(Byte.Targets[0].Lines[0].Address.Value, Lines + 64);
  WatchRequest Request;
  Request.Object.Address = "0x" + utohexstr(Lines + 3);
  Assignment Found = cantFail(search(Request));
  ASSERT_EQ(Found.Targets.size(), 1U);
  EXPECT_EQ(Found.Targets[0].Lines[0].Address.Value, Lines);
}

TEST(WatchSearch, WhatIsNotInAStrangersProcessIsNotAwaited) {
  WatchRequest Request = forSymbol("no_such_object");
  Request.Wait = 1000;
  Request.AwaitsLibraries = true;
  EXPECT_NE(problem(search(Request)).find("no_such_object"), std::string::npos);
  Request = {};
  Request.Object.Address = "0x40";
  EXPECT_NE(problem(search(Request)).find("address 0x40 is not mapped"),
            std::string::npos);
  Request.Object.Address = "nonsense";
  EXPECT_NE(problem(search(Request)).find("expected a number"),
            std::string::npos);
}

/// A report of lines of this program.
class ReportSearch : public testing::Test {
protected:
  TemporaryFolder Folder;

  /// A finding for each of \p Addresses; 0 for one without a line.
  WatchRequest ask(ArrayRef<uint64_t> Addresses, StringRef Occupants = "") {
    LoadBias Bias =
        cantFail(ModuleMap::read({::getpid()})).modules().front().Bias;
    std::string Findings;
    for (uint64_t Address : Addresses) {
      if (!Findings.empty())
        Findings += ",";
      Findings += R"({"id": "f)" + utostr(Address ? Address - Lines : 1) +
                  R"(", "rung": "located")";
      if (Address)
        Findings += R"(, "line": {"address": "0x)" +
                    utohexstr(Bias.toLink({Address}).Value) + R"("})";
      Findings += (R"(, "occupants": [)" + Occupants + "]}").str();
    }
    WatchRequest Request;
    Request.Report = Folder.write(
        "report.json", R"({"schema": 1, "command": "layout", "binary":)"
                       R"( "/proc/self/exe", "line_size": 64, "findings": [)" +
                           Findings + "]}");
    Request.Top = 10;
    return Request;
  }
};

TEST_F(ReportSearch, ItsFindingsAreWatchedWhereTheyAreLoaded) {
  Assignment Found = cantFail(search(ask({Lines + 64, Lines})));
  ASSERT_EQ(Found.Targets.size(), 2U);
  EXPECT_EQ(Found.Targets[0].Subject, "f64");
  EXPECT_EQ(Found.Targets[0].Lines[0].Address.Value, Lines + 64);
  EXPECT_EQ(Found.Targets[1].Finding, std::optional<size_t>(1));
  EXPECT_TRUE(Found.Report && Found.Notes.empty());
}

TEST_F(ReportSearch, OneOfThemByItsId) {
  WatchRequest Request = ask({Lines + 64, Lines});
  Request.Finding = "f0";
  Assignment Found = cantFail(search(Request));
  ASSERT_EQ(Found.Targets.size(), 1U);
  EXPECT_EQ(Found.Targets[0].Lines[0].Address.Value, Lines);
  Request.Finding = "f1";
  EXPECT_NE(problem(search(Request)).find("has no finding 'f1'"),
            std::string::npos);
}

TEST_F(ReportSearch, WhatHasNoAddressIsCounted) {
  Assignment Found = cantFail(search(ask({0, Lines})));
  EXPECT_EQ(Found.Targets.size(), 1U);
  ASSERT_EQ(Found.Notes.size(), 1U);
  EXPECT_EQ(StringRef(Found.Notes[0]).take_front(10), "1 findings");
  EXPECT_NE(problem(search(ask({0}))).find("has an address in this process"),
            std::string::npos);
  EXPECT_NE(problem(search(ask({}))).find("has no findings"),
            std::string::npos);
}

TEST_F(ReportSearch, LinesOfAnotherSizeAreNone) {
  WatchRequest Request = ask({Lines});
  Request.LineSize = 128;
  EXPECT_NE(problem(search(Request)).find("lines of 64 bytes"),
            std::string::npos);
  Request.LineSize = 64;
  EXPECT_EQ(problem(search(Request)), "");
}

TEST_F(ReportSearch, AReportOfAnotherBuildIsRefused) {
  std::string Text = problem(search(
      ask({Lines}, R"({"symbol": "LinesmanTestLines", "size": 64, "object": )"
                   R"({"address": "0x40", "size": 64}})")));
  EXPECT_NE(Text.find("the report is of another build"), std::string::npos)
      << Text;
}

/// A program of ours, which never loads what is asked for.
class OwnProgram : public testing::Test {
protected:
  std::vector<std::string> Words = {"sleep", "1000"};
  Child Program = cantFail(launch(Words, Begin::AtRelease));
};

TEST_F(OwnProgram, ALibraryThatMayComeIsAwaitedForSoLong) {
  WatchRequest Request = forSymbol("no_such_object");
  Request.AwaitsLibraries = true;
  Request.Wait = 0.05;
  Expected<Assignment> Found =
      findAssignment(Request, Program.process(), &Program, never);
  EXPECT_TRUE(Found.errorIsA<linesman::watch::WatchError>());
  EXPECT_NE(problem(std::move(Found)).find("no_such_object"),
            std::string::npos);
}

TEST_F(OwnProgram, ASignalEndsTheWait) {
  WatchRequest Request = forSymbol("no_such_object");
  Request.AwaitsLibraries = true;
  Request.Wait = 1000;
  EXPECT_NE(problem(findAssignment(Request, Program.process(), &Program,
                                   [] { return true; })),
            "");
}

} // namespace
