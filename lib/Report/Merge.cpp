// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins findings by identity, and ranks what came together.

#include "linesman/Report/Merge.h"
#include "linesman/Report/Patch.h"
#include "linesman/Report/Report.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cassert>
#include <map>

using namespace llvm;
using linesman::layout::Rung;

namespace linesman::report {

std::optional<Rung> parseRung(StringRef Word) {
  for (Rung Reached :
       {Rung::Suspected, Rung::Located, Rung::Observed, Rung::Costed})
    if (word(Reached) == Word)
      return Reached;
  return std::nullopt;
}

namespace {

/// What a finding is about. Two neighbours are about the same thing from either
/// side.
SmallVector<std::string, 3> subjectsOf(const Finding &Found) {
  SmallVector<std::string, 3> Keys;
  auto Add = [&](StringRef Text) {
    std::string Key = plainIdentity(Text);
    if (!Key.empty() && !is_contained(Keys, Key))
      Keys.push_back(Key);
  };
  // What names nothing is called by its place.
  if (Found.Suspicion && Found.Suspicion->Subject.empty()) {
    Keys.push_back(Found.Id);
    return Keys;
  }
  Add(Found.Id);
  std::string Neighbour;
  if (Found.Suspicion) {
    Add(Found.Suspicion->Field);
    Neighbour = plainIdentity(Found.Suspicion->Neighbour);
  }
  if (const FieldSubject *Field = Found.field();
      Field && !Field->Partner.empty())
    Neighbour = plainIdentity(Field->Type + "::" + Field->Partner);
  if (!Neighbour.empty() && !Keys.empty()) {
    auto [First, Second] = std::minmax(Keys.front(), Neighbour);
    Keys.push_back(First + " | " + Second);
  }
  return Keys;
}

/// What came together so far.
struct Group {
  const Finding *Best = nullptr;
  /// The best rank in each list, from 1.
  std::map<size_t, size_t> Ranks;
  struct Member {
    const Finding *Found;
    size_t List, Rank;
  };
  std::vector<Member> Members;
  size_t First = 0;

  double fused() const {
    constexpr double Damping = 60;
    double Sum = 0;
    for (auto [List, Rank] : Ranks)
      Sum += 1 / (Damping + double(Rank));
    return Sum;
  }
};

class Merger {
public:
  Merger(ArrayRef<FindingsList> Lists, const MergeOptions &Options)
      : Lists(Lists), Options(Options) {}

  MergedFindings merge();

private:
  size_t find(size_t Group) {
    while (Parent[Group] != Group)
      Group = Parent[Group] = Parent[Parent[Group]];
    return Group;
  }
  void add(const Finding &Found, size_t List, size_t Rank);
  void unite(size_t A, size_t B);
  Finding describe(const Group &G) const;
  FindingEvidence describe(const Group::Member &M) const;
  std::string contradiction(const Group &G) const;

