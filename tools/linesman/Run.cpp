// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman run [--place SELECTOR=NODE…] [--prepare] -- COMMAND: launch, place
// before main, wait. Nothing of it is left in the program; what linesman dirty
// needs is held here.

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Control/ShimClient.h"
#include "linesman/Control/WriteWatch.h"
#include "linesman/Drive/Placements.h"
#include "linesman/Guard/Text.h"
#include "linesman/Process/Signals.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::tool {

namespace {

struct Options {
  cl::SubCommand Command{"run", "A program under the shim"};
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

/// What is done before main of the program.
Error setUp(ShimClient &Shim, const Options &Opts,
            ArrayRef<PlaceRequest> Requests, std::vector<WatchOffer> &Offers) {
  if (Opts.Prepare || Opts.Hold || !Requests.empty()) {
    Expected<StaticPages> Pages = StaticPages::read(Shim);
    if (!Pages)
      return Pages.takeError();
    std::string Told;
    raw_string_ostream OS(Told);
    if (Error E = settlePages(
            Shim, *Pages, Requests,
            Opts.Prepare ? Preparation::Prepare : Preparation::AsTheyAre,
            Opts.Hold ? Unplaced::Held : Unplaced::Movable, OS))
      return E;
    // The program's output is not ours to add to; only what did not move is
    // worth a word.
    SmallVector<StringRef> Lines;
    StringRef(Told).split(Lines, '\n');
    for (StringRef Line : Lines)
      if (Line.contains("did not move"))
        guard::PrintableStream(errs()) << "linesman: note: " << Line << '\n';
  }
  // Of a script that starts its program again and again only the last ones
  // run.
  erase_if(Offers, [](const WatchOffer &O) { return O.isOver(); });
  Expected<WatchOffer> Offer =
      WatchOffer::make(Shim.process(), Shim.takeWatcher());
  if (!Offer)
    return Offer.takeError();
  Offers.push_back(std::move(*Offer));
  return Shim.start();
}

} // namespace

int runRun(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args,
                    "linesman run: a program under the shim, with a "
                    "placement\n",
                    Opts.Run))
    return Failure;
  Expected<std::vector<PlaceRequest>> Parsed = parsePlaceRequests(Opts.Place);
  if (!Parsed)
    return fail(Parsed.takeError());
  std::vector<PlaceRequest> Requests = std::move(*Parsed);
  Expected<std::string> Note = checkNodes(Requests);
  if (!Note)
    return fail(Note.takeError());
  if (!Note->empty())
    guard::PrintableStream(errs()) << "linesman: note: " << *Note << '\n';

  LaunchConfig Config;
  Config.Command = Opts.Run;
  Config.Program = Opts.Program;
  Config.ShimPath = findShim(Opts.Shim);
  Expected<std::unique_ptr<Launch>> Process = Launch::start(Config);
  if (!Process)
    return fail(Process.takeError());
  passSignals((*Process)->child().Value);
  // For linesman dirty.
  std::vector<WatchOffer> Offers;
  Expected<std::unique_ptr<ShimClient>> Shim = (*Process)->greet();
  while (true) {
    if (!Shim)
      return fail(Shim.takeError());
    if (!*Shim)
      break;
    // It stands before main: on failure nothing of it has run, and it is
    // killed.
    if (Error E = setUp(**Shim, Opts, Requests, Offers))
      return fail(std::move(E));
    Shim = (*Process)->greetNext();
  }
  Expected<ExitState> End = (*Process)->wait();
  if (!End)
    return fail(End.takeError());
  return End->Code;
}

} // namespace linesman::tool
