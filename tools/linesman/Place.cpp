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

struct PlaceOptions {
  cl::SubCommand Command{"place"};
  Number<int> Pid{Command, "PID"};
  Rest Place{Command, "SELECTOR=NODE...", cl::OneOrMore};
};

} // namespace

Expected<int> runPlace(Arguments Args) {
  PlaceOptions Opts;
  if (Error E = parseOptions(Args))
    return std::move(E);
  Expected<std::vector<PlaceRequest>> Parsed = parsePlaceRequests(Opts.Place);
  if (!Parsed)
    return Parsed.takeError();
  std::vector<PlaceRequest> Requests = std::move(*Parsed);
  Expected<std::string> Note = checkNodes(Requests);
  if (!Note)
    return Note.takeError();
  if (!Note->empty())
    guard::PrintableStream(outs()) << *Note << '\n';
  Expected<std::unique_ptr<Actuator>> Mover = attachFromOutside({Opts.Pid});
  if (!Mover)
    return Mover.takeError();
  Expected<StaticPages> Pages = StaticPages::read(**Mover);
  if (!Pages)
    return Pages.takeError();
  std::vector<PlaceResult> Results;
  Error Stopped =
      placePages(**Mover, *Pages, Requests, Preparation::AsTheyAre, Results);
  {
    guard::PrintableStream Printable(outs());
    writeText(Results, Printable);
  }
  if (Stopped)
    return std::move(Stopped);
  if (!Requests.empty() && readBalancing() == Balancing::On)
    errs() << "linesman: warning: kernel.numa_balancing is on, and can move "
              "these pages back, unless the program was started by 'linesman "
              "run --hold'\n";
  return Success;
}

} // namespace linesman::tool
