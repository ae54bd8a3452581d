// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman tidy: the checks over a build as one gate.
//
//     tools ─▶ canary ─▶ units ─▶ clang-tidy side by side ─┐
//                          └────▶ facts, built or compiled ┴▶ one list ─▶ gate

#include "Commands.h"
#include "Deliver.h"
#include "linesman/Drive/GatherFacts.h"
#include "linesman/Drive/TidyFindings.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"
#include <unistd.h>

using namespace llvm;
using namespace linesman::drive;

namespace linesman::tool {

namespace {

struct Options {
  cl::SubCommand Command{"tidy", "The checks over a build, as a gate"};
  Rest Files{Command, "[FILES]"};
  Text Build{Command, "p", "folder",
             "Folder of compile_commands.json (., build, or above)"};
  Text Since{Command, "changed-since", "revision",
             "Only units that see what changed since this revision, and "
             "findings on lines that did"};
  Text ClangTidy{Command, "clang-tidy", "file",
                 "This clang-tidy (the plugin's release)"};
  Text Plugin{Command, "plugin", "file",
              "This linesman-tidy.so (near linesman)"};
  Text Checks{Command, "checks", "globs", "Which checks run (-*,linesman-*)",
              "-*,linesman-*"};
  Number<unsigned> Jobs{Command, "jobs", "n",
                        "Units at one time (all processors)"};
  Number<unsigned> Top{Command, "top", "n",
                       "At most this many findings (text: 10)"};
  Choice<UnitFacts> Facts{
      Command,
      "unit-facts",
      "Facts that support, rank and contradict what the checks say",
      {{"compile", UnitFacts::Compiled,
        "of objects that have some; other units are compiled for them "
        "(default)"},
       {"build", UnitFacts::Built, "of objects that have some"},
       {"none", UnitFacts::None, ""}},
      UnitFacts::Compiled};
  DeliveryOptions Delivery{Command, Format::Text,
                           FindingsFormatOption::Page::None};
};

/// One line on a terminal that changes.
class Progress {
public:
  explicit Progress(StringRef Subject) : Subject(Subject) {}
  void operator()(size_t Done, size_t All, StringRef File) const {
    if (::isatty(STDERR_FILENO))
      errs() << formatv("\r\033[Klinesman: {0} of {1} units {2}, {3}", Done,
                        All, Subject, sys::path::filename(File))
             << (Done == All ? "\r\033[K" : "");
  }

private:
  StringRef Subject;
};

/// What is read without being named: the build's list and its sources.
Error checkOverwrites(const Options &Opts, StringRef Build) {
  for (StringRef Output : {StringRef(Opts.Delivery.Output),
                           StringRef(Opts.Delivery.NewBaseline)}) {
    if (Output.empty() || !sys::fs::is_regular_file(Output))
      continue;
    auto check = [&](StringRef Input) {
      return sys::fs::equivalent(Input, Output)
                 ? createFileError(Output,
                                   createStringError("this is read by this "
                                                     "command, and would be "
                                                     "overwritten"))
                 : Error::success();
    };
    if (Error E = check((Build + "/compile_commands.json").str()))
      return E;
    Expected<std::vector<drive::CompiledUnit>> Units = drive::readUnits(Build);
    if (!Units)
      return Units.takeError();
    for (const drive::CompiledUnit &Unit : *Units)
      if (Error E = check(Unit.File))
        return E;
  }
  return Error::success();
}

Expected<int> tidy(const Options &Opts) {
  if (Error E = joinErrors(
          Opts.Delivery.check(),
          Opts.Delivery.Fails.checkReach(layout::Rung::Suspected,
                                         "checks and objects before the "
                                         "link")))
    return std::move(E);
  Expected<std::string> Build = drive::findBuild(Opts.Build);
  if (!Build)
    return Build.takeError();
  if (Error E = checkOverwrites(Opts, *Build))
    return std::move(E);
  const std::string Program = sys::fs::getMainExecutable(nullptr, nullptr);
  Expected<drive::TidyTools> Tools =
      drive::findTidyTools(Opts.ClangTidy, Opts.Plugin, Program);
  if (!Tools)
    return Tools.takeError();
  if (Error E = drive::proveChecksRun(*Tools, Opts.Checks))
    return std::move(E);
  std::optional<drive::Changes> Changed;
  if (!Opts.Since.empty()) {
    Expected<drive::Changes> Read = drive::readChanges(Opts.Since);
    if (!Read)
      return Read.takeError();
    Changed = std::move(*Read);
  }
  Expected<std::vector<drive::CompiledUnit>> Units =
      drive::chooseUnits(*Build, Opts.Files, Changed ? &*Changed : nullptr);
  if (!Units)
    return Units.takeError();
  const size_t Assembly = std::erase_if(*Units, drive::isAssembly);
  if (Units->empty() && Assembly && !Changed)
    return createStringError("only units of assembly, which no check reads");
  unsigned Jobs =
      Opts.Jobs ? Opts.Jobs : hardware_concurrency().compute_thread_count();
  Expected<std::vector<drive::UnitResult>> Results = drive::runTidy(
      *Tools, {*Build, Opts.Checks, Jobs}, *Units, Progress("checked"));
  if (!Results)
    return Results.takeError();
  Expected<drive::CheckedUnits> Read = drive::readResults(*Results);
  if (!Read)
    return Read.takeError();

  std::vector<report::FindingsList> Lists;
  report::MergeOptions Merge;
  Lists.push_back({"checks", std::move(Read->Findings)});
  GatheredFacts Facts = gatherFacts(
      *Units, {Opts.Facts, Opts.Files.empty() && !Changed ? *Build : "", Jobs},
      [&] { return findFactsTools(*Tools, Program); },
      Progress("compiled for their facts"));
  append_range(Lists, std::move(Facts.Lists));
  Merge.Contradicted = std::move(Facts.Contradicted);
  for (const std::string &Note : Facts.Notes)
    guard::PrintableStream(errs()) << "linesman: note: " << Note << '\n';
  report::MergedFindings Merged =
      report::mergeFindings(std::move(Lists), Merge);
  Merged.Command = "tidy";
  drive::LeftOut Silent =
      drive::dropFactsAlone(Facts.IsOneProgram, Merged.Findings);
  if (Silent.Variables || Silent.Fields)
    errs() << formatv("linesman: note: where only facts speak, and nothing "
                      "tells that threads meet: {0} variables (linesman layout "
                      "shows them), {1} fields (linesman layout --types)\n",
                      Silent.Variables, Silent.Fields);
  if (Assembly)
    errs() << "linesman: note: units of assembly, which no check reads: "
           << Assembly << '\n';
  errs() << "linesman: note: units checked: " << Units->size() << '\n';
  if (!Read->LeftOut.empty())
    guard::PrintableStream(errs())
        << "linesman: note: options of the build that clang does not know, "
           "which are left out: "
        << join(Read->LeftOut, " ") << '\n';
  if (Changed)
    if (size_t Left = drive::keepChanged(*Changed, Merged.Findings))
      errs() << "linesman: note: findings on lines that did not change, which "
                "are left out: "
             << Left << '\n';
  Expected<int> Code = deliverMerged(
      Opts.Delivery, Merged,
      Opts.Top.getNumOccurrences() ? std::optional<uint64_t>(Opts.Top)
                                   : std::nullopt,
      [](const report::Finding &F) { return F.hasCheck(); });
  if (!Code)
    return joinErrors(std::move(Read->Incomplete), Code.takeError());
  if (Read->Incomplete)
    return std::move(Read->Incomplete);
  return Code;
}

} // namespace

int runTidy(Arguments Args) {
  Options Opts;
  Opts.Delivery.Fails.judgeFrom(layout::Rung::Suspected);
  if (!parseOptions(Args,
                    "linesman tidy: the checks over a build, as a gate\n"))
    return Failure;
  // Damaged debug information costs names, not the report.
  CrashRecoveryContext::Enable();
  Expected<int> Result = tidy(Opts);
  return Result ? *Result : fail(Result.takeError());
}

} // namespace linesman::tool
