// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A build to the findings of its units.

#include "linesman/Drive/CheckBuild.h"
#include "linesman/Drive/TidyFindings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::drive {

/// What is read without being named: the build's list and its sources.
static Error checkOutputs(ArrayRef<std::string> Outputs, StringRef Build) {
  for (StringRef Output : Outputs) {
    if (Output.empty() || !sys::fs::is_regular_file(Output))
      continue;
    auto Check = [&](StringRef Input) {
      return sys::fs::equivalent(Input, Output)
                 ? createFileError(
                       Output,
                       createStringError("this is read by this command, and "
                                         "would be overwritten"))
                 : Error::success();
    };
    if (Error E = Check((Build + "/compile_commands.json").str()))
      return E;
    Expected<std::vector<CompiledUnit>> Units = readUnits(Build);
    if (!Units)
      return Units.takeError();
    for (const CompiledUnit &Unit : *Units)
      if (Error E = Check(Unit.File))
        return E;
  }
  return Error::success();
}

namespace {

/// What is to be checked, and with what.
struct Work {
  std::string Build;
  TidyTools Tools;
  std::optional<Changes> Changed;
  std::vector<CompiledUnit> Units;
  size_t Assembly = 0;
};

} // namespace

static Expected<Work> prepare(const CheckRequest &Request) {
  Work Result;
  if (Error E = findBuild(Request.Build).moveInto(Result.Build))
    return std::move(E);
  if (Error E = checkOutputs(Request.Outputs, Result.Build))
    return std::move(E);
  if (Error E =
          findTidyTools(Request.ClangTidy, Request.Plugin, Request.Program)
              .moveInto(Result.Tools))
    return std::move(E);
  if (Error E = proveChecksRun(Result.Tools, Request.Checks))
    return std::move(E);
  if (!Request.Since.empty())
    if (Error E = readChanges(Request.Since).moveInto(Result.Changed))
      return std::move(E);
  const Changes *Changed = Result.Changed ? &*Result.Changed : nullptr;
  if (Error E = chooseUnits(Result.Build, Request.Files, Changed)
                    .moveInto(Result.Units))
    return std::move(E);
  Result.Assembly = std::erase_if(Result.Units, isAssembly);
  if (Result.Units.empty() && Result.Assembly && !Changed)
    return createStringError("only units of assembly, which no check reads");
  return Result;
}

/// What the checks say and what facts say of the same units; of what only facts
/// say, the first.
static report::MergedFindings merge(std::vector<report::Finding> Checks,
                                    GatheredFacts Facts,
                                    std::vector<std::string> &Notes) {
  std::vector<report::FindingsList> Lists;
  Lists.push_back({"checks", std::move(Checks)});
  append_range(Lists, std::move(Facts.Lists));
  append_range(Notes, std::move(Facts.Notes));
  report::MergeOptions Options;
  Options.Contradicted = std::move(Facts.Contradicted);
  report::MergedFindings Merged =
      report::mergeFindings(std::move(Lists), Options);
  Merged.Command = "tidy";
  LeftOut Silent = dropFactsAlone(Facts.IsOneProgram, Merged.Findings);
  if (Silent.Variables || Silent.Fields)
    Notes.push_back(
        formatv("where only facts speak, and nothing tells that threads meet: "
                "{0} variables (linesman layout shows them), {1} fields "
                "(linesman layout --types)",
                Silent.Variables, Silent.Fields));
  return Merged;
}

Expected<CheckedBuild> checkBuild(const CheckRequest &Request,
                                  UnitProgress Done) {
  Expected<Work> Prepared = prepare(Request);
  if (!Prepared)
    return Prepared.takeError();
  const auto &[Build, Tools, Changed, Units, Assembly] = *Prepared;

  auto DoneWith = [&](StringRef Phase) {
    return [&Done, Phase](size_t Count, size_t All, StringRef File) {
      Done(Phase, Count, All, File);
    };
  };
  Expected<std::vector<UnitResult>> Results = runTidy(
      Tools, {Build, Request.Checks, Request.Jobs}, Units, DoneWith("checked"));
  if (!Results)
    return Results.takeError();
  Expected<CheckedUnits> Read = readResults(*Results);
  if (!Read)
    return Read.takeError();
  const bool IsWhole = Request.Files.empty() && !Changed;
  GatheredFacts Facts = gatherFacts(
      Units, {Request.Facts, IsWhole ? Build : "", Request.Jobs},
      [&] { return findFactsTools(Tools, Request.Program); },
      DoneWith("compiled for their facts"));

  CheckedBuild Result;
  Result.Incomplete = std::move(Read->Incomplete);
  Result.Findings =
      merge(std::move(Read->Findings), std::move(Facts), Result.Notes);
  if (Assembly)
    Result.Notes.push_back(
        formatv("units of assembly, which no check reads: {0}", Assembly));
  Result.Notes.push_back(formatv("units checked: {0}", Units.size()));
  if (!Read->LeftOut.empty())
    Result.Notes.push_back(
        "options of the build that clang does not know, which are left out: " +
        join(Read->LeftOut, " "));
  if (Changed)
    if (size_t Left = keepChanged(*Changed, Result.Findings.Findings))
      Result.Notes.push_back(formatv(
          "findings on lines that did not change, which are left out: {0}",
          Left));
  return std::move(Result);
}

} // namespace linesman::drive
