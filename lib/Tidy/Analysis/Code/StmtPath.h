// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in a function is a statement? The path is asked for candidates only,
// because it searches from the top each time.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_STMTPATH_H
#define LINESMAN_TIDY_ANALYSIS_CODE_STMTPATH_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"

namespace linesman::tidy {

using StmtPath = llvm::SmallVector<const clang::Stmt *, 16>;

/// The statements from \p Root down to \p Target, both included. False, and
/// nothing in \p Path, if it is not in there.
bool findPath(const clang::Stmt &Root, const clang::Stmt &Target,
              StmtPath &Path);

/// Null where a declaration is around, as around the body of a function.
const clang::Stmt *parentOf(const clang::Stmt &Child,
                            const clang::ASTContext &Unit);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_STMTPATH_H
