// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Threads/HandedPointers.h"
#include "Analysis/Code/GivenFunctions.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Names/WordSwitch.h"
#include "Analysis/Threads/StartCalls.h"
#include "Analysis/Threads/ThreadStarts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// Through `each.get()` and a local or two.
constexpr unsigned MaxDepth = 4;

bool isNameOf(const Expr &E, const ValueDecl &Table) {
  const Expr *Inner = E.IgnoreParenCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(Inner))
    return Member->getMemberDecl() == &Table;
  const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
  return Ref && Ref->getDecl() == &Table;
}

/// What a pointer is got from without another one being made.
bool handsOut(const CXXMethodDecl *Method) {
  return Method && Method->getIdentifier() &&
         WordSwitch<bool>(Method->getName())
             .Cases({"get", "at", "back", "front"}, true)
             .Default(false);
}

/// table[i], table[i].get(), *each, a local that is initialised with one.
bool isElementOf(const Expr &E, const ValueDecl &Table, unsigned Depth = 0) {
  if (Depth > MaxDepth)
    return false;
  const Expr &Inner = bareArgument(E);
  auto IsElement = [&](const Expr &Part) {
    return isNameOf(Part, Table) || isElementOf(Part, Table, Depth + 1);
  };
  if (const auto *Unary = dyn_cast<UnaryOperator>(&Inner))
    return isElementOf(*Unary->getSubExpr(), Table, Depth + 1);
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(&Inner))
    return isNameOf(*Subscript->getBase(), Table);
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Inner))
    return Operator->getNumArgs() != 0 && IsElement(*Operator->getArg(0));
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(&Inner))
    return handsOut(Call->getMethodDecl()) &&
           IsElement(*Call->getImplicitObjectArgument());
  const VarDecl *Local = variableOf(Inner);
  if (!Local || !Local->hasLocalStorage() || isa<ParmVarDecl>(Local))
    return false;
  if (const Expr *Range = rangeOf(*Local))
    return isNameOf(*Range, Table);
  return Local->hasInit() && !Local->getInit()->isValueDependent() &&
         isElementOf(*Local->getInit(), Table, Depth + 1);
}

/// [w = table[i].get()], [w] of such a local, [&each].
bool capturesElementOf(const LambdaExpr &Lambda, const ValueDecl &Table) {
  return llvm::any_of(Lambda.captures(), [&](const LambdaCapture &Capture) {
    const auto *Var = Capture.capturesVariable()
                          ? dyn_cast<VarDecl>(Capture.getCapturedVar())
                          : nullptr;
    if (!Var)
      return false;
    if (const Expr *Range = rangeOf(*Var))
      return isNameOf(*Range, Table);
    return !isa<ParmVarDecl>(Var) && Var->hasInit() &&
           !Var->getInit()->isValueDependent() &&
           isElementOf(*Var->getInit(), Table);
  });
}

bool isInside(const Expr &E, const Stmt &Loop, const SourceManager &Sources) {
  const SourceLocation Place = Sources.getExpansionLoc(E.getBeginLoc());
  return !Sources.isBeforeInTranslationUnit(
             Place, Sources.getExpansionLoc(Loop.getBeginLoc())) &&
         !Sources.isBeforeInTranslationUnit(
             Sources.getExpansionLoc(Loop.getEndLoc()), Place);
}

} // namespace

const UnitAccesses::CallSite *startWith(const ValueDecl &Table,
                                        const Expr &Made,
                                        const UnitAccesses &Accesses) {
  const SourceManager &Sources = Accesses.unit().getSourceManager();
  for (const UnitAccesses::CallSite &Site : Accesses.calls()) {
    if (!Site.Loop)
      continue;
    llvm::ArrayRef<const Expr *> Arguments = startedWith(*Site.Call);
    if (Arguments.empty() || isInside(Made, *Site.Loop, Sources))
      continue;
    const LambdaExpr *Lambda = lambdaOf(bareArgument(*Arguments.front()));
    if ((Lambda && capturesElementOf(*Lambda, Table)) ||
        llvm::any_of(Arguments.drop_front(), [&](const Expr *Argument) {
          return isElementOf(*Argument, Table);
        }))
      return &Site;
  }
  return nullptr;
}

} // namespace linesman::tidy
