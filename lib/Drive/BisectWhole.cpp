// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inspect, read the link, search pages, search symbols.

#include "linesman/Drive/BisectWhole.h"
#include "linesman/Control/Actuator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::control;

namespace linesman::drive {

namespace {

struct Inspected {
  SearchField Field;
  /// The process of all windows, where there is one.
  std::optional<LiveProcess> Live;
};

Expected<Inspected> inspect(const BisectConfig &Config, StringRef Selectors,
                            SearchListener &Listener) {
  Inspected Result;
  if (!Config.isLive()) {
    Expected<SearchField> Field = inspectField(Config, Selectors);
    if (!Field)
      return Field.takeError();
    Result.Field = std::move(*Field);
    return std::move(Result);
  }
  auto Hold = [&](ShimClient &Shim) -> Error {
    Expected<SearchField> Field = readField(Shim, Selectors);
    if (!Field)
      return Field.takeError();
    Result.Field = std::move(*Field);
    return holdCandidates(Shim, Result.Field.Candidates);
  };
  Expected<LiveProcess> Live = startLive(Config, Hold);
  if (!Live)
    return Live.takeError();
  Result.Live.emplace(std::move(*Live));
  if (!Config.Attach.Value)
    return std::move(Result);
  if (readBalancing() == Balancing::On)
    Listener.note("kernel.numa_balancing is on; windows in which it moved a "
                  "page are skipped");
  // Nothing of ours is in it that could have been asked.
  Expected<SearchField> Whole = readField(*Result.Live->Outside, Selectors);
  if (!Whole)
    return Whole.takeError();
  Result.Field = std::move(*Whole);
  return std::move(Result);
}

/// What the levels say about the question itself.
void noteDirection(const BisectConfig &Config, const bisect::Result &Found,
                   std::vector<std::string> &Notes) {
  if (!Found.Culprits.empty() && (Found.Levels.Remote < Found.Levels.Local) ==
                                     (Config.Direction == Better::Lower))
    Notes.push_back(
        formatv("all remote is better than all local: the good node is {0} "
                "(--local={0} --remote={1}), or the metric is the other way "
                "round (--better)",
                Config.RemoteNode, Config.LocalNode));
}

} // namespace

Expected<WholeSearch> searchWhole(const BisectConfig &Config,
                                  const SearchSettings &Settings,
                                  StringRef Selectors,
                                  std::optional<relink::Link> Original,
                                  SearchListener &Listener) {
  Expected<Inspected> Subject = inspect(Config, Selectors, Listener);
  if (!Subject)
    return Subject.takeError();
  WholeSearch Whole;
  Whole.Field = std::move(Subject->Field);

  std::optional<LinkedModule> Linked;
  std::vector<std::string> LinkNotes;
  if (Original) {
    Expected<LinkedModule> Made =
        findLinked(std::move(*Original), Settings, Whole.Field, LinkNotes);
    if (!Made)
      return Made.takeError();
    Linked.emplace(std::move(*Made));
    if (Error E = checkSymbolLogs(Settings, Whole.Field, *Linked))
      return std::move(E);
  }

  Expected<SearchResult> Pages =
      searchIn(Config, Settings, Whole.Field.Candidates,
               std::move(Subject->Live), Listener);
  if (!Pages)
    return Pages.takeError();
  Whole.Pages = std::move(Pages->Found);
  Whole.CannotTell = std::move(Pages->CannotTell);
  Whole.Notes = std::move(Pages->Notes);
  append_range(Whole.Notes, LinkNotes);
  noteDirection(Config, Whole.Pages, Whole.Notes);

  Whole.Symbols.resize(Whole.Pages.Culprits.size());
  if (!Linked || Whole.isStopped())
    return std::move(Whole);
  for (auto [Culprit, Symbols] :
       zip_equal(Whole.Pages.Culprits, Whole.Symbols)) {
    const PageCandidate &Page = Whole.Field.Candidates[Culprit.Candidate];
    Expected<SymbolSearch> Found =
        searchSymbols(Config, Settings, Whole.Field, *Linked, Page, Listener);
    if (Found)
      Symbols.emplace(std::move(*Found));
    else
      Whole.Notes.push_back(
          formatv("the symbols of page {0:x} are not told apart: {1}",
                  Page.Pages.Begin.Value, toString(Found.takeError())));
  }
  return std::move(Whole);
}

} // namespace linesman::drive
