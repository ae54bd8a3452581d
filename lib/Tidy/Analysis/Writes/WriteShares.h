// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often does a function write a word, each time that it runs? Half as often
// behind each condition, eight times in a loop: no forecast, but enough to tell
// whose word it mostly is.
//
//     push:  tail always, head if the queue was empty       -> tail is its own
//     pop:   head, and tail if it took the last element     -> head is its own

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_WRITESHARES_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_WRITESHARES_H

#include "Analysis/Accesses/HotAccesses.h"
#include "llvm/ADT/MapVector.h"

namespace linesman::tidy {

/// Writes for each run of a function.
using WriteShares = llvm::MapVector<const clang::FunctionDecl *, double>;

/// Of the hot writes of a field.
WriteShares writeSharesOf(const clang::FieldDecl &Field, HotAccesses &Hot);

/// Each word is mostly written by functions of its own, at least twice as often
/// as the other, and some function writes both. Functions that write both
/// alike are fewer than those.
bool haveDifferentOwners(const clang::FieldDecl &A, const clang::FieldDecl &B,
                         HotAccesses &Hot);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_WRITESHARES_H
