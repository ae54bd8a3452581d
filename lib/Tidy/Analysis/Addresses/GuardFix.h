// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The test that a write lacks, as a fix-it:
//
//     p->back = this;             ->   if (p != &nil) p->back = this;
//     if (p) p->back = this;      ->   if (p && p != &nil) p->back = this;
//     if (--p->users == 0) f();   ->   if (p != &nil && --p->users == 0) f();

#ifndef LINESMAN_TIDY_ANALYSIS_ADDRESSES_GUARDFIX_H
#define LINESMAN_TIDY_ANALYSIS_ADDRESSES_GUARDFIX_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace linesman::tidy {

struct GuardFix {
  /// "p != &nil"; empty when the place or the object has no spelling here.
  std::string Test;
  /// Empty when the write is not a statement of its own.
  llvm::SmallVector<clang::FixItHint, 2> Hints;
};

/// \p Base leads to the object that \p Site writes.
GuardFix guardFixFor(const clang::Expr &Site, const clang::Expr &Base,
                     const clang::VarDecl &Object,
                     const clang::FunctionDecl &Function);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ADDRESSES_GUARDFIX_H
