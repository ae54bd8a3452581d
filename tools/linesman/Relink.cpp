// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman relink EDITS -o OUT -- LINK COMMAND

#include "linesman/Relink/Relink.h"
#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Drive/PlannedEdits.h"
#include "linesman/Guard/Text.h"
#include "linesman/Plan/Plan.h"
#include "linesman/Relink/CaptureLink.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using linesman::plan::Edit;
using linesman::plan::EditKind;

namespace linesman::tool {

namespace {

struct Options {
  cl::SubCommand Command{"relink", "Link again with a better layout"};
  cl::list<std::string> Isolate{
      "isolate",
      cl::desc("Give this symbol lines of its own: the linker's name, the "
               "demangled one, or file:name"),
      cl::value_desc("symbol"), cl::sub(Command)};
  cl::list<std::string> Group{
      "group", cl::desc("Put these symbols together, apart from the others"),
      cl::value_desc("symbol,symbol..."), cl::sub(Command)};
  cl::list<std::string> Pad{"pad", cl::desc("Free bytes before this symbol"),
                            cl::value_desc("symbol=bytes"), cl::sub(Command)};
  cl::list<std::string> Shift{
      "shift", cl::desc("Free bytes before the first object of a section"),
      cl::value_desc("section=bytes"), cl::sub(Command)};
  cl::list<std::string> Explode{
      "explode", cl::desc("Give each of these symbols a page of its own"),
      cl::value_desc("symbol,symbol..."), cl::sub(Command)};
  cl::opt<std::string> PlanFile{
      "plan", cl::desc("Apply the edits of this plan (linesman plan)"),
      cl::value_desc("file"), cl::sub(Command)};
  cl::opt<std::string> Captured{
      "captured",
      cl::desc("Link what 'linesman capture' recorded for this output"),
      cl::value_desc("output"), cl::sub(Command)};
  cl::opt<std::string> Links{
      "links", cl::desc("Folder of the captured links (linesman-links)"),
      cl::value_desc("folder"), cl::init("linesman-links"), cl::sub(Command)};
  cl::opt<bool> WholeUnits{
      "whole-units",
      cl::desc("Move whole units where a symbol can not be separated"),
      cl::sub(Command)};
  cl::opt<std::string> Output{
      "o", cl::desc("The file to make (with --captured: that output)"),
      cl::value_desc("file"), cl::sub(Command)};
  LineSizeOption Line{Command};
  PageSizeOption Page{Command};
  cl::list<std::string> Link{cl::Positional, cl::desc("-- LINK COMMAND"),
                             cl::sub(Command)};
};

Expected<relink::RelinkConfig> readConfig(const Options &Opts) {
  if (Error E = joinErrors(Opts.Line.check(), Opts.Page.check()))
    return std::move(E);
  relink::RelinkConfig Config;
  if (!Opts.PlanFile.empty()) {
    Expected<plan::Plan> Plan = drive::readPlanFile(Opts.PlanFile);
    if (!Plan)
      return Plan.takeError();
    Config.Edits = Plan->edits();
  }
  auto Words = [](const cl::list<std::string> &Given) {
    return std::vector<std::string>(Given.begin(), Given.end());
  };
  Expected<std::vector<Edit>> Edits = drive::parseEdits(
      {Words(Opts.Isolate), Words(Opts.Group), Words(Opts.Explode),
       Words(Opts.Pad), Words(Opts.Shift), Opts.Line, Opts.Page});
  if (!Edits)
    return Edits.takeError();
  Config.Edits.insert(Config.Edits.end(), Edits->begin(), Edits->end());
  if (Config.Edits.empty())
    return createStringError(
        Opts.PlanFile.empty()
            ? "nothing to do: no --isolate, no other edit and no --plan"
            : "nothing to do: the plan has no edits");
  Config.Output = Opts.Output;
  Config.Units =
      Opts.WholeUnits ? relink::UnitPolicy::Whole : relink::UnitPolicy::Refuse;
  Config.Self = sys::fs::getMainExecutable(nullptr, nullptr);
  if (Opts.Captured.empty() == Opts.Link.empty())
    return createStringError("expected a link: either --captured, or a command "
                             "after --");
  if (!Opts.Captured.empty()) {
    Expected<relink::Link> Link =
        relink::findCapturedLink(Opts.Links, Opts.Captured);
    if (!Link)
      return Link.takeError();
    Config.From = std::move(*Link);
    if (Config.Output.empty())
      Config.Output = Config.From.path(relink::outputOf(Config.From.Command));
  } else {
    Config.From.Command.assign(Opts.Link.begin(), Opts.Link.end());
  }
  if (Config.Output.empty())
    return createStringError("no output: -o names the file to make");
  if (!Opts.PlanFile.empty() &&
      sys::fs::equivalent(Config.Output, Opts.PlanFile))
    return createFileError(
        Config.Output,
        createStringError("is the plan, which the output would replace"));
  return Config;
}

} // namespace

void printApplied(ArrayRef<relink::AppliedEdit> Applied, raw_ostream &OS) {
  for (const relink::AppliedEdit &Edit : Applied)
    for (const relink::Placed &P : Edit.Symbols) {
      OS << P.Symbol << ": ";
      switch (Edit.What.Kind) {
      case EditKind::Isolate:
        OS << "alone on its line" << (P.Size > Edit.What.Bytes ? "s" : "");
        break;
      case EditKind::Group:
        OS << formatv("in a group of {0}", Edit.Symbols.size());
        break;
      case EditKind::Pad:
        OS << formatv("{0} free bytes before it", Edit.What.Bytes);
        break;
      case EditKind::Shift:
        OS << formatv("first of {0}, {1} free bytes before it",
                      Edit.What.Section, Edit.What.Bytes);
        break;
      case EditKind::Explode:
        OS << "alone on its page" << (P.Size > Edit.What.Bytes ? "s" : "");
        break;
      }
      OS << formatv(", at {0:x}", P.Address.Value);
      if (!P.Unit.empty()) {
        OS << ", with its unit:";
        for (const std::string &Name : P.Unit)
          OS << ' ' << Name;
      }
      OS << '\n';
    }
}

int runRelink(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args,
                    "linesman relink: link again with a better layout, "
                    "and verify it\n",
                    Opts.Link))
    return Failure;
  Expected<relink::RelinkConfig> Config = readConfig(Opts);
  if (!Config)
    return fail(Config.takeError());
  Expected<relink::Relinked> Relinked = relink::relink(*Config);
  if (!Relinked)
    return fail(Relinked.takeError());
  guard::PrintableStream(errs()) << Relinked->Said;
  {
    guard::PrintableStream Printable(outs());
    printApplied(Relinked->Edits, Printable);
  }
  return Success;
}

} // namespace linesman::tool
