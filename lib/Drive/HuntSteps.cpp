// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is run, in words.

#include "HuntSteps.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace linesman::drive {

namespace {

using Words = std::vector<std::string>;

std::string inState(const HuntRequest &Request, const Twine &Name) {
  SmallString<256> Path(Request.State);
  sys::path::append(Path, Name);
  return std::string(Path);
}

/// A step that writes a JSON report.
Step makeStep(const HuntRequest &Request, const Twine &Name, StringRef Purpose,
              Words Arguments) {
  std::string Result = inState(Request, Name + ".json");
  // Before "--" and what is somebody else's.
  Arguments.insert(Arguments.begin() + 1, {"--format=json", "-o", Result});
  return {Name.str(), Purpose.str(), std::move(Arguments), std::move(Result)};
}

void addOption(Words &Line, StringRef Option, StringRef Value) {
  if (!Value.empty())
    Line.push_back((Option + "=" + Value).str());
}

std::string secondsOption(StringRef Option, double Seconds) {
  return formatv("{0}={1}", Option, format("%g", Seconds));
}

/// What is run: a command with a bound, or a process.
void addTarget(const HuntRequest &Request, Words &Line) {
  if (Request.Process) {
    Line.push_back("--pid=" + std::to_string(*Request.Process));
    return;
  }
  Line.push_back(secondsOption("--duration", Request.WatchSeconds));
  Line.push_back("--");
  append_range(Line, Request.Command);
}

void addMetric(const HuntRequest &Request, Words &Line) {
  addOption(Line, "--metric", Request.Metric);
  addOption(Line, "--match", Request.Match);
  addOption(Line, "--probe", Request.Probe);
}

} // namespace

Step locateVariables(const HuntRequest &Request) {
  return makeStep(Request, "located", "find variables that share a line",
                  {"layout", "--guesses", Request.Program});
}

Step locateFields(const HuntRequest &Request) {
  return makeStep(Request, "fields", "find fields that share a line",
                  {"layout", "--types", Request.Program});
}

Step watchFindings(const HuntRequest &Request) {
  Words Arguments = {"watch", "--report=" + locateVariables(Request).Result,
                     "--top=" + std::to_string(Request.MostWatched)};
  addTarget(Request, Arguments);
  return makeStep(Request, "observed", "watch who touches these lines",
                  std::move(Arguments));
}

Step watchFinding(const HuntRequest &Request, StringRef Id, unsigned Number) {
  Words Arguments = {"watch", "--report=" + locateVariables(Request).Result,
                     ("--finding=" + Id).str()};
  addTarget(Request, Arguments);
  return makeStep(Request, "observed-" + Twine(Number),
                  "watch one line, with more time", std::move(Arguments));
}

Step watchForPrice(const HuntRequest &Request, StringRef Id, unsigned Number) {
  Step Result = watchFinding(Request, Id, Number);
  std::string File = inState(Request, "priced-" + Twine(Number) + ".json");
  std::replace(Result.Arguments.begin(), Result.Arguments.end(), Result.Result,
               File);
  Result.Name = "priced-" + std::to_string(Number);
  Result.Purpose = "watch one line alone, for its price";
  Result.Result = std::move(File);
  return Result;
}

Step watchObject(const HuntRequest &Request, size_t Index) {
  Words Arguments = {"watch", "--at=" + Request.Expressions[Index]};
  addTarget(Request, Arguments);
  return makeStep(Request, "object-" + Twine(Index + 1),
                  "watch who touches an object", std::move(Arguments));
}

Step watchField(const HuntRequest &Request, size_t Index, StringRef Id,
                unsigned Number) {
  Words Arguments = {"watch", "--at=" + Request.Expressions[Index],
                     "--report=" + locateFields(Request).Result,
                     ("--finding=" + Id).str()};
  addTarget(Request, Arguments);
  return makeStep(Request, "field-" + Twine(Index + 1) + "-" + Twine(Number),
                  "watch who touches a field", std::move(Arguments));
}

