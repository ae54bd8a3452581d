// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that one loop takes from the allocator, one for each element of an
// array or container. Small ones are neighbours, and two are on a line.
//
//     for (i = 0; i < n; i++)
//       workers[i] = new Worker;                    or malloc, calloc
//     for (...)
//       workers.push_back(std::make_unique<Worker>());

#ifndef LINESMAN_TIDY_ANALYSIS_CONTAINERS_LOOPALLOCATIONS_H
#define LINESMAN_TIDY_ANALYSIS_CONTAINERS_LOOPALLOCATIONS_H

#include "Analysis/Accesses/UnitAccesses.h"

namespace linesman::tidy {

struct LoopAllocation {
  const clang::Expr *Site = nullptr;
  /// What has the pointers.
  const clang::ValueDecl *Array = nullptr;
  /// Of the object, or of one element of several.
  clang::QualType Type;
  /// Of the whole allocation, in bytes.
  uint64_t Size = 0;
  /// `new`, which knows an alignment since C++17.
  bool IsNew = false;
};

/// Only of sizes that the compiler knows.
std::vector<LoopAllocation> loopAllocations(const UnitAccesses &Accesses);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CONTAINERS_LOOPALLOCATIONS_H
