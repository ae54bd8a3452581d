// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in a function is a statement? The path is asked for candidates only,
// because it searches from the top each time.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_STMTPATH_H
#define LINESMAN_TIDY_ANALYSIS_CODE_STMTPATH_H

#include "clang/AST/Decl.h"
#include "clang/AST/ParentMap.h"
#include "llvm/ADT/SmallVector.h"

namespace linesman::tidy {

using StmtPath = llvm::SmallVector<const clang::Stmt *, 16>;

/// The statements from \p Root down to \p Target, both included. False, and
/// nothing in \p Path, if it is not in there.
bool findPath(const clang::Stmt &Root, const clang::Stmt &Target,
              StmtPath &Path);

/// What is around the statements of one function: the unit's own map of parents
/// reads the bodies of all headers when it is first asked.
class Parents {
public:
  explicit Parents(const clang::FunctionDecl &Function);
  /// Null for the body and for what is not in the function.
  const clang::Stmt *of(const clang::Stmt &Child) const {
    return Map.getParent(&Child);
  }

private:
  clang::ParentMap Map;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_STMTPATH_H
