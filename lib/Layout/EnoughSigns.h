// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a sign of threads is enough for a finding, or a line stays a guess.
// Machine code promises more transfers than there are: the larger the file, and
// the less is known of its threads, the more of them a sign must come with.

#ifndef LINESMAN_LIB_LAYOUT_ENOUGHSIGNS_H
#define LINESMAN_LIB_LAYOUT_ENOUGHSIGNS_H

#include "OwnCode.h"
#include "Score.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace linesman::layout {

/// What takes its time to tell of a line.
struct LineUse {
  function_ref<double()> CountVisits;
  function_ref<size_t()> CountWriters;
  function_ref<bool()> IsMostlyRead;
  function_ref<bool()> IsPrograms;
  bool HasName;
};

class EnoughSigns {
public:
  EnoughSigns(const AccessTable &Table, const OwnCode &Own);

  /// The sign of a line: that which it has, or why that is not enough.
  Sign judge(const LineScore &Scored, const LineUse &Use) const;

private:
  /// The least transfers of a pair of roles that meet often. Both bounds were
  /// chosen on 293 findings (docs/unseen-files.md, the twenty-eighth set).
  double leastTransfers(Sign Meeting) const;
  /// In how many of a thread's operations it must get to the line, even if no
  /// loop turns more than once. Where a compiler tells of some of the program,
  /// its threads are in that part.
  double leastVisits(Sign Meeting) const;
  /// The least transfers of what one function writes; of what several write,
  /// each of them has its part.
  double leastOfOneWriter(Sign Meeting) const;
  /// Whether what is mostly read is left out. A compiler knows how often it is
  /// written, and samples do.
  bool wantsWrites(Sign Meeting) const;
  /// Whether an object that has no name, or that of a library, is no finding.
  /// What a Rust program's threads share is on its heap; its statics are mostly
  /// of the standard library and of crates. Of thirteen such findings without a
  /// name that were judged in five programs, and of twelve with one in three,
  /// all were false (docs/unseen-files.md, the thirty-sixth set and the next).
  bool wantsName(Sign Meeting) const { return NeedsName && !isGuess(Meeting); }
  /// Whether known threads, and nothing else, are no sign.
  bool wantsGuard() const;

  const AccessTable &Table;
  bool IsUnknown, IsCode, IsLargeGuess, NeedsName;
  /// That touch static objects, without a C library's.
  double OwnFunctions;
  /// What the number of functions asks for.
  double OfSize = 0;
};

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_ENOUGHSIGNS_H
