// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShortTurns.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Locks/LockWords.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace linesman::tidy {

bool isLongTurn(const Stmt &S, const FunctionDecl *Counting) {
  return llvm::any_of(S.children(), [=](const Stmt *Child) {
    const Stmt *Inner = withoutCapture(Child);
    if (!Inner)
      return false;
    if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(Inner))
      return true;
    if (const auto *Call = dyn_cast<CallExpr>(Inner);
        Call && !isa<CXXOperatorCallExpr>(Call)) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      const auto *Method = dyn_cast_if_present<CXXMethodDecl>(Callee);
      if (!Callee ||
          !(Callee == Counting || Callee->isInlined() ||
            Callee->getBuiltinID() || (Method && Method->isConst()) ||
            hasEffect(Callee, LockEffect::Acquire) ||
            hasEffect(Callee, LockEffect::Release)))
        return true;
    }
    return isLongTurn(*Inner, Counting);
  });
}

/// x % 64, x & 63.
static bool hasRemainder(const Stmt &S) {
  const auto *Binary = dyn_cast<BinaryOperator>(&S);
  return (Binary &&
          (Binary->getOpcode() == BO_Rem || Binary->getOpcode() == BO_And)) ||
         llvm::any_of(S.children(), [](const Stmt *Child) {
           return Child && hasRemainder(*Child);
         });
}

bool isBatched(const FunctionDecl &Function, const Expr &Counting) {
  StmtPath Path;
  return findPath(*Function.getBody(), Counting, Path) &&
         llvm::any_of(Path, [](const Stmt *Outer) {
           const auto *If = dyn_cast<IfStmt>(Outer);
           return If && hasRemainder(*If->getCond());
         });
}

} // namespace linesman::tidy
