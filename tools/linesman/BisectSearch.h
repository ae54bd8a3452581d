// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One search of `linesman bisect`: over pages, or over the symbols of one.

#ifndef LINESMAN_TOOLS_BISECTSEARCH_H
#define LINESMAN_TOOLS_BISECTSEARCH_H

#include "BisectSetup.h"

namespace linesman::tool {

struct SearchSettings {
  /// Each window is written to it before the next one starts.
  std::string Log;
  /// Goes on from the log, if there is one.
  bool Resume = false;
  /// How long a live process is watched for which candidates are written.
  std::optional<double> WatchSeconds;
  /// A line for each window on stderr, also where that is no terminal.
  bool ShowsWindows = false;
  /// Without an effect of the candidates, all memory is tried.
  bool AsksForWhole = false;
};

/// A search's result, and what there is to say beside it.
struct SearchResult {
  bisect::Result Found;
  std::vector<std::string> Notes;
  /// Why "no effect" would say too much; empty where it would not.
  std::string CannotTell;
};

/// One search over a set of candidates, with its log. Their priors are changed
/// by what was written. At its end, however it ends, everything is put back and
/// whatever was started is ended.
llvm::Expected<SearchResult>
searchIn(const BisectConfig &Config, const SearchSettings &Settings,
         llvm::MutableArrayRef<PageCandidate> Candidates,
         std::optional<LiveProcess> Live);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_BISECTSEARCH_H
