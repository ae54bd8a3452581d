// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A link with its plan applied; then report, budget and lock.

#include "linesman/Drive/AppliedEdits.h"
#include "linesman/Drive/LinkGates.h"
#include "linesman/Drive/LinkStep.h"
#include "linesman/Drive/PlannedEdits.h"
#include "linesman/Drive/ReportDetails.h"
#include "linesman/Input/Ranking.h"
#include "linesman/Relink/Relink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <cassert>

using namespace llvm;

namespace linesman::drive {

namespace {

/// Exit codes of our own commands.
constexpr int Success = 0, Found = 1;
/// Findings of a printed report, as linesman layout has them.
constexpr size_t MostPrinted = 10;

/// The exit code of a program that says itself what is wrong.
Expected<int> execute(StringRef Program, ArrayRef<std::string> Words) {
  std::vector<StringRef> Arguments(Words.begin(), Words.end());
  std::string Problem;
  int Code = sys::ExecuteAndWait(Program, Arguments, /*Env=*/std::nullopt,
                                 /*Redirects=*/{}, /*SecondsToWait=*/0,
                                 /*MemoryLimit=*/0, &Problem);
  if (Problem.empty())
    return Code;
  return createFileError(Program, createStringError(Problem));
}

/// As the real linker: its words, its exit code.
Expected<int> linkPlainly(const relink::Link &Call) {
  // Its words have been taken out of response files.
  SmallString<128> Words;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("linesman-link", "rsp", Words))
    return createFileError("temporary file", EC);
  FileRemover WordsRemover(Words), Remover;
  Expected<std::vector<std::string>> Command =
      relink::shortenCommand(Call.Command, Words, Remover);
  if (!Command)
    return Command.takeError();
  return execute(Call.Command.front(), *Command);
}

Error linkPlanned(const relink::Link &Call, StringRef PlanFile,
                  StringRef Output, raw_ostream &Said) {
  Expected<plan::Plan> Plan = readPlanFile(PlanFile);
  if (!Plan)
    return Plan.takeError();
  relink::RelinkConfig Config;
  Config.Original = Call;
  Config.Original.Folder.clear(); // it is ours
  Config.Edits = Plan->edits();
  Config.Output = Output;
  Expected<relink::Relinked> Relinked = relink::relink(Config);
  if (!Relinked)
    return Relinked.takeError();
  Said << Relinked->Said;
  writeApplied(Relinked->Edits, Said);
  return Error::success();
}

/// What has been linked, for whoever asks about it.
struct LinkedOutput {
  std::string Path;
  StringRef Self;
  raw_ostream &Said;
  std::optional<input::Binary> Known = {};

  /// Read once.
  Expected<input::Binary &> binary() {
    if (Known)
      return *Known;
    Expected<input::Binary> Read = input::readRanked(Path);
    if (!Read)
      return Read.takeError();
    return Known.emplace(std::move(*Read));
  }

  /// One of our own commands.
  Expected<int> ask(std::vector<std::string> Words) const {
    Words.insert(Words.begin(), Self.str());
    return execute(Self, Words);
  }
};

/// The report of linesman layout, with its defaults.
Error printLayout(LinkedOutput &Output) {
  Expected<input::Binary &> Binary = Output.binary();
  if (!Binary)
    return Binary.takeError();
  std::vector<layout::LineFinding> Findings = input::rankLines(*Binary);
  return reportLines(
      {Output.Path, *Binary, {}, Findings}, MostPrinted,
      [&](const report::LayoutReport &Report) {
        report::writeText(Report, Output.Said);
        return Error::success();
      },
      [&](StringRef Damage) {
        Output.Said << "linesman: warning: " << Damage << '\n';
      });
}

/// A gate that accepts whatever it meets first must not do so in CI, where
/// nobody commits what it wrote.
Error makeFirstLock(const LinkedOutput &Output, StringRef Lock) {
  if (sys::Process::GetEnv("CI"))
    return createFileError(
        Lock, createStringError("there is no lock of " + Output.Path +
                                ", and CI makes none; commit the one that a "
                                "link on a developer's machine makes"));
  Expected<int> Code = Output.ask({"lock", Output.Path, "-o", Lock.str()});
  if (!Code)
    return Code.takeError();
  if (*Code != Success)
    return createFileError(Lock, createStringError("the first lock of " +
                                                   Output.Path +
                                                   " could not be made"));
  Output.Said << "linesman: note: made the first lock of " << Output.Path
              << ", " << Lock << ": commit it\n";
  return Error::success();
}

/// The written report and the gate of rungs are linesman layout's.
Error checkFindings(const LinkedOutput &Output, const LinkStep &Step) {
  Expected<int> Code = Output.ask(layoutWords(Step, Output.Path));
  if (!Code)
    return Code.takeError();
  if (*Code == Success)
    return Error::success();
  if (*Code == Found)
    return createFileError(
        Output.Path,
        createStringError(
            "a finding is on the rung '" + Step.FailOn + "' or above" +
            (Step.ReportFile.empty() ? "" : "; see " + Step.ReportFile)));
  return createFileError(Output.Path,
                         createStringError("its findings could not be judged"));
}

/// Moves the binary away, as nobody asks for it again.
Error checkLock(LinkedOutput &Output, const LinkStep &Step) {
  if (Step.MakesFirstLock && !sys::fs::exists(Step.Lock))
    return makeFirstLock(Output, Step.Lock);
  Expected<input::Binary &> Binary = Output.binary();
  if (!Binary)
    return Binary.takeError();
  return checkLockOf(Output.Path, std::move(*Binary), Step.Lock);
}

Error checkGates(LinkedOutput &Output, const LinkStep &Step) {
  Error Broken = Error::success();
  if (Step.MaxScore) {
    Expected<input::Binary &> Binary = Output.binary();
    Broken =
        joinErrors(std::move(Broken),
                   Binary ? checkScore(Output.Path, *Binary, *Step.MaxScore)
                          : Binary.takeError());
  }
  if (!Step.FailOn.empty() || !Step.ReportFile.empty())
    Broken = joinErrors(std::move(Broken), checkFindings(Output, Step));
  if (!Step.Lock.empty())
    Broken = joinErrors(std::move(Broken), checkLock(Output, Step));
  return Broken;
}

} // namespace

Expected<int> runLinkStep(const LinkStep &Step, const relink::Link &Call,
                          StringRef Self, raw_ostream &Said) {
  assert(!Call.Command.empty() && "a link has a linker");
  LinkedOutput Output{relink::outputOf(Call.Command), Self, Said};
  if (!Step.Plan.empty()) {
    if (Error E = linkPlanned(Call, Step.Plan, Output.Path, Said))
      return std::move(E);
  } else {
    Expected<int> Code = linkPlainly(Call);
    if (!Code || *Code != Success)
      return Code;
  }
  // For people, and no gate: an output that is not linked yet (-r) has none.
  if (Step.Report == LinkStep::Reports::Printed)
    if (Error E = printLayout(Output))
      Said << "linesman: warning: no report: " << toString(std::move(E))
           << '\n';
  Error Broken = checkGates(Output, Step);
  if (!Broken)
    return Success;
  // As linkers do when they fail: or the next build would take it for good.
  sys::fs::remove(Output.Path);
  return std::move(Broken);
}

} // namespace linesman::drive
