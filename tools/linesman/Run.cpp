// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman run [--place SELECTOR=NODE…] [--prepare] -- COMMAND: launch, place
// before main, wait.

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Drive/Placements.h"
#include "linesman/Guard/Text.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::control;

namespace linesman::tool {

namespace {

struct RunOptions {
  cl::SubCommand Command{"run"};
  Texts Place{
      Command, "place", "selector=node",
      "Put these static pages on this node, before main: a section, symbol, "
      "page:ADDRESS, BEGIN-END or all; a node's number, interleave or default"};
  Flag Prepare{Command, "prepare",
               "Make all static pages private and present before main"};
  Flag Hold{Command, "hold",
            "Keep the kernel's NUMA balancing away from all static pages"};
  Text Program{Command, "program", "file",
               "The program, when COMMAND is a script that starts it"};
  Text Shim{Command, "shim", "file", "The shim (beside this program, in lib)"};
  Rest Run{Command, "-- COMMAND", cl::OneOrMore};
};

} // namespace

Expected<int> runRun(Arguments Args) {
  RunOptions Opts;
  if (Error E = parseOptions(Args, Opts.Run))
    return std::move(E);
  Expected<std::vector<PlaceRequest>> Parsed = parsePlaceRequests(Opts.Place);
  if (!Parsed)
    return Parsed.takeError();
  Settlement Wanted;
  Wanted.Requests = std::move(*Parsed);
  if (Opts.Prepare)
    Wanted.Preparing = Preparation::Prepare;
  if (Opts.Hold)
    Wanted.Others = Unplaced::Held;
  Expected<std::string> Note = checkNodes(Wanted.Requests);
  if (!Note)
    return Note.takeError();
  guard::PrintableStream Notes(errs());
  // What the program says comes in between.
  Notes.SetUnbuffered();
  if (!Note->empty())
    Notes << "linesman: note: " << *Note << '\n';
  LaunchConfig Program;
  Program.Command = Opts.Run;
  Program.Program = Opts.Program;
  Program.ShimPath = findShim(Opts.Shim);
  return runSettled(Program, Wanted, Notes);
}

} // namespace linesman::tool
