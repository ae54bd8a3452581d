// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman tidy: the checks over a build as one gate.

#include "Commands.h"
#include "Deliver.h"
#include "linesman/Drive/CheckBuild.h"
#include "linesman/Guard/Text.h"
#include "terminal/StatusLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"

using namespace llvm;
using namespace linesman::drive;

namespace linesman::tool {

namespace {

struct TidyOptions {
  cl::SubCommand Command{"tidy"};
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
                           FindingsFormatOption::Also::Patch};
};

CheckRequest requestOf(const TidyOptions &Opts) {
  CheckRequest Request;
  Request.Build = Opts.Build;
  Request.Files.assign(Opts.Files.begin(), Opts.Files.end());
  Request.Since = Opts.Since;
  Request.ClangTidy = Opts.ClangTidy;
  Request.Plugin = Opts.Plugin;
  Request.Program = sys::fs::getMainExecutable(nullptr, nullptr);
  Request.Checks = Opts.Checks;
  Request.Facts = Opts.Facts;
  Request.Jobs =
      Opts.Jobs ? Opts.Jobs : hardware_concurrency().compute_thread_count();
  Request.Outputs = {Opts.Delivery.Output, Opts.Delivery.NewBaseline};
  return Request;
}

} // namespace

Expected<int> runTidy(Arguments Args) {
  TidyOptions Opts;
  Opts.Delivery.Fails.judgeFrom(layout::Rung::Suspected);
  if (Error E = parseOptions(Args))
    return std::move(E);
  // Damaged debug information costs names, not the report.
  CrashRecoveryContext::Enable();
  if (Error E = joinErrors(
          Opts.Delivery.check(),
          Opts.Delivery.Fails.checkReach(layout::Rung::Suspected,
                                         "checks and objects before the "
                                         "link")))
    return std::move(E);
  terminal::StatusLine Progress;
  Expected<CheckedBuild> Checked =
      checkBuild(requestOf(Opts), [&](StringRef Phase, size_t Done, size_t All,
                                      StringRef File) {
        Progress.show(formatv("linesman: {0} of {1} units {2}, {3}", Done, All,
                              Phase, sys::path::filename(File))
                          .str());
      });
  Progress.clear();
  if (!Checked)
    return Checked.takeError();
  for (const std::string &Note : Checked->Notes)
    guard::PrintableStream(errs()) << "linesman: note: " << Note << '\n';
  Expected<int> Code =
      deliverMerged(Opts.Delivery, Checked->Findings, Opts.Top,
                    [](const report::Finding &F) { return F.hasCheck(); });
  if (!Code)
    return joinErrors(std::move(Checked->Incomplete), Code.takeError());
  if (Checked->Incomplete)
    return std::move(Checked->Incomplete);
  return Code;
}

} // namespace linesman::tool
