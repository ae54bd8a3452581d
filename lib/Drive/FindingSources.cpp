// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/FindingSources.h"
#include "linesman/Drive/LayoutGate.h"
#include "linesman/Drive/UnitFindings.h"
#include "linesman/Guard/Document.h"
#include "linesman/Input/ReadTidy.h"
#include "linesman/Report/Report.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace linesman::drive {

static Error addChecks(ArrayRef<std::string> Exported,
                       FindingSources &Gathered) {
  report::FindingsList List{"checks", {}};
  for (const std::string &Path : Exported) {
    Expected<std::unique_ptr<MemoryBuffer>> File =
        guard::readDocument(Path, guard::Source::FileOrStandardInput);
    if (!File)
      return File.takeError();
    Expected<input::TidyResults> Results = input::readTidy(**File);
    if (!Results)
      return Results.takeError();
    Gathered.OtherChecks += Results->OtherChecks;
    if (!Results->Blind.empty())
      Gathered.Blind.push_back({Path, Results->Blind, NothingToJudge});
    append_range(List.Findings, report::describeFindings(Results->Findings));
    if (Results->CompileErrors)
      Gathered.Incomplete = joinErrors(
          std::move(Gathered.Incomplete),
          createFileError(Path,
                          createStringError(
                              "the compiler reported errors (" +
                              Twine(Results->CompileErrors) +
                              "): clang-tidy has not seen all of the code, and "
                              "these are not all findings")));
  }
  if (!Exported.empty())
    Gathered.Lists.push_back(std::move(List));
  return Error::success();
}

static Error addFacts(StringRef Path, FindingSources &Gathered,
                      FactFindings &Facts) {
  Expected<FactFindings> Read = readFactFindings(Path, Path);
  if (!Read)
    return Read.takeError();
  Facts = std::move(*Read);
  if (!Facts.Blind.empty())
    Gathered.Blind.push_back({Path.str(), Facts.Blind});
  for (report::FindingsList &List : Facts.Lists)
    Gathered.Lists.push_back(std::move(List));
  for (const auto &Entry : Facts.Contradicted)
    Gathered.Merge.Contradicted.try_emplace(Entry.first(), Entry.second);
  return Error::success();
}

/// What the build does with each variable that a check named.
static void remarkOnBuild(StringRef Binary, const FactFindings &Facts,
                          FindingSources &Gathered) {
  // Whose line each variable is on.
  StringMap<std::string> Located;
  for (const report::FindingsList &List : Gathered.Lists)
    for (const report::Finding &Found : List.Findings) {
      if (Found.Reached == layout::Rung::Suspected || Found.Occupants.empty())
        continue;
      Located[report::plainIdentity(Found.Id)] = "";
      for (const report::FindingOccupant &Occupant : Found.Occupants)
        Located.try_emplace(report::plainIdentity(Occupant.Name), Found.Id);
    }
  for (const report::FindingsList &List : Gathered.Lists)
    for (const report::Finding &Found : List.Findings) {
      if (!Found.Suspicion || Found.Suspicion->Subject !=
                                  report::word(layout::SubjectKind::Variable))
        continue;
      std::string Id = report::plainIdentity(Found.Id);
      if (auto It = Located.find(Id); It != Located.end()) {
        if (!It->second.empty())
          Gathered.Merge.Remarks[Id] = ("on the line of " + It->second +
                                        " in this build (" + Binary + ")")
                                           .str();
        continue;
      }
      Gathered.Merge.Remarks[Id] =
          Facts.Variables.contains(Id)
              ? ("not on a shared line in this build (" + Binary + ")").str()
              : ("no such variable in this build (" + Binary + ")").str();
    }
}

Expected<FindingSources> readSources(const FindingFiles &Files) {
  FindingSources Result;
  if (Error E = addChecks(Files.Tidy, Result))
    return std::move(E);
  FactFindings Facts;
  for (const std::string &Path : Files.Objects)
    if (Error E = addFacts(Path, Result, Facts))
      return std::move(E);
  if (!Files.Binary.empty()) {
    if (Error E = addFacts(Files.Binary, Result, Facts))
      return std::move(E);
    remarkOnBuild(Files.Binary, Facts, Result);
    Result.Highest = layout::Rung::Located;
  }
  for (const std::string &Path : Files.Reports) {
    Expected<report::Document> Report =
        report::readReportFile(Path, guard::Source::FileOrStandardInput);
    if (!Report)
      return Report.takeError();
    Result.Highest = std::max(Result.Highest, Report->Reach);
    if (!Report->Blind.empty())
      Result.Blind.push_back({Path, Report->Blind});
    if (Report->Hidden)
      Result.HidingReport = Path;
    Result.Hidden += Report->Hidden;
    Result.Lists.push_back({"report " + Path, std::move(Report->Findings)});
  }
  return Result;
}

Error checkSeen(const FindingSources &Sources) {
  Error Result = Error::success();
  for (const BlindSource &Blind : Sources.Blind)
    Result =
        joinErrors(std::move(Result),
                   createFileError(Blind.Path, createStringError(Blind.Reason +
                                                                 Blind.Cure)));
  return Result;
}

Error checkWhole(const FindingSources &Sources) {
  if (!Sources.Hidden)
    return Error::success();
  return createFileError(
      Sources.HidingReport,
      createStringError(formatv(
          "{0} not in this report, so --fail-on can not pass; make it again "
          "without --top",
          Sources.Hidden == 1
              ? "1 finding is"
              : formatv("{0} findings are", Sources.Hidden).str())));
}

} // namespace linesman::drive
