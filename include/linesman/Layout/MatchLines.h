// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings of two builds that are one. A finding is called after its head, and
// the head of a line can change when a neighbour comes or goes:
//
//     before  requests | errors            finding requests
//     after   requests | errors | added    finding errors: the same line, worse
//
// For all who compare: two binaries, a lock, a baseline.

#ifndef LINESMAN_LAYOUT_MATCHLINES_H
#define LINESMAN_LAYOUT_MATCHLINES_H

#include "linesman/Layout/Identity.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace linesman::layout {

/// All findings of one identity, with who is on their lines. Names mean the
/// same on both sides; none is an address.
struct LineParty {
  /// The identity. One of a side has it.
  std::string Key;
  /// The object, or the field of a type, that the finding is called after.
  std::string Head;
  /// Objects that are touched there; of the head it is known anyway.
  std::set<std::string> Objects;
};

/// For each of \p New, which of \p Old it is. Of the same identity; or else one
/// of the two heads is on the other's line. One to one: those that have most
/// objects in common first, then in the order of \p New.
std::vector<std::optional<size_t>> matchLines(llvm::ArrayRef<LineParty> Old,
                                              llvm::ArrayRef<LineParty> New);

/// What comparisons across builds know an object by: its stem, file and
/// ordinal.
std::string keyOf(const Identity &Is);

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_MATCHLINES_H
