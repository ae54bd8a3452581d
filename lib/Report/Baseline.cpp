// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparison by what stays the same about a finding.

#include "linesman/Report/Baseline.h"
#include "linesman/Guard/Head.h"
#include "linesman/Layout/MatchLines.h"
#include "linesman/Report/Merge.h"
#include "linesman/Report/Report.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
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

/// Who else is touched on its line, as identities.
std::vector<std::string> matesOf(const Finding &Found) {
  if (Found.IsAccepted)
    return Found.AcceptedMates;
  std::set<std::string> Mates;
  for (const FindingOccupant &Occupant : Found.Occupants)
    if (Occupant.isObject() && Occupant.isUsed())
      Mates.insert(plainIdentity(Occupant.Name));
  Mates.erase(stableKey(Found));
  return {Mates.begin(), Mates.end()};
}

/// What is accepted with a finding: itself, and each thing that a check names
/// in it. One more of those is new, though what it joined is not.
std::vector<std::string> acceptedKeys(const Finding &Found) {
  std::vector<std::string> Keys = stableKeys(Found);
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
    const std::vector<std::string> Own = stableKeys(F);
    for (const std::string &Key : Own) {
      Result[Key].Score += F.score();
      Result[Key].Files = std::max(Result[Key].Files, F.AcceptedFiles);
    }
    for (const FindingEvidence &Evidence : F.Evidence)
      if (!Evidence.Check.empty())
        Files[keyOf(Evidence)].insert(sys::path::filename(Evidence.Place.File));
    for (const std::string &Key : acceptedKeys(F)) {
      Known &Is = Result[Key];
      Is.Reached = std::max(Is.Reached, F.Reached);
      if (!is_contained(Own, Key))
        Is.Score = std::max(Is.Score, F.score());
    }
  }
  for (const auto &Entry : Files)
    Result[Entry.first()].Files = Entry.second.size();
  return Result;
}

/// Findings of a line, with who is there, by identity. What a check says is of
/// no line.
std::vector<LineParty> partiesOf(const Document &Report,
                                 const StringMap<Known> &Elsewhere) {
  std::map<std::string, LineParty> Parties;
  for (const Finding &F : Report.Findings) {
    const std::string Key = stableKey(F);
    if (F.check() || Elsewhere.contains(Key))
      continue;
    LineParty &Party =
        Parties.try_emplace(Key, LineParty{Key, Key, {}}).first->second;
    for (const std::string &Mate : matesOf(F))
      Party.Objects.insert(Mate);
    Party.Objects.insert(Key);
  }
  std::vector<LineParty> Result;
  for (auto &[Key, Party] : Parties)
    Result.push_back(std::move(Party));
  return Result;
}

/// From the identities of findings that only \p Now has to those that \p
/// Accepted knows them by.
StringMap<std::string> findRenamed(const Document &Now,
                                   const StringMap<Known> &After,
                                   const Document &Accepted,
                                   const StringMap<Known> &Before) {
  const std::vector<LineParty> Old = partiesOf(Accepted, After),
                               New = partiesOf(Now, Before);
  StringMap<std::string> Result;
  for (auto [Party, Was] : zip(New, matchLines(Old, New)))
    if (Was)
      Result[Party.Key] = Old[*Was].Key;
  return Result;
}

/// Which source files define what each name is, without folders.
StringMap<StringSet<>> filesOf(const Document &Report) {
  StringMap<StringSet<>> Files;
  auto Add = [&](StringRef Name, StringRef File) {
    if (!File.empty())
      Files[Name].insert(sys::path::filename(File));
  };
  for (const Finding &F : Report.Findings) {
    if (F.IsAccepted)
      Add(F.Id, F.AcceptedSource);
    for (const FindingOccupant &Occupant : F.Occupants)
      Add(plainIdentity(Occupant.Name), Occupant.Defined.File);
  }
  return Files;
}

