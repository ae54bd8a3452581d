// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explode, put the new program in the old one's place, search.

#include "BisectSymbols.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::bisect;

namespace linesman::tool {

/// What the files of the search in a page begin with, and its log.
static std::string searchBase(const SearchSettings &Pages,
                              const PageCandidate &Page) {
  return formatv("{0}.{1:x}", Pages.Log, Page.Pages.Begin.Value);
}
static std::string symbolLog(const SearchSettings &Pages,
                             const PageCandidate &Page) {
  return searchBase(Pages, Page) + ".symbols";
}

Error checkSymbolLogs(const SearchSettings &Pages, const SearchField &In) {
  for (const PageCandidate &Page : In.Candidates)
    if (!Pages.Resume && Page.Module == In.Program &&
        sys::fs::exists(symbolLog(Pages, Page)))
      return createStringError(symbolLog(Pages, Page) +
                               ": the log exists; choose another with --log");
  return Error::success();
}

Expected<SymbolSearch> searchSymbols(BisectConfig Config,
                                     const SearchSettings &Pages,
                                     const SearchField &In,
                                     const relink::Link &From,
                                     const PageCandidate &Page) {
  if (!In.Binary || Page.Module != In.Program)
    return createStringError("the page is not the program's");
  // The other culprits' pages stay as they are, and local.
  std::string Output = searchBase(Pages, Page) + ".exploded";
  Expected<Exploded> Layout = explodePage(*In.Binary, Page, From, Output);
  if (!Layout)
    return Layout.takeError();
  SmallString<256> Path;
  if (std::error_code EC = sys::fs::real_path(Output, Path))
    return createFileError(Output, EC);
  // The program is replaced where the command names it.
  bool Named = false;
  for (std::string &Word : Config.Command) {
    SmallString<256> Real;
    if (sys::fs::real_path(Word, Real) || Real != In.Program)
      continue;
    Word = std::string(Path);
    Named = true;
  }
  if (!Named)
    return createStringError("the command does not name the program, so the "
                             "exploded one can not take its place");
  Config.Program = Config.Program.empty() ? "" : std::string(Path);
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
      searchIn(Config, Settings, Layout->Symbols, std::move(Live));
  if (!Found)
    return Found.takeError();
  return SymbolSearch{std::move(*Layout), std::move(Found->Found),
                      std::move(Found->Notes)};
}

std::string explainSymbols(const SymbolSearch &Symbols) {
  if (Symbols.Found.Outcome == Verdict::NoEffect)
    return "with every symbol of the page on its own page the slow-down is "
           "gone: it was false sharing, between neighbours";
  if (!Symbols.Found.Culprits.empty())
    return "it stays slow on a page of its own: the symbol itself is shared, "
           "and a better layout does not help";
  return "the exploded layout gave no certain answer";
}

} // namespace linesman::tool
