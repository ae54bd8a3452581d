// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman place PID SELECTOR=NODE...: move from outside, say where things are.

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Control/Actuator.h"
#include "linesman/Drive/Placements.h"
#include "linesman/Guard/Text.h"
#include "options/OptionTable.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::control;

namespace linesman::tool {

namespace {

struct Options {
  cl::SubCommand Command{"place", "Move static pages of a running program"};
  Number<int> Pid{Command, "PID"};
  Rest Place{Command, "SELECTOR=NODE...", cl::OneOrMore};
};

} // namespace

int runPlace(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args,
                    "linesman place: move static pages of a running program\n"))
    return Failure;
  Expected<std::vector<PlaceRequest>> Parsed = parsePlaceRequests(Opts.Place);
  if (!Parsed)
    return fail(Parsed.takeError());
  std::vector<PlaceRequest> Requests = std::move(*Parsed);
  Expected<std::string> Note = checkNodes(Requests);
  if (!Note)
    return fail(Note.takeError());
  if (!Note->empty())
    guard::PrintableStream(outs()) << *Note << '\n';
  Expected<std::unique_ptr<Actuator>> Mover = attachFromOutside({Opts.Pid});
  if (!Mover)
    return fail(Mover.takeError());
  Expected<StaticPages> Pages = StaticPages::read(**Mover);
  if (!Pages)
    return fail(Pages.takeError());
  guard::PrintableStream Printable(outs());
  if (Error E = placePages(**Mover, *Pages, Requests, Preparation::AsTheyAre,
                           Printable))
    return fail(std::move(E));
  if (!Requests.empty() && readBalancing() == Balancing::On)
    errs() << "linesman: warning: kernel.numa_balancing is on, and can move "
              "these pages back, unless the program was started by 'linesman "
              "run --hold'\n";
  return Success;
}

} // namespace linesman::tool