/// Of the occupant that it is called after; empty where nobody says.
std::string sourceOf(const Finding &Found) {
  if (Found.IsAccepted)
    return Found.AcceptedSource;
  for (const FindingOccupant &Occupant : Found.Occupants)
    if (Occupant.Defined &&
        plainIdentity(Occupant.Name) == plainIdentity(Found.Id))
      return sys::path::filename(Occupant.Defined.File).str();
  return "";
}

} // namespace

Error checkSameProgram(const Document &Now, const Document &Accepted) {
  const StringRef Program = sys::path::filename(Now.Binary),
                  OldProgram = sys::path::filename(Accepted.Binary);
  // Lists of several programs have no binary.
  if (Program.empty() || OldProgram.empty() || Program == OldProgram)
    return Error::success();
  const StringMap<StringSet<>> After = filesOf(Now);
  size_t Named = 0, Same = 0;
  for (const auto &Entry : filesOf(Accepted)) {
    auto It = After.find(Entry.first());
    if (It == After.end())
      continue;
    ++Named;
    Same += any_of(Entry.second.keys(),
                   [&](StringRef File) { return It->second.contains(File); });
  }
  if (2 * Same >= Named)
    return Error::success();
  return createStringError(formatv(
      "this is of another program, '{0}': {1} of its {2} that are called the "
      "same here {3} defined in the same source file; if the program changed "
      "that much, accept it again with --write-baseline",
      OldProgram, Same,
      Named == 1 ? "1 object" : formatv("{0} objects", Named).str(),
      Same == 1 ? "is" : "are"));
}

void compare(Document &Now, const Document &Accepted) {
  StringMap<Known> Before = gather(Accepted);
  const StringMap<Known> After = gather(Now);
  const StringMap<std::string> Renamed =
      findRenamed(Now, After, Accepted, Before);
  auto FindBefore = [&](StringRef Key) {
    auto It = Renamed.find(Key);
    return Before.find(It == Renamed.end() ? Key : StringRef(It->second));
  };
  Comparison Result;
  Result.OldTotal = Accepted.TotalScore;
  Result.Total = Now.TotalScore;
  for (Finding &F : Now.Findings) {
    bool IsNew = false;
    FindingState State = FindingState::Same;
    for (const std::string &Key : acceptedKeys(F)) {
      auto It = FindBefore(Key);
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
    for (const std::string &Key : stableKeys(F))
      if (compare(After.find(Key)->second, FindBefore(Key)->second) ==
          FindingState::Worse)
        State = FindingState::Worse;
    const Known &Was = FindBefore(stableKey(F))->second;
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
  Now.Changes = std::move(Result);
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
  std::map<std::string, std::set<std::string>> Mates;
  std::map<std::string, std::string> Sources;
  for (const Finding &F : Accepted.Findings)
    Sources[stableKey(F)] = sourceOf(F);
  for (const Finding &F : Accepted.Findings)
    for (std::string &Mate : matesOf(F))
      Mates[stableKey(F)].insert(std::move(Mate));
  OS << '{' << guard::headText("baseline") << ", ";
  if (StringRef Binary = sys::path::filename(Accepted.Binary); !Binary.empty())
    OS << formatv("\"binary\": {0}, ", json::Value(json::fixUTF8(Binary)));
  OS << "\"findings\": [";
  bool IsFirst = true;
  for (const auto &[Key, Is] : Rows) {
    OS << (IsFirst ? "\n" : ",\n")
       << formatv("{{\"id\":{0},\"rung\":\"{1}\",\"score\":{2}",
                  json::Value(json::fixUTF8(Key)), word(Is.Reached),
                  scoreText(Is.Score));
    if (Is.Files > 1)
      OS << ",\"files\":" << Is.Files;
    if (const std::string &Source = Sources[Key]; !Source.empty())
      OS << formatv(",\"source\":{0}", json::Value(json::fixUTF8(Source)));
    if (auto It = Mates.find(Key); It != Mates.end())
      OS << formatv(",\"line_mates\":{0}",
                    json::Value(json::Array(It->second)));
    OS << '}';
    IsFirst = false;
  }
  OS << "\n]}\n";
}

} // namespace linesman::report
