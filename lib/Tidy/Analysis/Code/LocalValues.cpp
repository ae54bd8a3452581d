// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/LocalValues.h"
#include "Analysis/Code/ParallelRegions.h"

using namespace clang;

namespace linesman::tidy {

namespace {

bool names(const Expr &E, const VarDecl &Local) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E.IgnoreParenCasts());
  return Ref && Ref->getDecl() == &Local;
}

void find(const Stmt *S, const VarDecl &Local,
          llvm::SmallVectorImpl<const Expr *> &Values) {
  S = withoutCapture(S);
  if (!S)
    return;
  if (const auto *Binary = dyn_cast<BinaryOperator>(S);
      Binary && Binary->isAssignmentOp() && names(*Binary->getLHS(), Local))
    Values.push_back(Binary->getRHS());
  if (const auto *Unary = dyn_cast<UnaryOperator>(S);
      Unary &&
      (Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf) &&
      names(*Unary->getSubExpr(), Local))
    Values.push_back(Unary);
  for (const Stmt *Child : S->children())
    find(Child, Local, Values);
}

} // namespace

llvm::SmallVector<const Expr *, 2> assignmentsOf(const VarDecl &Local,
                                                 const FunctionDecl &Function) {
  llvm::SmallVector<const Expr *, 2> Values;
  find(Function.getBody(), Local, Values);
  return Values;
}

llvm::SmallVector<const Expr *, 2> valuesOf(const VarDecl &Local,
                                            const FunctionDecl &Function) {
  if (!Local.hasInit())
    return assignmentsOf(Local, Function);
  if (Local.getInit()->isValueDependent())
    return {};
  return {Local.getInit()};
}

} // namespace linesman::tidy
