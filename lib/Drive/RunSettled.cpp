// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing of linesman is left in the program; what linesman dirty needs is held
// here.

#include "linesman/Control/WriteWatch.h"
#include "linesman/Drive/Placements.h"
#include "linesman/Process/Signals.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::drive {

namespace {

/// Ranges of all static pages.
std::vector<RunRange> allRanges(StaticPages &Pages) {
  std::vector<RunRange> Result;
  for (const NamedModule &M : Pages.modules())
    append_range(Result, M.Loaded.Ranges);
  return Result;
}

Error settlePages(ShimClient &Shim, const Settlement &Wanted,
                  raw_ostream &Notes) {
  Expected<StaticPages> Pages = StaticPages::read(Shim);
  if (!Pages)
    return Pages.takeError();
  if (Wanted.Others == Unplaced::Held)
    for (RunRange Range : allRanges(*Pages))
      if (Error E = Shim.place(Range, {Placement::Kind::Held},
                               control::Preparation::AsTheyAre)
                        .takeError())
        return E;
  std::vector<PlaceResult> Results;
  if (Error E =
          placePages(Shim, *Pages, Wanted.Requests, Wanted.Preparing, Results))
    return E;
  // The program's output is not ours to add to; only what did not move is
  // worth a word.
  for (const PlaceResult &Result : Results)
    writeStayed(Result, "linesman: note: ", Notes);
  // What is not placed is still prepared.
  if (Wanted.Preparing == control::Preparation::Prepare)
    for (RunRange Range : allRanges(*Pages))
      if (Error E = Shim.prepare(Range))
        return E;
  return Error::success();
}

/// What is done before main of the program.
Expected<WatchOffer> settleStart(ShimClient &Shim, const Settlement &Wanted,
                                 raw_ostream &Notes) {
  if (Wanted.Preparing == control::Preparation::Prepare ||
      Wanted.Others == Unplaced::Held || !Wanted.Requests.empty())
    if (Error E = settlePages(Shim, Wanted, Notes))
      return std::move(E);
  Expected<WatchOffer> Offer =
      WatchOffer::make(Shim.process(), Shim.takeWatcher());
  if (!Offer)
    return Offer.takeError();
  if (Error E = Shim.start())
    return std::move(E);
  return Offer;
}

} // namespace

Expected<int> runSettled(const LaunchConfig &Program, const Settlement &Wanted,
                         raw_ostream &Notes) {
  Expected<std::unique_ptr<Launch>> Process = Launch::start(Program);
  if (!Process)
    return Process.takeError();
  passSignals((*Process)->child().Value);
  std::vector<WatchOffer> Offers;
  Expected<std::unique_ptr<ShimClient>> Shim = (*Process)->greet();
  while (Shim && *Shim) {
    // Of a script that starts its program again and again only the last ones
    // run.
    erase_if(Offers, [](const WatchOffer &O) { return O.isOver(); });
    // It stands before main: on failure nothing of it has run, and it is
    // killed.
    Expected<WatchOffer> Offer = settleStart(**Shim, Wanted, Notes);
    if (!Offer)
      return Offer.takeError();
    Offers.push_back(std::move(*Offer));
    Shim = (*Process)->greetNext();
  }
  if (!Shim)
    return Shim.takeError();
  Expected<ExitState> End = (*Process)->wait();
  if (!End)
    return End.takeError();
  return End->Code;
}

} // namespace linesman::drive
