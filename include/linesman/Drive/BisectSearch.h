// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One search of `linesman bisect`: over pages, or over the symbols of one.

#ifndef LINESMAN_DRIVE_BISECTSEARCH_H
#define LINESMAN_DRIVE_BISECTSEARCH_H

#include "linesman/Drive/BisectSetup.h"

namespace linesman::drive {

struct SearchSettings {
  /// Each window is written to it before the next one starts.
  std::string Log;
  /// Goes on from the log, if there is one.
  bool Resume = false;
  /// How long a live process is watched for which candidates are written.
  std::optional<double> WatchSeconds;
  /// Without an effect of the candidates, all memory is tried.
  bool AsksForWhole = false;
};

/// A search's result, and what there is to say beside it.
/// Who is told while a search runs.
class SearchListener {
public:
  virtual ~SearchListener() = default;
  /// One line, before each window or behind each start.
  virtual void window(llvm::StringRef Line) = 0;
  /// What is to be said although the search failed.
  virtual void note(llvm::StringRef Text) = 0;
};

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
         std::optional<LiveProcess> Live, SearchListener &Listener);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_BISECTSEARCH_H
