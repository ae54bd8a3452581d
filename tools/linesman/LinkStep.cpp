// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A link with its plan applied; then report, budget and lock.

#include "linesman/Drive/LinkStep.h"
#include "Commands.h"
#include "linesman/Drive/AppliedEdits.h"
#include "linesman/Drive/LinkGates.h"
#include "linesman/Drive/PlannedEdits.h"
#include "linesman/Guard/Text.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::layout;

namespace linesman::tool {

namespace {

/// As the real linker: its words, its exit code.
int linkPlainly(const relink::Link &Step) {
  // Its words have been taken out of response files.
  SmallString<128> Words;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("linesman-link", "rsp", Words))
    return fail(createFileError("temporary file", EC));
  FileRemover WordsRemover(Words), Remover;
  Expected<std::vector<std::string>> Command =
      relink::shortenCommand(Step.Command, Words, Remover);
  if (!Command)
    return fail(Command.takeError());
  std::vector<StringRef> Args(Command->begin(), Command->end());
  std::string Problem;
  int Status =
      sys::ExecuteAndWait(Step.Command.front(), Args,
                          /*Env=*/std::nullopt, /*Redirects=*/{},
                          /*SecondsToWait=*/0, /*MemoryLimit=*/0, &Problem);
  return Problem.empty() ? Status : fail(createStringError(Problem));
}

/// The exit code of one of our own commands, which says what is wrong itself.
int runSelf(ArrayRef<std::string> Words) {
  std::string Self = sys::fs::getMainExecutable(nullptr, nullptr), Problem;
  std::vector<StringRef> Args = {Self};
  Args.insert(Args.end(), Words.begin(), Words.end());
  int Code = sys::ExecuteAndWait(Self, Args, /*Env=*/std::nullopt,
                                 /*Redirects=*/{}, /*SecondsToWait=*/0,
                                 /*MemoryLimit=*/0, &Problem);
  return Code >= 0 ? Code
                   : fail(createFileError(Self, createStringError(Problem)));
}

/// A gate that accepts whatever it meets first must not do so in CI, where
/// nobody commits what it wrote.
Error makeFirstLock(StringRef Output, StringRef Lock) {
  if (std::getenv("CI"))
    return createFileError(
        Lock, createStringError("there is no lock of " + Output +
                                ", and CI makes none; commit the one that a "
                                "link on a developer's machine makes"));
  if (runSelf({"lock", Output.str(), "-o", Lock.str()}) != Success)
    return createFileError(Lock,
                           createStringError("the first lock of " + Output +
                                             " could not be made"));
  guard::PrintableStream(errs()) << "linesman: note: made the first lock of "
                                 << Output << ", " << Lock << ": commit it\n";
  return Error::success();
}

/// The written report and the gate of rungs are linesman layout's.
Error checkFindings(StringRef Output, const LinkStep &Step) {
  int Code = runSelf(layoutWords(Step, Output));
  if (Code == Success)
    return Error::success();
  if (Code == Found)
    return createFileError(
        Output,
        createStringError(
            "a finding is on the rung '" + Step.FailOn + "' or above" +
            (Step.ReportFile.empty() ? "" : "; see " + Step.ReportFile)));
  return createFileError(Output,
                         createStringError("its findings could not be judged"));
}

} // namespace

int runLinkStep(const LinkStep &Step, const relink::Link &Linked) {
  std::string Output = relink::outputOf(Linked.Command);
  if (Step.Plan.empty()) {
    if (int Status = linkPlainly(Linked))
      return Status;
  } else {
    Expected<plan::Plan> Plan = readPlanFile(Step.Plan);
    if (!Plan)
      return fail(Plan.takeError());
    relink::RelinkConfig Config;
    Config.Original = Linked;
    Config.Original.Folder.clear(); // it is ours
    Config.Edits = Plan->edits();
    Config.Output = Output;
    Expected<relink::Relinked> Relinked = relink::relink(Config);
    if (!Relinked)
      return fail(Relinked.takeError());
    guard::PrintableStream Printable(errs());
    Printable << Relinked->Said;
    writeApplied(Relinked->Edits, Printable);
  }
  // For people, and no gate: an output that is not linked yet (-r) has none.
  if (Step.Report == LinkStep::Reports::Printed) {
    guard::PrintableStream Printable(errs());
    if (Error E = printLayout(Output, Printable))
      Printable << "linesman: warning: no report: " << toString(std::move(E))
                << '\n';
  }
  Error Broken = Error::success();
  if (Step.MaxScore)
    Broken = checkScore(Output, *Step.MaxScore);
  if (!Step.FailOn.empty() || !Step.ReportFile.empty())
    Broken = joinErrors(std::move(Broken), checkFindings(Output, Step));
  if (!Step.Lock.empty()) {
    bool IsFirst = Step.MakesFirstLock && !sys::fs::exists(Step.Lock);
    Broken =
        joinErrors(std::move(Broken), IsFirst ? makeFirstLock(Output, Step.Lock)
                                              : checkLockOf(Output, Step.Lock));
  }
  if (!Broken)
    return Success;
  // As linkers do when they fail: or the next build would take it for good.
  sys::fs::remove(Output);
  return fail(std::move(Broken));
}

} // namespace linesman::tool
