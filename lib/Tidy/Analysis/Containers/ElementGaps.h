// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies between the bytes that count in one element of an array and those
// in the next:
//
//     { long n; char pad[56]; }     |n.......|n.......|     a gap of 56 bytes

#ifndef LINESMAN_TIDY_ANALYSIS_CONTAINERS_ELEMENTGAPS_H
#define LINESMAN_TIDY_ANALYSIS_CONTAINERS_ELEMENTGAPS_H

#include "Analysis/Names/RecordLines.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace linesman::tidy {

/// From the end of the fields that \p Counts in one element, a record, to the
/// first of them in the next, \p Stride bytes further. Nothing where no field
/// counts.
std::optional<uint64_t>
gapBetween(clang::QualType Element, uint64_t Stride, uint64_t Line,
           const clang::ASTContext &Unit,
           llvm::function_ref<bool(const clang::FieldDecl &)> Counts);

/// On whatever base the array begins.
bool keepsApart(uint64_t Gap, clang::QualType Element, uint64_t Line,
                const clang::ASTContext &Unit);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CONTAINERS_ELEMENTGAPS_H
