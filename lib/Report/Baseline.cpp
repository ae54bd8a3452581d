// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparison by what stays the same about a finding.

#include "linesman/Report/Baseline.h"
#include "linesman/Report/Report.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <map>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

namespace {

/// A score moves a little with each compile.
constexpr double Tolerance = 1.1;

struct Known {
  Rung Reached = Rung::Suspected;
  double Score = 0;
  /// In which a check named it: two variables of one name are one identity, and
  /// only where each is in tells that there is one more.
  unsigned Files = 1;
  bool IsThere = false;
};

FindingState compare(const Known &Now, const Known &Was) {
  if (Now.Reached > Was.Reached || Now.Files > Was.Files ||
      Now.Score > Tolerance * Was.Score)
    return FindingState::Worse;
  return Now.Score * Tolerance < Was.Score ? FindingState::Better
                                           : FindingState::Same;
}

std::string keyOf(const FindingEvidence &Check) {
  Finding Alone;
  Alone.Id = Check.Id;
  Alone.About = SourceSubject();
  Alone.Suspicion.emplace().Check = Check.Check;
  Alone.Suspicion->Message = Check.Message;
  return stableKey(Alone);
}

/// What is accepted with a finding: itself, and each thing that a check names
/// in it. One more of those is new, though what it joined is not.
std::vector<std::string> keysOf(const Finding &Found) {
  std::vector<std::string> Keys = {stableKey(Found)};
  for (const FindingEvidence &Evidence : Found.Evidence)
    if (!Evidence.Check.empty())
      Keys.push_back(keyOf(Evidence));
  return Keys;
}

/// By identity. Several findings of one object count together: on how many
/// lines it is depends on where it begins, and what they cost in all hardly
/// does. What a check names in a finding has no score of its own.
StringMap<Known> gather(const Document &Report) {
  StringMap<Known> Result;
  StringMap<StringSet<>> Files;
  for (const Finding &F : Report.Findings) {
    const std::string Own = stableKey(F);
    Result[Own].Score += F.score();
    Result[Own].Files = std::max(Result[Own].Files, F.AcceptedFiles);
    for (const FindingEvidence &Evidence : F.Evidence)
      if (!Evidence.Check.empty())
        Files[keyOf(Evidence)].insert(sys::path::filename(Evidence.Place.File));
    for (const std::string &Key : keysOf(F)) {
      Known &Is = Result[Key];
      Is.Reached = std::max(Is.Reached, F.Reached);
      if (Key != Own)
        Is.Score = std::max(Is.Score, F.score());
    }
  }
  for (const auto &Entry : Files)
    Result[Entry.first()].Files = Entry.second.size();
  return Result;
}

} // namespace

void compare(Document &Now, const Document &Accepted) {
  StringMap<Known> Before = gather(Accepted);
  const StringMap<Known> After = gather(Now);
  Comparison Result;
  Result.OldTotal = Accepted.TotalScore;
  Result.Total = Now.TotalScore;
  for (Finding &F : Now.Findings) {
    bool IsNew = false;
    FindingState State = FindingState::Same;
    for (const std::string &Key : keysOf(F)) {
      auto It = Before.find(Key);
      if (It == Before.end()) {
        IsNew = true;
        continue;
      }
      It->second.IsThere = true;
      if (After.find(Key)->second.Files > It->second.Files)
        State = FindingState::Worse;
    }
    if (IsNew) {
      F.State = FindingState::New;
      ++Result.New;
      Result.Unaccepted.insert(F.Id);
      continue;
    }
    const Known &Was = Before.find(stableKey(F))->second;
    const Known &Is = After.find(stableKey(F))->second;
    F.State = State == FindingState::Worse ? State : compare(Is, Was);
    // Its part of the object's.
    F.OldScore = Is.Score > 0 ? Was.Score * F.score() / Is.Score : Was.Score;
    Result.Worse += F.State == FindingState::Worse;
    if (F.State == FindingState::Worse)
      Result.Unaccepted.insert(F.Id);
    Result.Better += F.State == FindingState::Better;
  }
  for (const auto &Entry : Before)
    Result.Gone += !Entry.second.IsThere;
  Now.Against = std::move(Result);
}

std::vector<const Finding *> findFailing(const Document &Report, Rung Least) {
  std::vector<const Finding *> Result;
  for (const Finding &F : Report.Findings)
    if (F.Reached >= Least && !F.isRefuted() && F.State != FindingState::Same &&
        F.State != FindingState::Better)
      Result.push_back(&F);
  return Result;
}

void writeBaseline(const Document &Accepted, raw_ostream &OS) {
  // One row an object, so that a change of one is one row of a review.
  std::map<std::string, Known> Rows;
  for (const auto &Row : gather(Accepted))
    Rows.emplace(Row.first(), Row.second);
  OS << "{\"schema\": 1, \"tool\": \"linesman\", \"command\": \"baseline\", "
        "\"findings\": [";
  bool IsFirst = true;
  for (const auto &[Key, Is] : Rows) {
    OS << (IsFirst ? "\n" : ",\n")
       << formatv("{{\"id\":{0},\"rung\":\"{1}\",\"score\":{2}",
                  json::Value(json::fixUTF8(Key)), word(Is.Reached),
                  format("%.6g", Is.Score));
    if (Is.Files > 1)
      OS << ",\"files\":" << Is.Files;
    OS << '}';
    IsFirst = false;
  }
  OS << "\n]}\n";
}

} // namespace linesman::report
