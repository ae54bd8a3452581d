// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explode, put the new program in the old one's place, search.

#include "linesman/Drive/BisectSymbols.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::drive {

/// What the files of the search in a page begin with, and its log.
static std::string searchBase(const SearchSettings &Pages,
                              const PageCandidate &Page) {
  return formatv("{0}.{1:x}", Pages.Log, Page.Pages.Begin.Value);
}
static std::string symbolLog(const SearchSettings &Pages,
                             const PageCandidate &Page) {
  return searchBase(Pages, Page) + ".symbols";
}

/// The module that a link makes.
static Expected<const StaticModule &> findMade(const relink::Link &Original,
                                               const SearchField &Field) {
  Expected<std::vector<std::string>> Words =
      relink::expandResponseFiles(Original.Command, Original.Folder);
  if (!Words)
    return Words.takeError();
  std::string Made = Original.path(relink::outputOf(*Words));
  SmallString<256> Real;
  if (sys::fs::real_path(Made, Real))
    Real = Made;
  for (const StaticModule &M : Field.Modules)
    if (M.Path == Real.str())
      return M;
  for (const StaticModule &M : Field.Modules)
    if (sys::path::filename(M.Path) == sys::path::filename(Made))
      return M;
  // A program may be searched under another name than it was linked with.
  if (none_of(*Words, [](StringRef Word) {
        return Word == "-shared" || Word == "--shared" || Word == "-Bshareable";
      }))
    return Field.Modules.front();
  return createStringError("the link makes " + Made +
                           ", which the program does not load at its start");
}

Expected<LinkedModule> findLinked(relink::Link Original,
                                  const SearchSettings &Pages,
                                  const SearchField &Field,
                                  std::vector<std::string> &Notes) {
  Expected<const StaticModule &> Module = findMade(Original, Field);
  if (!Module)
    return Module.takeError();
  const std::string &Path = Module->Path;
  std::vector<PageCandidate> Candidates;
  copy_if(Field.Candidates, std::back_inserter(Candidates),
          [&](const PageCandidate &C) { return C.Module == Path; });
  if (Candidates.empty())
    return createStringError(
        formatv("no page of {0} is searched: name it with --candidates='{1}!"
                "all'",
                Path, sys::path::filename(Path)));
  Expected<input::Binary> Binary = readModule(*Module);
  if (!Binary)
    return Binary.takeError();
  Expected<std::vector<std::string>> Problems =
      findInseparable(*Binary, Candidates, Original, Pages.Log + ".exploded");
  if (!Problems)
    return Problems.takeError();
  size_t Bad = count_if(*Problems, [](StringRef P) { return !P.empty(); });
  if (Bad) {
    // One error may have a line for each symbol.
    StringRef First =
        *find_if(*Problems, [](StringRef P) { return !P.empty(); });
    StringRef Line = First.split('\n').first;
    if (Bad == Candidates.size())
      return createStringError(
          formatv("no page of {0} can be told apart into symbols: {1}; to "
                  "search pages only, leave out the link",
                  sys::path::filename(Path), Line));
    Notes.push_back(formatv("the symbols of {0} of {1} pages of {2} can not be "
                            "told apart; the first: {3}",
                            Bad, Candidates.size(), sys::path::filename(Path),
                            Line));
  }
  return LinkedModule{std::move(Original), Path, std::move(*Binary)};
}

Error checkSymbolLogs(const SearchSettings &Pages, const SearchField &Field,
                      const LinkedModule &Linked) {
  for (const PageCandidate &Page : Field.Candidates)
    if (!Pages.Resume && Page.Module == Linked.Path &&
        sys::fs::exists(symbolLog(Pages, Page)))
      return createStringError(symbolLog(Pages, Page) +
                               ": the log exists; choose another with --log");
  return Error::success();
}

/// Puts the exploded module in the place of the old one.
static Error replaceModule(BisectConfig &Config, const SearchField &Field,
                           const LinkedModule &Linked, StringRef Exploded) {
  if (Linked.Path != Field.Program) {
    if (Exploded.find_first_of(": ") != StringRef::npos)
      return createStringError(Exploded +
                               ": LD_PRELOAD can not name a file with a space "
                               "or a colon; choose another --log");
    Config.Library = Exploded;
    Config.Replaced = Linked.Path;
    return Error::success();
  }
  // The program is replaced where the command names it.
  bool Named = false;
  for (std::string &Word : Config.Command) {
    SmallString<256> Real;
    if (sys::fs::real_path(Word, Real) || Real != Field.Program)
      continue;
    Word = Exploded;
    Named = true;
  }
  if (!Named)
    return createStringError("the command does not name the program, so the "
                             "exploded one can not take its place");
  Config.Program = Config.Program.empty() ? "" : Exploded.str();
  return Error::success();
}

Expected<SymbolSearch>
searchSymbols(BisectConfig Config, const SearchSettings &Pages,
              const SearchField &Field, const LinkedModule &Linked,
              const PageCandidate &Page, SearchListener &Listener) {
  if (Page.Module != Linked.Path)
    return createStringError(formatv(
        "it is a page of {0}, and the link is of {1}",
        sys::path::filename(Page.Module), sys::path::filename(Linked.Path)));
  // The other culprits' pages stay as they are, and local.
  std::string Output = searchBase(Pages, Page) + ".exploded";
  Expected<Exploded> Layout =
      explodePage(Linked.Binary, Page, Linked.Original, Output);
  if (!Layout)
    return Layout.takeError();
  SmallString<256> Path;
  if (std::error_code EC = sys::fs::real_path(Output, Path))
    return createFileError(Output, EC);
  if (Error E = replaceModule(Config, Field, Linked, Path))
    return std::move(E);
  std::optional<LiveProcess> Live;
  if (Config.isLive()) {
    Expected<LiveProcess> Process =
        startLive(Config, [&](control::ShimClient &Shim) -> Error {
          return holdCandidates(Shim, Layout->Symbols);
        });
    if (!Process)
      return Process.takeError();
    Live.emplace(std::move(*Process));
  }
  SearchSettings Settings = Pages;
  Settings.Log = symbolLog(Pages, Page);
  Expected<SearchResult> Found =
      searchIn(Config, Settings, Layout->Symbols, std::move(Live), Listener);
  if (!Found)
    return Found.takeError();
  return SymbolSearch{std::move(*Layout), std::move(Found->Found),
                      std::move(Found->Notes)};
}

std::string explainSymbols(const SymbolSearch &Symbols) {
  if (Symbols.Found.Outcome == bisect::Verdict::NoEffect)
    return "with every symbol of the page on its own page the slow-down is "
           "gone: it was false sharing, between neighbours";
  if (!Symbols.Found.Culprits.empty())
    return "it stays slow on a page of its own: the symbol itself is shared, "
           "and a better layout does not help";
  return "the exploded layout gave no certain answer";
}

} // namespace linesman::drive
