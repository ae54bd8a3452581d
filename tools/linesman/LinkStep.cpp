// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a link does when a linesman.json tells it to: link with the plan
// applied, report, check the budget and the lock.
//
//     { "outputs": { "app": { "plan": "plan.json", "lock": "layout.lock",
//                             "report": true, "max_score": 10 } } }
//
// Paths are relative to the file. An output without an entry only passes
// through.

#include "Commands.h"
#include "Ranking.h"
#include "linesman/Report/Diff.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::tool {

Expected<std::optional<LinkStep>> readLinkStep(StringRef Path,
                                               StringRef Output) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> File = MemoryBuffer::getFile(Path);
  if (!File)
    return createFileError(Path, File.getError());
  Expected<json::Value> Parsed = json::parse((*File)->getBuffer());
  if (!Parsed)
    return createFileError(Path, Parsed.takeError());
  const json::Object *Top = Parsed->getAsObject();
  const json::Object *Outputs = Top ? Top->getObject("outputs") : nullptr;
  if (!Outputs)
    return createFileError(
        Path, createStringError("expected an object with 'outputs'"));
  const json::Value *Entry = Outputs->get(sys::path::filename(Output));
  if (!Entry)
    return std::nullopt;
  const json::Object *Wanted = Entry->getAsObject();
  if (!Wanted)
    return createFileError(Path,
                           createStringError("'" + sys::path::filename(Output) +
                                             "': expected an object"));
  LinkStep Step;
  auto Resolve = [&](StringRef Key) {
    StringRef Named = Wanted->getString(Key).value_or("");
    if (Named.empty() || sys::path::is_absolute(Named))
      return Named.str();
    SmallString<128> Whole = sys::path::parent_path(Path);
    sys::path::append(Whole, Named);
    return Whole.str().str();
  };
  Step.Plan = Resolve("plan");
  Step.Lock = Resolve("lock");
  Step.MaxScore = Wanted->getNumber("max_score");
  if (Wanted->getBoolean("report").value_or(false))
    Step.Report = LinkStep::Reports::Printed;
  return Step;
}

namespace {

/// As the real linker: its words, its exit code.
int linkPlainly(const relink::Link &What) {
  // Its words have been taken out of response files.
  FileRemover Remover;
  Expected<std::vector<std::string>> Command =
      relink::shortenCommand(What.Command, Remover);
  if (!Command)
    return fail(Command.takeError());
  std::vector<StringRef> Args(Command->begin(), Command->end());
  std::string Problem;
  int Status =
      sys::ExecuteAndWait(What.Command.front(), Args,
                          /*Env=*/std::nullopt, /*Redirects=*/{},
                          /*SecondsToWait=*/0, /*MemoryLimit=*/0, &Problem);
  return Problem.empty() ? Status : fail(createStringError(Problem));
}

Error checkScore(StringRef Output, double Most) {
  Expected<input::Binary> Binary = readRanked(Output);
  if (!Binary)
    return Binary.takeError();
  // A gate that cannot see must not say that all is well.
  if (!hasFacts(*Binary))
    return createFileError(
        Output, createStringError("no facts in this binary, so max_score has "
                                  "nothing to judge"));
  double Total = 0;
  for (const LineFinding &Finding : rankLines(*Binary))
    Total += Finding.Points.total();
  if (Total <= Most)
    return Error::success();
  return createFileError(
      Output, createStringError(formatv(
                  "the findings score {0:f1} together, expected at most {1:f1}",
                  Total, Most)));
}

Error checkLock(StringRef Output, StringRef Lock) {
  Expected<std::vector<MateChange>> Broken = findBrokenLock(Lock, Output);
  if (!Broken)
    return Broken.takeError();
  if (Broken->empty())
    return Error::success();
  std::string Text;
  raw_string_ostream OS(Text);
  report::writeText(report::DiffReport{*Broken, {}}, OS);
  return createFileError(Output, createStringError("line-mates that " + Lock +
                                                   " does not accept:\n" +
                                                   StringRef(Text).rtrim()));
}

} // namespace

int runLinkStep(const LinkStep &Step, const relink::Link &What) {
  std::string Output = relink::outputOf(What.Command);
  if (Step.Plan.empty()) {
    if (int Status = linkPlainly(What))
      return Status;
  } else {
    Expected<plan::Plan> Plan = readPlanFile(Step.Plan);
    if (!Plan)
      return fail(Plan.takeError());
    relink::RelinkConfig Config;
    Config.From = What;
    Config.From.Folder.clear(); // it is ours
    Config.Edits = Plan->edits();
    Config.Output = Output;
    Expected<relink::Relinked> Relinked = relink::relink(Config);
    if (!Relinked)
      return fail(Relinked.takeError());
    errs() << Relinked->Said;
    printApplied(Relinked->Edits, errs());
  }
  if (Step.Report == LinkStep::Reports::Printed)
    if (Error E = printLayout(Output, errs()))
      return fail(std::move(E));
  Error Broken = Error::success();
  if (Step.MaxScore)
    Broken = checkScore(Output, *Step.MaxScore);
  if (!Step.Lock.empty())
    Broken = joinErrors(std::move(Broken), checkLock(Output, Step.Lock));
  if (!Broken)
    return Success;
  // As linkers do when they fail: or the next build would take it for good.
  sys::fs::remove(Output);
  return fail(std::move(Broken));
}

} // namespace linesman::tool
