// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparison by what stays the same about a finding.

#include "linesman/Report/Baseline.h"
#include "linesman/Report/Report.h"
#include "llvm/ADT/StringMap.h"
#include <algorithm>
#include <cmath>
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
  bool IsThere = false;
};

FindingState stateOf(const Finding &Now, const Known &Was) {
  if (Now.Reached > Was.Reached || Now.score() > Tolerance * Was.Score)
    return FindingState::Worse;
  return Now.score() * Tolerance < Was.Score ? FindingState::Better
                                             : FindingState::Same;
}

/// What is accepted with a finding: itself, and each thing that a check names
/// in it. One more of those is new, though what it joined is not.
std::vector<std::string> keysOf(const Finding &Found) {
  std::vector<std::string> Keys = {stableKey(Found)};
  for (const FindingEvidence &Evidence : Found.Evidence) {
    if (Evidence.Check.empty())
      continue;
    Finding Alone;
    Alone.Id = Evidence.Id;
    Alone.About = SourceSubject();
    Alone.Suspicion.emplace().Check = Evidence.Check;
    Alone.Suspicion->Message = Evidence.Message;
    Keys.push_back(stableKey(Alone));
  }
  return Keys;
}

} // namespace

void compare(Document &Now, const Document &Accepted) {
  StringMap<Known> Before;
  for (const Finding &F : Accepted.Findings) {
    for (const std::string &Key : keysOf(F)) {
      Known &Was = Before[Key];
      Was.Reached = std::max(Was.Reached, F.Reached);
      Was.Score = std::max(Was.Score, F.score());
    }
  }
  Comparison Result;
  Result.OldTotal = Accepted.TotalScore;
  Result.Total = Now.TotalScore;
  for (Finding &F : Now.Findings) {
    bool IsNew = false;
    for (const std::string &Key : keysOf(F))
      if (auto It = Before.find(Key); It != Before.end())
        It->second.IsThere = true;
      else
        IsNew = true;
    if (IsNew) {
      F.State = FindingState::New;
      ++Result.New;
      Result.Unaccepted.insert(F.Id);
      continue;
    }
    auto It = Before.find(stableKey(F));
    F.State = stateOf(F, It->second);
    F.OldScore = It->second.Score;
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
  // One row a finding, so that a change of one is one row of a review.
  std::map<std::string, const Finding *> Rows;
  for (const Finding &F : Accepted.Findings) {
    for (const std::string &Key : keysOf(F)) {
      const Finding *&Row = Rows[Key];
      if (!Row || std::pair(F.Reached, F.score()) >
                      std::pair(Row->Reached, Row->score()))
        Row = &F;
    }
  }
  OS << "{\"schema\": 1, \"tool\": \"linesman\", \"command\": \"baseline\", "
        "\"findings\": [";
  bool IsFirst = true;
  for (const auto &[Key, F] : Rows) {
    json::Object Row{{"id", json::fixUTF8(Key)},
                     {"rung", word(F->Reached)},
                     {"score", std::round(F->score() * 1000) / 1000}};
    OS << (IsFirst ? "\n" : ",\n") << json::Value(std::move(Row));
    IsFirst = false;
  }
  OS << "\n]}\n";
}

} // namespace linesman::report