  ArrayRef<FindingsList> Lists;
  const MergeOptions &Options;
  std::vector<Group> Groups;
  std::vector<size_t> Parent;
  StringMap<size_t> ByKey;
  /// What checks named.
  StringMap<size_t> Checked;
};

void Merger::unite(size_t A, size_t B) {
  A = find(A), B = find(B);
  if (A == B)
    return;
  if (Groups[B].First < Groups[A].First)
    std::swap(A, B);
  Parent[B] = A;
  append_range(Groups[A].Members, Groups[B].Members);
  Groups[B].Members.clear();
}

/// "T::word" for "T::word.inner": a check names the field, facts the word of
/// the atomic or lock in it. Empty for other names.
static std::string outerField(const Finding &Found) {
  const std::string Id = plainIdentity(Found.Id);
  const size_t Scope = Id.rfind("::");
  const size_t Dot = Scope == std::string::npos ? Scope : Id.find('.', Scope);
  return Dot == std::string::npos ? "" : Id.substr(0, Dot);
}

void Merger::add(const Finding &Found, size_t List, size_t Rank) {
  size_t Number = Groups.size();
  Groups.emplace_back();
  Groups.back().First = Number;
  Groups.back().Members = {{&Found, List, Rank}};
  Parent.push_back(Number);
  for (const std::string &Key : subjectsOf(Found)) {
    auto [It, IsNew] = ByKey.try_emplace(Key, Number);
    if (!IsNew)
      unite(It->second, Number);
  }
  if (Found.Suspicion)
    for (const std::string &Key : subjectsOf(Found))
      Checked.try_emplace(Key, Number);
  else if (auto It = Checked.find(outerField(Found)); It != Checked.end())
    unite(It->second, Number);
}

FindingEvidence Merger::describe(const Group::Member &M) const {
  FindingEvidence Result;
  Result.Source = Lists[M.List].Name;
  Result.Reached = M.Found->Reached;
  Result.Rank = M.Rank;
  Result.Id = M.Found->Id;
  Result.Kind = M.Found->Kind;
  Result.Score = M.Found->Score;
  if (!M.Found->Suspicion)
    return Result;
  Result.Check = M.Found->Suspicion->Check;
  Result.Message = M.Found->Suspicion->Message;
  if (!M.Found->Occupants.empty() && !M.Found->Occupants.front().Sites.empty())
    Result.Place = M.Found->Occupants.front().Sites.front().Place;
  return Result;
}

/// Whether a check has reported the same already: a build may copy a header.
static bool isSaid(const FindingEvidence &New, ArrayRef<FindingEvidence> Said) {
  return any_of(Said, [&](const FindingEvidence &Old) {
    return !New.Check.empty() && New.Check == Old.Check &&
           New.Message == Old.Message && New.Source == Old.Source &&
           baseName(placeText(New.Place)) == baseName(placeText(Old.Place));
  });
}

Finding Merger::describe(const Group &G) const {
  assert(G.Best && "a group without findings");
  Finding Result = *G.Best;
  if (G.Members.size() > 1) {
    // What a check adds to what facts know: the keys that the best has not.
    json::Object Keys = toJson(*G.Best);
    for (const Group::Member &M : G.Members)
      for (const auto &[Key, Value] : toJson(*M.Found))
        Keys.try_emplace(Key, Value);
    // All were findings, so this is one.
    Result = cantFail(readFinding(Keys));
    Result.Fix.clear();
    // Where some writes are guarded and others are not, counts go wrong.
    bool IsWhole = true;
    for (const Group::Member &M : G.Members) {
      const bool IsGuard =
          M.Found->Suspicion && M.Found->Remedy &&
          M.Found->Remedy->Kind == word(layout::RemedyKind::Guard);
      const bool IsAdded = addFix(M.Found->Fix, Result.Fix);
      IsWhole &= !IsGuard || (IsAdded && !M.Found->Fix.empty());
    }
    if (!IsWhole)
      Result.Fix.clear();
  }
  Result.Evidence.clear();
  for (const Group::Member &M : G.Members)
    if (FindingEvidence New = describe(M); !isSaid(New, Result.Evidence))
      Result.Evidence.push_back(std::move(New));
  for (const std::string &Key : subjectsOf(*G.Best))
    if (auto It = Options.Remarks.find(Key); It != Options.Remarks.end()) {
      Result.Remark = It->second;
      break;
    }
  return Result;
}

std::string Merger::contradiction(const Group &G) const {
  if (!all_of(G.Members, [](const auto &M) { return M.Found->Suspicion; }))
    return "";
  // What it is about, and not what is beside that.
  std::string Subject = plainIdentity(G.Best->Suspicion->Field);
  if (Subject.empty())
    Subject = plainIdentity(G.Best->Id);
  return Options.Contradicted.lookup(Subject);
}

MergedFindings Merger::merge() {
  for (auto [Index, List] : enumerate(Lists))
    for (auto [Rank, Found] : enumerate(List.Findings))
      add(Found, Index, Rank + 1);
  std::vector<const Group *> Order;
  for (Group &G : Groups) {
    if (G.Members.empty())
      continue;
    for (const Group::Member &M : G.Members) {
      // Checks do not rank: their order is that of the source.
      const size_t Rank = M.Found->Suspicion ? 1 : M.Rank;
      auto [It, IsNew] = G.Ranks.try_emplace(M.List, Rank);
      It->second = std::min(It->second, Rank);
      // Facts know more than a check of the same rung.
      auto Key = [](const Finding &F) {
        return std::pair(F.Reached, !F.Suspicion);
      };
      if (!G.Best || Key(*M.Found) > Key(*G.Best))
        G.Best = M.Found;
    }
    Order.push_back(&G);
  }
  stable_sort(Order, [](const Group *A, const Group *B) {
    return std::pair(A->Best->Reached, A->fused()) >
           std::pair(B->Best->Reached, B->fused());
  });
  MergedFindings Result;
  for (const Group *G : Order) {
    Finding Found = describe(*G);
    if (std::string Reason = contradiction(*G); !Reason.empty()) {
      Found.Contradicted = std::move(Reason);
      Result.Dropped.push_back(std::move(Found));
      continue;
    }
    Result.Findings.push_back(std::move(Found));
  }
  return Result;
}

} // namespace

MergedFindings mergeFindings(std::vector<FindingsList> Lists,
                             const MergeOptions &Options) {
  return Merger(Lists, Options).merge();
}

} // namespace linesman::report
