// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the sections are that edits make, and what came behind them.

#ifndef LINESMAN_LIB_RELINK_LINKEDSECTIONS_H
#define LINESMAN_LIB_RELINK_LINKEDSECTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace linesman::relink {

/// Names of the sections that edits make. mold places sections of one type by
/// name, others by first use: nothing of a program comes between, and a tail is
/// the last, in both orders (MakeChanges.cpp).
inline constexpr llvm::StringLiteral NewSections = ".linesman_";
inline constexpr llvm::StringLiteral IsolatedData = ".linesman_isolated_data";
inline constexpr llvm::StringLiteral IsolatedBss = ".linesman_isolated_bss";
inline constexpr llvm::StringLiteral GroupSection = ".linesman_group";
inline constexpr llvm::StringLiteral DataTail = ".linesman_tail_data";
inline constexpr llvm::StringLiteral BssTail = ".linesman_tail_bss";

/// How long the tails are, behind the new sections that are in the file and
/// behind those of zeros.
struct Tails {
  uint64_t Data = 0, Bss = 0;
};

/// What follows new sections in a linked file.
struct Followers {
  /// The tails with which all would have the phase, modulo a line, that they
  /// would have without new sections.
  Tails Needed;
  /// How far behind that phase the first is that does not have it; 0 if all do.
  uint64_t Stray = 0;
  /// Names of that section, and of the tail that should be right before it.
  std::string StrayName;
  llvm::StringRef StrayTail;
};

llvm::Expected<Followers> readFollowers(llvm::StringRef Linked, uint64_t Line);

/// The tails, guessed from any output of this link: that the new sections will
/// follow .data and .bss. A wrong guess costs a second link.
llvm::Expected<Tails> guessTails(llvm::StringRef Linked, uint64_t Line);

/// The first of .data and .bss that begins elsewhere on its line in \p After
/// than in \p Before; empty if neither does.
llvm::Expected<llvm::StringRef> findMoved(llvm::StringRef Before,
                                          llvm::StringRef After, uint64_t Line);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_LINKEDSECTIONS_H