Step watchUsedField(const HuntRequest &Request, StringRef Id, unsigned Number) {
  Words Arguments = {"watch", "--report=" + locateFields(Request).Result,
                     ("--finding=" + Id).str()};
  addTarget(Request, Arguments);
  return makeStep(Request, "used-" + Twine(Number),
                  "watch a field where the program uses it",
                  std::move(Arguments));
}

Step searchPages(const HuntRequest &Request, PageSearch Search) {
  bool UsesLink = Search == PageSearch::ThenSymbol && Request.hasLink();
  std::string Log =
      inState(Request, UsesLink ? "bisect.log" : "bisect-pages.log");
  Words Arguments = {"bisect", "--log=" + Log};
  if (sys::fs::exists(Log))
    Arguments.push_back("--resume");
  addMetric(Request, Arguments);
  if (Request.Metric.empty() && Request.Match.empty() && Request.Probe.empty())
    Arguments.push_back("--metric=time");
  if (Request.IsSimulated)
    Arguments.push_back("--simulated");
  if (UsesLink) {
    addOption(Arguments, "--link-command", Request.LinkCommand);
    addOption(Arguments, "--captured", Request.Captured);
    addOption(Arguments, "--links", Request.Links);
  }
  if (Request.Process) {
    Arguments.push_back("--pid=" + std::to_string(*Request.Process));
  } else {
    Arguments.push_back("--program=" + Request.Program);
    Arguments.push_back("--");
    append_range(Arguments, Request.Command);
  }
  return UsesLink
             ? makeStep(Request, "pages", "search the page, then the symbol",
                        std::move(Arguments))
             : makeStep(Request, "pages-only", "search the page",
                        std::move(Arguments));
}

Step planIsolation(const HuntRequest &Request, StringRef Id, size_t Index) {
  Step Result =
      makeStep(Request, "plan-" + Twine(Index + 1), "plan to take it apart",
               {"plan", ("--select=" + Id).str(), Request.Program});
  // It has no other form.
  Result.Arguments.erase(Result.Arguments.begin() + 1);
  return Result;
}

Step linkIsolated(const HuntRequest &Request, const Step &Plan, size_t Index) {
  Step Result;
  Result.Name = "isolated-" + std::to_string(Index + 1);
  Result.Purpose = "link again with it apart";
  Result.Result = inState(Request, Result.Name);
  Result.Arguments = {"relink", "--plan=" + Plan.Result, "-o", Result.Result};
  addOption(Result.Arguments, "--captured", Request.Captured);
  addOption(Result.Arguments, "--links", Request.Links);
  if (Request.Captured.empty()) {
    Result.Arguments.push_back("--");
    append_range(Result.Arguments, Request.LinkWords);
  }
  return Result;
}

Step compare(const HuntRequest &Request, StringRef Name, StringRef Purpose,
             StringRef Other) {
  Words Arguments = {"ab",
                     secondsOption("--time-limit", Request.CompareSeconds),
                     "--disturbed=last-resort"};
  addMetric(Request, Arguments);
  addOption(Arguments, "--better", Request.Better);
  append_range(Arguments,
               Words{"--", guard::quoteCommand(Request.Command), Other.str()});
  return makeStep(Request, Name, Purpose, std::move(Arguments));
}

Step checkUnits(const HuntRequest &Request, ArrayRef<std::string> Files) {
  Words Arguments = {"tidy", "--unit-facts=none", "--source-root=/", "-p",
                     Request.Build};
  append_range(Arguments, Files);
  return makeStep(Request, "checks", "look for a patch in the checks",
                  std::move(Arguments));
}

std::optional<std::vector<std::string>>
replaceProgram(const HuntRequest &Request, StringRef File) {
  Words Result = Request.Command;
  bool IsNamed = false;
  for (std::string &Word : Result)
    if (sys::fs::equivalent(Word, Request.Program)) {
      Word = File.str();
      IsNamed = true;
    }
  if (!IsNamed)
    return std::nullopt;
  return Result;
}

} // namespace linesman::drive
