// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which units the checks see, and which findings a reader of the list sees.

#ifndef LINESMAN_DRIVE_TIDYFINDINGS_H
#define LINESMAN_DRIVE_TIDYFINDINGS_H

#include "linesman/Drive/Changes.h"
#include "linesman/Drive/RunTidy.h"
#include "linesman/Report/Document.h"
#include <set>

namespace linesman::drive {

/// Units of the build in \p Build: all, or those that see what \p Changed (may
/// be null), or those of \p Files. Fails where a file is no unit, unless it may
/// be one that sees no change.
llvm::Expected<std::vector<CompiledUnit>>
chooseUnits(llvm::StringRef Build, llvm::ArrayRef<std::string> Files,
            const Changes *Changed);

/// What the checks reported.
struct CheckedUnits {
  std::vector<report::Finding> Findings;
  /// Options that clang does not know, sorted.
  std::set<std::string> LeftOut;
  /// Units of which the checks have not seen all.
  llvm::Error Incomplete = llvm::Error::success();
};

/// Each finding once, though a header's comes from each unit that includes it.
llvm::Expected<CheckedUnits> readResults(llvm::ArrayRef<UnitResult> Results);

/// How many findings nothing but facts names, and nothing tells that threads
/// meet there.
struct LeftOut {
  size_t Variables = 0, Fields = 0;
};

/// Of what only facts say, leaves the first variables and the first fields of
/// types where something tells that threads meet.
/// \p KnowsThreads is whether roles of the findings can be relied on.
LeftOut dropFactsAlone(bool KnowsThreads,
                       std::vector<report::Finding> &Findings);

/// Leaves those with a place on a line that changed. Returns how many went.
size_t keepChanged(const Changes &Changed,
                   std::vector<report::Finding> &Findings);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_TIDYFINDINGS_H
