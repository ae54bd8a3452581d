// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores tell whether a change harms; sizes by source file tell what moved the
// objects.

#include "linesman/Layout/Lock.h"
#include "linesman/Guard/Text.h"
#include "linesman/Layout/MatchLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <map>
#include <set>

using namespace llvm;

namespace linesman::layout {

/// Files that are named as a cause.
static constexpr size_t MostCauses = 3;
/// Line transfers an operation; below it a score that was not there is
/// rounding.
static constexpr double LeastScore = 0.01;

using Key = std::string;

Lock makeLock(const Image &Program, const LineMap &Lines,
              const AccessTable &Table, ArrayRef<LineFinding> Findings) {
  Lock Result;
  Result.Mates = findLineMates(Program, Lines, Table);
  Identities Names(Program);
  std::map<Identity, double> Scores;
  for (const LineFinding &F : Findings)
    Scores[Names.of(F.Head)] += F.Points.total();
  for (const auto &[Head, Score] : Scores)
    Result.Scores.push_back({Head, Score});
  std::map<uint32_t, StringRef> Declared;
  for (const AccessedObject &Object : Table.objects())
    if (Object.DeclFile)
      Declared[Object.Symbol] = sys::path::filename(Table.fileOf(Object));
  std::map<std::string, uint64_t> Sizes;
  for (OccupantIndex I = 0; I != Program.occupants().size(); ++I) {
    const Occupant &O = Program.occupants()[I];
    if (O.Kind != OccupantKind::Object ||
        Program.sectionOf(I).Kind != SectionKind::Data ||
        Program.symbols()[O.Symbol].Origin == SymbolOrigin::Anonymous)
      continue;
    auto Known = Declared.find(O.Symbol);
    Sizes[Known != Declared.end() ? Known->second.str()
                                  : Names.of(O.Symbol).File] +=
        Program.range(I).size();
  }
  for (const auto &[File, Bytes] : Sizes)
    Result.Sizes.push_back({File, Bytes});
  return Result;
}

static std::vector<std::pair<std::string, int64_t>>
findCauses(const Lock &Accepted, const Lock &Now) {
  std::map<std::string, int64_t> Changes;
  for (const LockedSize &Size : Now.Sizes)
    Changes[Size.File] += int64_t(Size.Bytes);
  for (const LockedSize &Size : Accepted.Sizes)
    Changes[Size.File] -= int64_t(Size.Bytes);
  // Where facts or debug information came or went, so did the names of files.
  int64_t Total = 0;
  for (const auto &[File, Bytes] : Changes)
    Total += Bytes;
  if (Total == 0 && Changes[""] != 0)
    return {};
  std::vector<std::pair<std::string, int64_t>> Sorted;
  for (const auto &[File, Bytes] : Changes)
    if (Bytes != 0)
      Sorted.push_back({File, Bytes});
  stable_sort(Sorted, [](const auto &A, const auto &B) {
    return std::abs(A.second) > std::abs(B.second);
  });
  if (Sorted.size() > MostCauses)
    Sorted.resize(MostCauses);
  return Sorted;
}

/// Company that came to written objects. Company of objects that are only read
/// is said by their line-mate's own entry, and what left is good news.
static std::vector<MateChange> findCompany(const Lock &Accepted,
                                           const Lock &Now) {
  LineMates Before = Accepted.Mates;
  std::set<Key> Known;
  for (const MatesOf &Object : Before.Objects)
    Known.insert(keyOf(Object.Object));
  // An object without a lock has no accepted line-mates.
  for (const MatesOf &Object : Now.Mates.Objects)
    if (Object.Usage == Use::Written && !Known.count(keyOf(Object.Object)))
      Before.Objects.push_back({Object.Object, Object.Usage, {}});
  std::vector<MateChange> Changes = compareLineMates(Before, Now.Mates);
  erase_if(Changes, [](const MateChange &Change) {
    return Change.Usage != Use::Written || Change.Gained.empty();
  });
  for (MateChange &Change : Changes)
    Change.Lost.clear();
  return Changes;
}

namespace {

/// A side of a comparison: its scores, one a head, with their company.
struct LockedParties {
  std::vector<LineParty> Parties;
  std::vector<LockedScore> Scores;
};

} // namespace

static LockedParties partiesOf(const Lock &Side) {
  std::map<Key, const MatesOf *> Touched;
  for (const MatesOf &Object : Side.Mates.Objects)
    Touched[keyOf(Object.Object)] = &Object;
  LockedParties Result;
  std::map<Key, size_t> Places;
  for (const LockedScore &Scored : Side.Scores) {
    Key Head = keyOf(Scored.Head);
    auto [Place, IsNew] = Places.try_emplace(Head, Result.Scores.size());
    if (!IsNew) {
      Result.Scores[Place->second].Score += Scored.Score;
      continue;
    }
    LineParty Party{Head, Head, {Head}};
    if (auto It = Touched.find(Head); It != Touched.end())
      for (const Identity &Mate : It->second->Mates)
        if (Touched.count(keyOf(Mate)))
          Party.Objects.insert(keyOf(Mate));
    Result.Parties.push_back(std::move(Party));
    Result.Scores.push_back(Scored);
  }
  return Result;
}

static std::vector<ScoreChange> findWorse(const Lock &Accepted, const Lock &Now,
                                          double Tolerance) {
  const LockedParties Before = partiesOf(Accepted), After = partiesOf(Now);
  std::vector<ScoreChange> Worse;
  for (auto [Scored, Was] :
       zip(After.Scores, matchLines(Before.Parties, After.Parties))) {
    ScoreChange Change{Scored.Head, {}, 0, Scored.Score};
    if (Was) {
      Change.OldHead = Before.Scores[*Was].Head;
      Change.OldScore = Before.Scores[*Was].Score;
    }
    if (Change.NewScore > Change.OldScore * (1 + Tolerance) + LeastScore)
      Worse.push_back(std::move(Change));
  }
  stable_sort(Worse, [](const ScoreChange &A, const ScoreChange &B) {
    return A.NewScore > B.NewScore;
  });
  return Worse;
}

/// As this build calls its objects.
static Lock translate(Lock Accepted, const Identities &Own) {
  Accepted.Mates = translate(std::move(Accepted.Mates), Own);
  for (LockedScore &Scored : Accepted.Scores)
    Scored.Head = Own.translate(Scored.Head);
  return Accepted;
}

/// Objects that were written when the lock was made, are here, and are not
/// known to be written: a gate that lost its facts would pass.
static std::vector<std::string> findUnseenWrites(const Lock &Accepted,
                                                 const Lock &Now,
                                                 const Identities &Names) {
  std::set<Key> Written;
  for (const MatesOf &Object : Now.Mates.Objects)
    if (Object.Usage == Use::Written)
      Written.insert(keyOf(Object.Object));
  std::vector<std::string> Unseen;
  for (const MatesOf &Object : Accepted.Mates.Objects)
    if (Object.Usage == Use::Written && !Written.count(keyOf(Object.Object)) &&
        Names.find(Object.Object))
      Unseen.push_back(guard::demangle(Object.Object.Symbol));
  return Unseen;
}

Expected<LockCheck> checkLock(const Lock &Known, const Lock &Now,
                              const Image &Program,
                              ArrayRef<LineFinding> Findings,
                              double Tolerance) {
  Identities Names(Program);
  const Lock Accepted = translate(Known, Names);
  size_t All = Accepted.Mates.Objects.size();
  if (!All)
    return createStringError("this lock has no objects, so it holds nothing; "
                             "make it again with linesman lock");
  size_t There = count_if(Accepted.Mates.Objects, [&](const MatesOf &Object) {
    return Names.find(Object.Object).has_value();
  });
  if (2 * There < All)
    return createStringError(formatv(
        "this is the lock of another program: {0} of its {1} objects "
        "are here; if the program changed that much, make the lock again",
        There, All));
  if (Now.UnitsWithFacts < Accepted.UnitsWithFacts)
    if (std::vector<std::string> Unseen =
            findUnseenWrites(Accepted, Now, Names);
        !Unseen.empty())
      return createStringError(formatv(
          "{0} here, {1} when the lock was made, and nothing is known to write "
          "{2} any more; compile all units with linesman-facts.so, or make the "
          "lock again",
          Now.UnitsWithFacts == 1
              ? "1 unit has a compiler's facts"
              : formatv("{0} units have a compiler's facts", Now.UnitsWithFacts)
                    .str(),
          Accepted.UnitsWithFacts,
          Unseen.size() == 1 ? "'" + Unseen.front() + "'"
                             : formatv("{0} objects", Unseen.size()).str()));
  LockCheck Result;
  Result.Worse = findWorse(Accepted, Now, Tolerance);
  std::set<Key> Worse, Harmed;
  for (const ScoreChange &Change : Result.Worse)
    Worse.insert(keyOf(Change.Head));
  for (const LineFinding &F : Findings)
    if (Worse.count(keyOf(Names.of(F.Head))))
      for (const LineOccupant &Place : F.Occupants)
        if (Place.Object)
          Harmed.insert(keyOf(Names.of(Place.Object->Symbol)));
  for (MateChange &Change : findCompany(Accepted, Now))
    if (Harmed.count(keyOf(Change.Object)))
      Result.Mates.push_back(std::move(Change));
    else
      ++Result.Moved;
  if (Result.isBroken() || Result.Moved)
    Result.Causes = findCauses(Accepted, Now);
  return Result;
}

} // namespace linesman::layout
