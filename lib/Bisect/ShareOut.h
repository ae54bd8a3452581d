// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last step of a search with culprits: what each of them costs.

#ifndef LINESMAN_LIB_BISECT_SHAREOUT_H
#define LINESMAN_LIB_BISECT_SHAREOUT_H

#include "linesman/Bisect/Bisect.h"

namespace linesman::bisect {

/// A window of calibration or confirmation.
struct KnownState {
  /// Its number in the search.
  double Number;
  /// Ascending.
  std::vector<CandidateIndex> Remote;
  double Value;
};

/// Sets the shares and levels of \p R, its drift and its flipped windows, from
/// all windows of a known state together. \p Rests has for each culprit what
/// was remote when it was not; levels are those of the window \p Middle.
void shareOut(const Problem &Task, std::span<const KnownState> Known,
              std::span<const std::vector<CandidateIndex>> Rests, double Middle,
              Result &R);

} // namespace linesman::bisect

#endif // LINESMAN_LIB_BISECT_SHAREOUT_H
