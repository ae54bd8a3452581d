// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which classes count when they are copied? std::shared_ptr, and what a project
// made like it:
//
//     Ref(const Ref &other) : p(other.p) { if (p) p->ref(); }
//
// where ref() counts atomically: a plain count is for one thread.

#ifndef LINESMAN_TIDY_ANALYSIS_NAMES_COUNTINGPOINTERS_H
#define LINESMAN_TIDY_ANALYSIS_NAMES_COUNTINGPOINTERS_H

#include "Analysis/Names/TypeKinds.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"

namespace linesman::tidy {

/// Known by its name.
bool isSharedPointer(clang::QualType Type);

class CountingPointers {
public:
  explicit CountingPointers(const TypeKinds &Kinds) : Kinds(Kinds) {}

  /// A copy counts, for all threads.
  bool contains(clang::QualType Type);

private:
  bool countsWhenCopied(const clang::CXXRecordDecl &Class) const;

  const TypeKinds &Kinds;
  llvm::DenseMap<const clang::CXXRecordDecl *, bool> Known;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_NAMES_COUNTINGPOINTERS_H
