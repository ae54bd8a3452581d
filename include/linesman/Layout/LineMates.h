// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who shares a line with whom: what a layout is when its addresses do not
// matter. One variable more shifts everything behind it; that is no news unless
// somebody's neighbour changed.

#ifndef LINESMAN_LAYOUT_LINEMATES_H
#define LINESMAN_LAYOUT_LINEMATES_H

#include "linesman/Layout/Finding.h"
#include "linesman/Layout/Identity.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace linesman::layout {

/// What is known of an object's use.
enum class Use : uint8_t { Unknown, Read, Written };

/// An object that has facts, and its line-mates.
struct MatesOf {
  Identity Object;
  Use Usage = Use::Unknown;
  /// Sorted. Sections of the linker are "[.got.plt]"; room is nobody.
  std::vector<Identity> Mates;
};

/// The line-mates of the objects that threads touch at one time, by identity.
struct LineMates {
  LineSize Line;
  std::vector<MatesOf> Objects;
};

/// Without objects that have no symbol.
LineMates findLineMates(const Image &Program, const LineMap &Lines,
                        const AccessTable &Table);

/// \p Other is of another build: with its objects called as in \p Own.
LineMates translate(LineMates Other, const Identities &Own);

/// What became of one object.
struct MateChange {
  Identity Object;
  Use Usage = Use::Unknown;
  /// Line-mates that the other side does not have; sorted.
  std::vector<Identity> Gained, Lost;
};

/// Objects of both sides whose line-mates differ, by identity. An object that
/// only one side has is no change by itself: it is news where it became
/// somebody's line-mate. Names that differ only by what LTO appends are equal.
std::vector<MateChange> compareLineMates(const LineMates &Old,
                                         const LineMates &New);

/// A finding on one side only, or on both with another score.
struct FindingChange {
  std::string Id;
  /// Its id on the old side, which differs where the line is called after
  /// another of its objects now; empty where it is new.
  std::string OldId;
  double OldScore = 0, NewScore = 0;
};

/// What both sides call an object, by its index into Image::symbols().
using ObjectName = llvm::function_ref<std::string(uint32_t Symbol)>;

/// Findings whose score appeared, vanished, or changed by more than a
/// hundredth, by id. Which is which, matchLines says.
std::vector<FindingChange> compareFindings(llvm::ArrayRef<LineFinding> Old,
                                           ObjectName OldName,
                                           llvm::ArrayRef<LineFinding> New,
                                           ObjectName NewName);

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_LINEMATES_H
