// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman pages PID: where every static page is, with its symbols.

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Control/Actuator.h"
#include "linesman/Drive/PageRuns.h"
#include "linesman/Guard/Output.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::control;

namespace linesman::tool {

namespace {

struct PagesOptions {
  cl::SubCommand Command{"pages"};
  Number<int> Pid{Command, "PID"};
  FormatOption Form{Command};
  OutputOption Output{Command};
};

} // namespace

Expected<int> runPages(Arguments Args) {
  PagesOptions Opts;
  if (Error E = parseOptions(Args))
    return std::move(E);
  Expected<std::unique_ptr<Actuator>> Mover = attachFromOutside({Opts.Pid});
  if (!Mover)
    return Mover.takeError();
  Expected<StaticPages> Pages = StaticPages::read(**Mover);
  if (!Pages)
    return Pages.takeError();
  Expected<std::vector<ModuleRuns>> Runs = readPageRuns(**Mover, *Pages);
  if (!Runs)
    return Runs.takeError();
  if (Error E = guard::writeOutput(Opts.Output, [&](raw_ostream &OS) {
        if (Opts.Form == Format::Json)
          writeJson(*Runs, OS);
        else
          writeText(*Runs, OS);
      }))
    return std::move(E);
  return Success;
}

} // namespace linesman::tool
