// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bit that says that something has happened to the object, set without a
// look:
//
//     mark_accessed(page):  fetch_or(&page->flags, ACCESSED)
//
// It mostly is set already, and the read-modify-write takes the line each time.

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_MARKEDBITS_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_MARKEDBITS_H

#include "Analysis/Accesses/HotAccesses.h"

namespace linesman::tidy {

/// By the name of the function or of the bit.
bool marksBit(const Access &Use, HotAccesses &Hot,
              const clang::ASTContext &Unit);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_MARKEDBITS_H
