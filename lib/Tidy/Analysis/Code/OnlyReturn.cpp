// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/OnlyReturn.h"
#include "Analysis/Code/VisibleBody.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// Calls and writes in \p S, and whether each call is one that does not
/// return.
struct Effects {
  bool Ends = false, HasOthers = false;

  void read(const Stmt &S) {
    if (const auto *Call = dyn_cast<CallExpr>(&S)) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      const auto *Method = dyn_cast_if_present<CXXMethodDecl>(Callee);
      if (Callee && Callee->isNoReturn())
        Ends = true;
      else if (!(Callee && Callee->getBuiltinID()) &&
               !(Method && Method->isConst()))
        HasOthers = true;
    }
    if (const auto *Binary = dyn_cast<BinaryOperator>(&S))
      HasOthers |= Binary->isAssignmentOp();
    if (const auto *Unary = dyn_cast<UnaryOperator>(&S))
      HasOthers |= Unary->isIncrementDecrementOp();
    for (const Stmt *Child : S.children())
      if (Child)
        read(*Child);
  }
};

/// What is compared with a number, or negated, if anything is.
const Expr *testedIn(const Expr &Test) {
  const Expr *Value = Test.IgnoreParenImpCasts();
  if (const auto *Not = dyn_cast<UnaryOperator>(Value))
    return Not->getOpcode() == UO_LNot ? testedIn(*Not->getSubExpr()) : Value;
  const auto *Binary = dyn_cast<BinaryOperator>(Value);
  if (!Binary || !Binary->isEqualityOp())
    return Value;
  return isa<IntegerLiteral, CXXBoolLiteralExpr>(
             Binary->getRHS()->IgnoreParenImpCasts())
             ? testedIn(*Binary->getLHS())
             : Value;
}

} // namespace

bool isAssertion(const Stmt &S) {
  if (isa<NullStmt>(S))
    return true;
  Effects Found;
  Found.read(S);
  const auto *Value = dyn_cast<Expr>(&S);
  return !Found.HasOthers && Value &&
         (Found.Ends || isa<IntegerLiteral>(Value->IgnoreParenCasts()));
}

const Expr *onlyReturn(const FunctionDecl &Function) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(visibleBody(Function));
  if (!Body || Body->body_empty())
    return nullptr;
  unsigned Locals = 0;
  for (const Stmt *Part : llvm::drop_end(Body->body())) {
    if (isa<DeclStmt>(Part) && Locals == 0)
      ++Locals;
    else if (!isAssertion(*Part))
      return nullptr;
  }
  const auto *Return = dyn_cast<ReturnStmt>(Body->body_back());
  return Return ? Return->getRetValue() : nullptr;
}

std::optional<NamedResult> findNamedResult(const Expr &Returned) {
  const auto *Name = dyn_cast<DeclRefExpr>(testedIn(Returned));
  const auto *Local = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  if (!Local || !Local->hasLocalStorage() || isa<ParmVarDecl>(Local) ||
      !Local->hasInit())
    return std::nullopt;
  return NamedResult{Local->getInit(), Name};
}

} // namespace linesman::tidy
