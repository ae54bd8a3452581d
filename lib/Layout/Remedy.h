// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What to do about a line.

#ifndef LINESMAN_LIB_LAYOUT_REMEDY_H
#define LINESMAN_LIB_LAYOUT_REMEDY_H

#include "linesman/Layout/Finding.h"

namespace linesman::layout {

/// A part of the score below this share of the whole does not decide the kind
/// of a finding or its remedy: it is within what block frequencies can tell.
inline constexpr double MinorShare = 0.05;

SharingKind kindOf(const Score &Points);

/// For a head whose writers meet on the same bytes.
Remedy forSameBytes(const AccessTable &Table, const LineOccupant &Head,
                    LineSize Line);

/// The sentences for the part of a score that is left when different bytes are
/// apart; they begin with a space.
std::string sameBytesToo(const AccessTable &Table, const LineOccupant &Head,
                         LineSize Line);

/// \p Finding has its head, kind, score and occupants.
Remedy chooseRemedy(const AccessTable &Table, const LineFinding &Finding,
                    LineSize Line);

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_REMEDY_H
