// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins findings by identity, and ranks what came together.

#include "linesman/Report/Merge.h"
#include "linesman/Guard/Document.h"
#include "linesman/Report/Report.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;
using linesman::layout::Rung;

namespace linesman::report {

std::optional<Rung> parseRung(StringRef Word) {
  for (Rung At : {Rung::Suspected, Rung::Located, Rung::Observed, Rung::Costed})
    if (word(At) == Word)
      return At;
  return std::nullopt;
}

Expected<json::Array> readFindings(StringRef Text) {
  if (Text.trim().empty())
    return createStringError("an empty file");
  Expected<json::Value> Root = guard::parseJson(Text);
  if (!Root)
    return Root.takeError();
  json::Object *Top = Root->getAsObject();
  json::Array *Findings = Top ? Top->getArray("findings") : nullptr;
  if (!Findings)
    return createStringError("not a report: it has no 'findings'");
  if (Top->getInteger("schema") != std::optional<int64_t>(1))
    return createStringError("not a report of schema 1");
  for (const json::Value &Each : *Findings)
    if (const json::Object *Finding = Each.getAsObject();
        !Finding || !Finding->getString("id") ||
        !parseRung(Finding->getString("rung").value_or("")))
      return createStringError("not a report: a finding without id and rung");
  return std::move(*Findings);
}

namespace {

Rung rungOf(const json::Object &Finding) {
  return parseRung(Finding.getString("rung").value_or(""))
      .value_or(Rung::Suspected);
}

bool isCheck(const json::Object &Finding) {
  return Finding.getString("check").has_value();
}

/// What a finding is about. Two neighbours are about the same thing from either
/// side.
SmallVector<std::string, 3> keysOf(const json::Object &Finding) {
  SmallVector<std::string, 3> Keys;
  auto Add = [&](StringRef Text) {
    std::string Key = plainIdentity(Text);
    if (!Key.empty() && !is_contained(Keys, Key))
      Keys.push_back(Key);
  };
  StringRef Id = Finding.getString("id").value_or("");
  // What names nothing is called by its place.
  if (isCheck(Finding) && !Finding.getString("subject")) {
    Keys.push_back(Id.str());
    return Keys;
  }
  Add(Id);
  Add(Finding.getString("field").value_or(""));
  std::string Beside = plainIdentity(Finding.getString("beside").value_or(""));
  if (const json::Object *Type = Finding.getObject("type"))
    if (std::optional<StringRef> Partner = Type->getString("partner"))
      Beside = plainIdentity(
          (Type->getString("name").value_or("") + "::" + *Partner).str());
  if (!Beside.empty() && !Keys.empty()) {
    auto [First, Second] = std::minmax(Keys.front(), Beside);
    Keys.push_back(First + " | " + Second);
  }
  return Keys;
}

/// What came together so far.
struct Group {
  const json::Object *Best = nullptr;
  Rung At = Rung::Suspected;
  /// The best rank in each list, from 1.
  std::map<size_t, size_t> Ranks;
  struct Member {
    const json::Object *Finding;
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
  void add(const json::Object &Finding, size_t List, size_t Rank);
  void unite(size_t A, size_t B);
  json::Object describe(const Group &G) const;
  json::Object describe(const Group::Member &M) const;
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
static std::string outerField(const json::Object &Finding) {
  const std::string Id = plainIdentity(Finding.getString("id").value_or(""));
  const size_t Scope = Id.rfind("::");
  const size_t Dot = Scope == std::string::npos ? Scope : Id.find('.', Scope);
  return Dot == std::string::npos ? "" : Id.substr(0, Dot);
}

void Merger::add(const json::Object &Finding, size_t List, size_t Rank) {
  size_t Number = Groups.size();
  Groups.emplace_back();
  Groups.back().First = Number;
  Groups.back().Members = {{&Finding, List, Rank}};
  Parent.push_back(Number);
  for (const std::string &Key : keysOf(Finding)) {
    auto [It, IsNew] = ByKey.try_emplace(Key, Number);
    if (!IsNew)
      unite(It->second, Number);
  }
  if (isCheck(Finding))
    for (const std::string &Key : keysOf(Finding))
      Checked.try_emplace(Key, Number);
  else if (auto It = Checked.find(outerField(Finding)); It != Checked.end())
    unite(It->second, Number);
}

json::Object Merger::describe(const Group::Member &M) const {
  json::Object Result{{"from", Lists[M.List].Name},
                      {"rung", word(rungOf(*M.Finding))},
                      {"rank", int64_t(M.Rank)}};
  auto Copy = [&](StringRef Key) {
    if (const json::Value *Value = M.Finding->get(Key))
      Result[Key] = *Value;
  };
  for (StringRef Key : {"id", "kind", "score", "check", "message"})
    Copy(Key);
  if (isCheck(*M.Finding)) {
    const json::Array *Occupants = M.Finding->getArray("occupants");
    const json::Object *Occupant = Occupants && !Occupants->empty()
                                       ? (*Occupants)[0].getAsObject()
                                       : nullptr;
    const json::Array *Sites = Occupant ? Occupant->getArray("sites") : nullptr;
    if (const json::Object *Site =
            Sites && !Sites->empty() ? (*Sites)[0].getAsObject() : nullptr)
      if (std::optional<StringRef> Source = Site->getString("source"))
        Result["source"] = Source->str();
  }
  return Result;
}

json::Object Merger::describe(const Group &G) const {
  json::Object Result = *G.Best;
  // What a check adds to what facts know.
  for (const Group::Member &M : G.Members)
    for (const auto &[Key, Value] : *M.Finding)
      Result.try_emplace(Key, Value);
  json::Array Evidence;
  for (const Group::Member &M : G.Members)
    Evidence.push_back(describe(M));
  Result["evidence"] = std::move(Evidence);
  for (const std::string &Key : keysOf(*G.Best))
    if (auto It = Options.Remarks.find(Key); It != Options.Remarks.end()) {
      Result["remark"] = It->second;
      break;
    }
  return Result;
}

std::string Merger::contradiction(const Group &G) const {
  if (!all_of(G.Members, [](const auto &M) { return isCheck(*M.Finding); }))
    return "";
  // What it is about, and not what is beside that.
  std::string About = plainIdentity(G.Best->getString("field").value_or(""));
  if (About.empty())
    About = plainIdentity(G.Best->getString("id").value_or(""));
  return Options.Contradicted.lookup(About);
}

MergedFindings Merger::merge() {
  for (auto [List, Of] : enumerate(Lists))
    for (auto [Rank, Value] : enumerate(Of.Findings))
      if (const json::Object *Finding = Value.getAsObject())
        add(*Finding, List, Rank + 1);
  std::vector<const Group *> Order;
  for (Group &G : Groups) {
    if (G.Members.empty())
      continue;
    for (const Group::Member &M : G.Members) {
      // Checks do not rank: their order is that of the source.
      const size_t Rank = isCheck(*M.Finding) ? 1 : M.Rank;
      auto [It, IsNew] = G.Ranks.try_emplace(M.List, Rank);
      It->second = std::min(It->second, Rank);
      // Facts know more than a check of the same rung.
      auto Key = [](const json::Object &F) {
        return std::pair(rungOf(F), !isCheck(F));
      };
      if (!G.Best || Key(*M.Finding) > Key(*G.Best))
        G.Best = M.Finding;
    }
    G.At = rungOf(*G.Best);
    Order.push_back(&G);
  }
  stable_sort(Order, [](const Group *A, const Group *B) {
    return std::pair(A->At, A->fused()) > std::pair(B->At, B->fused());
  });
  MergedFindings Result;
  for (const Group *G : Order) {
    std::string Against = contradiction(*G);
    json::Object Finding = describe(*G);
    if (!Against.empty()) {
      Finding["contradicted"] = Against;
      Result.Dropped.push_back(std::move(Finding));
      continue;
    }
    Result.Joint += G->Ranks.size() > 1;
    Result.Findings.push_back(std::move(Finding));
  }
  return Result;
}

} // namespace

MergedFindings mergeFindings(std::vector<FindingsList> Lists,
                             const MergeOptions &Options) {
  return Merger(Lists, Options).merge();
}

} // namespace linesman::report
