// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/GivenFunctions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

const Expr &bareArgument(const Expr &Argument) {
  const Expr *E = &Argument;
  for (;;) {
    const Expr *Inner = E->IgnoreParenCasts()->IgnoreUnlessSpelledInSource();
    if (const auto *Call = dyn_cast<CallExpr>(Inner))
      if (const FunctionDecl *Callee = Call->getDirectCallee();
          Callee && Callee->getIdentifier() &&
          (Callee->getName() == "ref" || Callee->getName() == "move") &&
          Call->getNumArgs() == 1) {
        E = Call->getArg(0);
        continue;
      }
    return *Inner;
  }
}

const LambdaExpr *lambdaOf(const Expr &Given) {
  const Expr *First = &Given;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(First)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var || !Var->hasInit() || Var->getInit()->isValueDependent())
      return nullptr;
    First = &bareArgument(*Var->getInit());
  }
  return dyn_cast<LambdaExpr>(First);
}

const FunctionDecl *entryOf(const Expr &Given) {
  const Expr *First = &bareArgument(Given);
  if (const auto *Unary = dyn_cast<UnaryOperator>(First))
    First = Unary->getSubExpr()->IgnoreParenCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(First))
    if (const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl()))
      return Function;
  const LambdaExpr *Lambda = lambdaOf(*First);
  return Lambda ? Lambda->getCallOperator() : nullptr;
}

} // namespace linesman::tidy
