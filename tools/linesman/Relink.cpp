// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman relink EDITS -o OUT -- LINK COMMAND

#include "linesman/Relink/Relink.h"
#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Drive/AppliedEdits.h"
#include "linesman/Drive/PlannedEdits.h"
#include "linesman/Guard/Text.h"
#include "linesman/Plan/Plan.h"
#include "linesman/Relink/CaptureLink.h"
#include "linesman/Relink/InseparableSymbol.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using linesman::plan::Edit;

namespace linesman::tool {

namespace {

struct RelinkOptions {
  cl::SubCommand Command{"relink"};
  Texts Isolate{Command, "isolate", "symbol",
                "Give this symbol lines of its own: the linker's name, the "
                "demangled one, or file:name"};
  Texts Group{Command, "group", "symbol,symbol...",
              "Put these symbols together, apart from the others"};
  Texts Pad{Command, "pad", "symbol=bytes", "Free bytes before this symbol"};
  Texts Shift{Command, "shift", "section=bytes",
              "Free bytes before the first object of a section"};
  Texts Explode{Command, "explode", "symbol,symbol...",
                "Give each of these symbols a page of its own"};
  Text PlanFile{Command, "plan", "file",
                "Apply the edits of this plan (linesman plan)"};
  Text Captured{Command, "captured", "output",
                "Link what 'linesman capture' recorded for this output"};
  Text Links{Command, "links", "folder",
             "Folder of the captured links (linesman-links)", "linesman-links"};
  Flag WholeUnits{Command, "whole-units",
                  "Move whole units where a symbol can not be separated"};
  Text Output{Command, "o", "file",
              "The file to make (with --captured: that output)"};
  LineSizeOption Line{Command};
  PageSizeOption Page{Command};
  Rest Link{Command, "-- LINK COMMAND"};
};

Expected<relink::RelinkConfig> readConfig(const RelinkOptions &Opts) {
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
    Config.Original = std::move(*Link);
    if (Config.Output.empty())
      Config.Output =
          Config.Original.path(relink::outputOf(Config.Original.Command));
  } else {
    Config.Original.Command.assign(Opts.Link.begin(), Opts.Link.end());
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

/// Names the option that moves what stays together.
Error offerWholeUnits(Error Problem) {
  return handleErrors(
      std::move(Problem),
      [](std::unique_ptr<relink::InseparableSymbol> Symbol) -> Error {
        if (!Symbol->MovesWithUnit)
          return Error(std::move(Symbol));
        return createStringError(
            Symbol->describe("move the whole unit (--whole-units)"));
      });
}

} // namespace

Expected<int> runRelink(Arguments Args) {
  RelinkOptions Opts;
  if (Error E = parseOptions(Args, Opts.Link))
    return std::move(E);
  Expected<relink::RelinkConfig> Config = readConfig(Opts);
  if (!Config)
    return Config.takeError();
  Expected<relink::Relinked> Relinked = relink::relink(*Config);
  if (!Relinked)
    return offerWholeUnits(Relinked.takeError());
  guard::PrintableStream(errs()) << Relinked->Said;
  for (const std::string &Text : Relinked->Warnings)
    warn(guard::printable(Text));
  {
    guard::PrintableStream Printable(outs());
    drive::writeApplied(Relinked->Edits, Printable);
  }
  return Success;
}

} // namespace linesman::tool
