// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/TidyFindings.h"
#include "linesman/Input/ReadTidy.h"
#include "linesman/Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace linesman::drive {

/// Line transfers an operation, at most: less is what is done now and then.
constexpr double LeastAlone = 0.5;
/// Facts alone say much: these are what a reader has time for.
constexpr size_t MostFactsAlone = 5;

static std::string absolutePath(StringRef Path) {
  SmallString<256> Result(Path);
  sys::fs::make_absolute(Result);
  sys::path::remove_dots(Result, /*remove_dot_dot=*/true);
  return Result.str().str();
}

Expected<std::vector<CompiledUnit>> chooseUnits(StringRef Build,
                                                ArrayRef<std::string> Files,
                                                const Changes *Changed) {
  Expected<std::vector<CompiledUnit>> All = readUnits(Build);
  if (!All || (Files.empty() && !Changed))
    return All;
  if (Changed) {
    std::vector<std::string> Paths;
    for (const CompiledUnit &Unit : *All)
      Paths.push_back(Unit.File);
    Expected<std::vector<bool>> Sees = findAffected(*Changed, Paths);
    if (!Sees)
      return Sees.takeError();
    std::vector<CompiledUnit> Some;
    for (auto [Unit, IsSeen] : zip(*All, *Sees))
      if (IsSeen)
        Some.push_back(std::move(Unit));
    *All = std::move(Some);
  }
  if (Files.empty())
    return All;
  std::vector<CompiledUnit> Some;
  for (const std::string &File : Files) {
    auto It = find_if(*All, [&](const CompiledUnit &Unit) {
      return Unit.File == absolutePath(File);
    });
    if (It != All->end())
      Some.push_back(*It);
    else if (!Changed)
      return createStringError("'" + File + "' is no unit of " + Build +
                               "/compile_commands.json; headers are looked at "
                               "in units that include them");
  }
  return Some;
}

Expected<CheckedUnits> readResults(ArrayRef<UnitResult> Results) {
  std::vector<layout::SuspectedFinding> Found;
  CheckedUnits Read;
  StringSet<> Seen;
  for (const UnitResult &Unit : Results) {
    auto Miss = [&](const Twine &Reason) {
      Read.Incomplete =
          joinErrors(std::move(Read.Incomplete),
                     createFileError(Unit.File, createStringError(Reason)));
    };
    if (!Unit.Problem.empty())
      Miss(Unit.Problem);
    Read.LeftOut.insert(Unit.LeftOut.begin(), Unit.LeftOut.end());
    Expected<input::TidyResults> Tidy =
        input::readTidy({Unit.Exported, Unit.File});
    if (!Tidy)
      return joinErrors(std::move(Read.Incomplete), Tidy.takeError());
    if (Tidy->CompileErrors)
      Miss("it does not compile, so the checks have not seen all of it: " +
           Twine(Tidy->CompileErrors) + " errors");
    // A header's finding comes from each unit that includes it.
    for (layout::SuspectedFinding &Finding : Tidy->Findings)
      if (Seen.insert(Finding.Check + "\n" + Finding.Source + "\n" +
                      Finding.Message)
              .second)
        Found.push_back(std::move(Finding));
  }
  Read.Findings = report::describeFindings(Found);
  return Read;
}

/// A write by code that a thread runs whose start is known, or main beside it.
static bool hasKnownWriter(const report::FindingOccupant &Occupant) {
  auto NameOf = [](layout::RoleKind Kind) {
    layout::Role Nobody;
    Nobody.Kind = Kind;
    return report::roleName(Nobody);
  };
  const std::string Nobodys[] = {NameOf(layout::RoleKind::Unknown),
                                 NameOf(layout::RoleKind::Outside)};
  return any_of(Occupant.Sites, [&](const report::FindingSite &Site) {
    return Site.Roles && Site.Access != "read" && !Site.isStartUp() &&
           any_of(*Site.Roles, [&](const std::string &Role) {
             return !is_contained(Nobodys, Role);
           });
  });
}

static bool isAtomic(const report::FindingOccupant &Occupant) {
  return Occupant.Atomics > 0;
}

/// Whether anything tells that threads meet on a field: an atomic operation or
/// a lock, and something beside it. Objects of a type belong to one thread each
/// more often than not, and that a lock is taken by many says nothing about
/// which of its objects.
static bool meetsInObjects(const report::Finding &Found) {
  return Found.Kind != report::word(layout::SharingKind::True) &&
         any_of(Found.Occupants, isAtomic);
}

/// The same of a variable: an atomic operation or a lock, or threads that are
/// known. Where nobody is, settings and what one thread has are written
/// alike.
static bool meetsInVariables(const report::Finding &Found, bool KnowsThreads) {
  return any_of(Found.Occupants, isAtomic) ||
         (KnowsThreads && any_of(Found.Occupants, hasKnownWriter));
}

LeftOut dropFactsAlone(bool KnowsThreads,
                       std::vector<report::Finding> &Findings) {
  size_t Variables = 0, Fields = 0;
  LeftOut Silent;
  erase_if(Findings, [&](const report::Finding &Found) {
    if (Found.Suspicion)
      return false;
    const bool IsField = Found.field();
    if (Found.score() < LeastAlone ||
        !(IsField ? meetsInObjects(Found)
                  : meetsInVariables(Found, KnowsThreads))) {
      ++(IsField ? Silent.Fields : Silent.Variables);
      return true;
    }
    return (IsField ? Fields : Variables)++ >= MostFactsAlone;
  });
  return Silent;
}

size_t keepChanged(const Changes &Changed,
                   std::vector<report::Finding> &Findings) {
  report::SourceRoot Tree(Changed.Root, Changed.Root);
  const size_t Before = Findings.size();
  erase_if(Findings, [&](const report::Finding &Found) {
    return none_of(
        report::placesOf(Found), [&](const report::SourcePlace &Place) {
          return Changed.contains(Tree.relative(Place.File), Place.Line);
        });
  });
  return Before - Findings.size();
}

} // namespace linesman::drive
