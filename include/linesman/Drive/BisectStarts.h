// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman bisect --starts: a program that is good or bad from start to start.
// Nothing is moved: starts are compared as they come, and then some are placed
// before main, to see whether "all local" is the good state at all.

#ifndef LINESMAN_DRIVE_BISECTSTARTS_H
#define LINESMAN_DRIVE_BISECTSTARTS_H

#include "linesman/Bisect/Starts.h"
#include "linesman/Drive/BisectSearch.h"

namespace linesman::drive {

struct StartsReport {
  bisect::StartComparison Compared;
  /// Of the starts as they came, of those that had all candidates on the good
  /// node before main, and on the bad one.
  std::vector<double> Values, Local, Remote;
  bool IsStopped = false;
};

/// \p Count starts, and four of either placement; fewer when an end is asked
/// for.
llvm::Expected<StartsReport> runStarts(const BisectConfig &Config,
                                       const SearchField &Field, unsigned Count,
                                       SearchListener &Listener);

void writeStartsText(const StartsReport &Report, const SearchField &Field,
                     const BisectConfig &Config, llvm::raw_ostream &OS);
void writeStartsJson(const StartsReport &Report, const SearchField &Field,
                     llvm::raw_ostream &OS);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_BISECTSTARTS_H
