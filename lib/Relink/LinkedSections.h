// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the sections are that edits make, and what came behind them.

#ifndef LINESMAN_LIB_RELINK_LINKEDSECTIONS_H
#define LINESMAN_LIB_RELINK_LINKEDSECTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace linesman::relink {

/// Names of the sections that edits make. mold places sections of one type by
/// name, others by first use: the tail is the last in both orders.
inline constexpr llvm::StringLiteral NewSections = ".linesman_";
inline constexpr llvm::StringLiteral IsolatedData = ".linesman_isolated_data";
inline constexpr llvm::StringLiteral IsolatedBss = ".linesman_isolated_bss";
inline constexpr llvm::StringLiteral GroupSection = ".linesman_group";
inline constexpr llvm::StringLiteral TailSection = ".linesman_tail";

/// How long the tail must be for what follows it to have the phase, modulo
/// \p Line, that it would have without new sections. \p Linked is the result
/// of a link with them.
llvm::Expected<uint64_t> tailFor(llvm::StringRef Linked, uint64_t Line);

/// The same, guessed from any output of this link: that the new sections will
/// follow .data. A wrong guess costs a second link.
llvm::Expected<uint64_t> guessTail(llvm::StringRef Linked, uint64_t Line);

/// The first of .data and .bss that begins elsewhere on its line in \p After
/// than in \p Before; empty if neither does.
llvm::Expected<llvm::StringRef> findMoved(llvm::StringRef Before,
                                          llvm::StringRef After, uint64_t Line);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_LINKEDSECTIONS_H
