// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HuntFix.h"
#include "linesman/Drive/RunTidy.h"
#include "linesman/Guard/Document.h"
#include "linesman/Input/UnitPaths.h"
#include "linesman/Report/Merge.h"
#include "linesman/Report/Patch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>

using namespace llvm;

namespace linesman::drive {

/// Units that are checked; each takes as long as its compilation, and longer.
static constexpr size_t MostUnits = 8;

static bool isEndOf(StringRef End, StringRef Path) {
  return Path.consume_back(End) && (Path.empty() || Path.ends_with("/"));
}

/// As its debug information says.
static std::vector<std::string> sourcesOf(StringRef Program) {
  auto NoSymbols = [](layout::AddressRange) { return false; };
  Expected<std::unique_ptr<MemoryBuffer>> File = guard::mapFile(Program);
  if (!File) {
    consumeError(File.takeError());
    return {};
  }
  Expected<input::Binary> Binary =
      input::readImage(std::move(*File), NoSymbols);
  if (Binary)
    return input::readUnitPaths(*Binary);
  consumeError(Binary.takeError());
  return {};
}

Expected<std::vector<std::string>> unitsOf(const report::Finding &Found,
                                           StringRef Build, StringRef Program) {
  Expected<std::vector<CompiledUnit>> Units = readUnits(Build);
  if (!Units)
    return Units.takeError();
  StringSet<> Files;
  report::Finding Copy = Found;
  report::eachPlace(Copy, [&](report::SourcePlace &Place) {
    if (Place)
      Files.insert(sys::path::remove_leading_dotslash(Place.File));
  });
  std::vector<std::string> Result;
  for (const CompiledUnit &Unit : *Units)
    if (any_of(Files, [&](const auto &File) {
          return isEndOf(File.getKey(), Unit.File);
        }))
      Result.push_back(Unit.File);
  if (Result.empty())
    return createStringError("no unit of " + Build +
                             "/compile_commands.json is a source of " +
                             Found.Id);
  std::vector<std::string> Sources = sourcesOf(Program);
  auto IsSource = [&](const std::string &File) {
    return is_contained(Sources, File);
  };
  // Paths of a build elsewhere are of no use.
  if (any_of(Result, IsSource))
    erase_if(Result, std::not_fn(IsSource));
  if (Result.size() > MostUnits)
    Result.resize(MostUnits);
  return Result;
}

/// "Tail" of "Ring::Tail" and of "Inner.Tail".
static StringRef lastName(StringRef Path) {
  return Path.substr(Path.find_last_of(":.") + 1);
}

/// Whether an object on the line has both fields that a check names: the check
/// speaks of the type, the finding of a variable.
static bool hasBothFields(const report::Finding &Found,
                          const report::Finding &Check) {
  if (!Check.Suspicion || Check.Suspicion->Neighbour.empty())
    return false;
  return any_of(Found.Occupants, [&](const report::FindingOccupant &Occupant) {
    auto HasUsed = [&](StringRef Field) {
      return Occupant.Members &&
             any_of(*Occupant.Members, [&](const report::FindingMember &M) {
               return lastName(M.Path) == lastName(Field) &&
                      (M.Reads > 0 || M.Writes > 0 || M.Atomics > 0);
             });
    };
    return HasUsed(Check.Id) && HasUsed(Check.Suspicion->Neighbour);
  });
}

void attachFix(report::Finding &Found, const json::Value &Checks) {
  Expected<report::Document> Read = report::readReport(Checks);
  if (!Read) {
    consumeError(Read.takeError());
    return;
  }
  for (const report::Finding &Check : Read->Findings)
    if (Found.Fix.empty() && hasBothFields(Found, Check))
      Found.Fix = Check.Fix;
  // Of a finding that has a fix, these are the same lines or others' business.
  if (!Found.Fix.empty())
    return;
  report::MergedFindings Merged = report::mergeFindings(
      {{"checks", std::move(Read->Findings)}, {"hunt", {Found}}}, {});
  for (const report::Finding &F : Merged.Findings)
    if (any_of(F.Evidence, [](const report::FindingEvidence &Evidence) {
          return Evidence.Source == "hunt";
        }))
      Found.Fix = F.Fix;
}

Expected<std::string> makePatch(report::Finding &Found) {
  // All of a fix is in one tree.
  report::SourceRoot Tree("",
                          sys::path::parent_path(Found.Fix.front().Place.File));
  report::Document Only;
  Only.Findings.push_back(Found);
  std::string Text;
  raw_string_ostream OS(Text);
  if (Error E = report::writePatch(Only, Tree, OS))
    return std::move(E);
  Tree.apply(Found);
  return Text;
}

} // namespace linesman::drive
