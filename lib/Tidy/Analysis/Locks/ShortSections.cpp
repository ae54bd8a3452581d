// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Locks/ShortSections.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace linesman::tidy {

bool isShort(const Stmt &S) {
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, LambdaExpr, CXXNewExpr>(
          S))
    return false;
  if (const auto *Call = dyn_cast<CallExpr>(&S))
    if (const FunctionDecl *Callee = Call->getDirectCallee();
        Callee && Callee->getIdentifier() &&
        (Callee->getName().contains_insensitive("wait") ||
         Callee->getName().contains_insensitive("alloc")))
      return false;
  return llvm::all_of(S.children(), [](const Stmt *Child) {
    return !Child || isShort(*Child);
  });
}

} // namespace linesman::tidy
