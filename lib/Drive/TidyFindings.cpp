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

/// Line transfers an operation, at most: less is once in a hundred.
constexpr double LeastAlone = 0.01;
/// Facts alone say much: these are what a reader has time for.
constexpr size_t MostFactsAlone = 5;

static std::string wholePath(StringRef Path) {
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
      return Unit.File == wholePath(File);
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
    auto Miss = [&](const Twine &Why) {
      Read.Incomplete =
          joinErrors(std::move(Read.Incomplete),
                     createFileError(Unit.File, createStringError(Why)));
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
  Expected<json::Array> Json = report::toJson(Found);
  if (!Json)
    return joinErrors(std::move(Read.Incomplete), Json.takeError());
  Read.Findings = std::move(*Json);
  return Read;
}

static bool hasCheck(const json::Object &Finding) {
  return Finding.getString("check").has_value();
}

/// Whether \p Says holds of an occupant.
static bool anyOccupant(const json::Object &Finding,
                        function_ref<bool(const json::Object &)> Says) {
  const json::Array *Occupants = Finding.getArray("occupants");
  return Occupants && any_of(*Occupants, [&](const json::Value &Each) {
           return Says(*Each.getAsObject());
         });
}

static bool isAtomic(const json::Object &Occupant) {
  return Occupant.getNumber("atomics").value_or(0) > 0;
}

/// A write by code that a thread runs whose start is known, or main beside it.
static bool hasKnownWriter(const json::Object &Occupant) {
  layout::Role Unknown;
  Unknown.Kind = layout::RoleKind::Unknown;
  const std::string Nobody = report::roleName(Unknown);
  const json::Array *Sites = Occupant.getArray("sites");
  return Sites && any_of(*Sites, [&](const json::Value &Each) {
           const json::Object &Site = *Each.getAsObject();
           const json::Array *Roles = Site.getArray("roles");
           return Roles && Site.getString("access") != "read" &&
                  Site.getString("role") !=
                      report::word(layout::RoleKind::StartUp) &&
                  any_of(*Roles, [&](const json::Value &Name) {
                    return Name.getAsString() != Nobody;
                  });
         });
}

/// Whether anything tells that threads meet on a field: an atomic operation or
/// a lock, and something beside it. Objects of a type belong to one thread each
/// more often than not, and that a lock is taken by many says nothing about
/// which of its objects.
static bool meetsInObjects(const json::Object &Finding) {
  return Finding.getString("kind") != report::word(layout::SharingKind::True) &&
         anyOccupant(Finding, isAtomic);
}

/// The same of a variable: an atomic operation or a lock, or threads that are
/// known. Where nobody is, settings and what one thread has are written
/// alike.
static bool meetsInVariables(const json::Object &Finding, bool KnowsThreads) {
  return anyOccupant(Finding, isAtomic) ||
         (KnowsThreads && anyOccupant(Finding, hasKnownWriter));
}

LeftOut dropFactsAlone(bool KnowsThreads, json::Array &Findings) {
  json::Array Kept;
  size_t Variables = 0, Fields = 0;
  LeftOut Silent;
  for (json::Value &Value : Findings) {
    const json::Object &Finding = *Value.getAsObject();
    const bool IsField = Finding.getObject("type");
    const bool Speaks = hasCheck(Finding) ||
                        (Finding.getNumber("score").value_or(0) >= LeastAlone &&
                         (IsField ? meetsInObjects(Finding)
                                  : meetsInVariables(Finding, KnowsThreads)));
    if (!Speaks)
      ++(IsField ? Silent.Fields : Silent.Variables);
    else if (hasCheck(Finding) ||
             (IsField ? Fields : Variables)++ < MostFactsAlone)
      Kept.push_back(std::move(Value));
  }
  Findings = std::move(Kept);
  return Silent;
}

size_t keepChanged(const Changes &Changed, json::Array &Findings) {
  report::SourceRoot Tree(Changed.Root, Changed.Root);
  json::Array Kept;
  for (json::Value &Value : Findings) {
    Expected<report::Finding> Finding =
        report::readFinding(*Value.getAsObject());
    if (!Finding) {
      consumeError(Finding.takeError());
      continue;
    }
    if (any_of(report::placesOf(*Finding), [&](const auto &At) {
          return Changed.contains(Tree.relative(At.File), At.Line);
        }))
      Kept.push_back(std::move(Value));
  }
  size_t Left = Findings.size() - Kept.size();
  Findings = std::move(Kept);
  return Left;
}

} // namespace linesman::drive
