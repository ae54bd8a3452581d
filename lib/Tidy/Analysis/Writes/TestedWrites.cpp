// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Writes/TestedWrites.h"
#include "Analysis/Code/Conditions.h"
#include "Analysis/Code/StmtPath.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace linesman::tidy {

namespace {

bool dependsOnParameter(const Stmt &Root) {
  if (const auto *Reference = dyn_cast<DeclRefExpr>(&Root))
    return isa<ParmVarDecl>(Reference->getDecl());
  return llvm::any_of(Root.children(), [](const Stmt *Child) {
    return Child && dependsOnParameter(*Child);
  });
}

/// The condition of a statement around \p Inner that \p Test is in; null if
/// there is none.
const Expr *conditionAround(const Expr &Test, const Stmt &Inner,
                            const Parents &Enclosing) {
  for (const Stmt *Outer = Enclosing.of(Inner); Outer;
       Outer = Enclosing.of(*Outer)) {
    const Expr *Condition = nullptr;
    if (const auto *If = dyn_cast<IfStmt>(Outer))
      Condition = If->getCond();
    else if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(Outer))
      Condition = Choice->getCond();
    else if (const auto *Loop = dyn_cast<WhileStmt>(Outer))
      Condition = Loop->getCond();
    else if (const auto *Binary = dyn_cast<BinaryOperator>(Outer);
             Binary && Binary->isLogicalOp())
      Condition = Binary->getLHS();
    if (Condition && contains(*Condition, Test))
      return Condition;
  }
  return nullptr;
}

bool mayLeave(const Stmt *Branch) {
  if (!Branch)
    return false;
  const auto *Call = dyn_cast<CallExpr>(Branch);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt, CXXThrowExpr>(
             Branch) ||
         (Callee && Callee->isNoReturn()) ||
         llvm::any_of(Branch->children(), mayLeave);
}

/// if (!known) value = 1; : what comes behind it runs either way.
bool decidesNothingBehind(const Expr &Test, const Parents &Enclosing) {
  const Stmt *Outer = Enclosing.of(Test);
  while (isa_and_nonnull<Expr>(Outer))
    Outer = Enclosing.of(*Outer);
  const auto *If = dyn_cast_if_present<IfStmt>(Outer);
  return If && contains(*If->getCond(), Test) && !mayLeave(If->getThen()) &&
         !mayLeave(If->getElse());
}

/// a == b, also by an operator of their class, strcmp(a, b) == 0, a.equals(b).
bool comparesWithParameter(const Expr &Test) {
  const Expr *Inner = Test.IgnoreUnlessSpelledInSource();
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner)) {
    if (Binary->getOpcode() == BO_LAnd)
      return comparesWithParameter(*Binary->getLHS()) ||
             comparesWithParameter(*Binary->getRHS());
    return Binary->isEqualityOp() && dependsOnParameter(*Binary);
  }
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Inner))
    return (Operator->getOperator() == OO_EqualEqual ||
            Operator->getOperator() == OO_ExclaimEqual) &&
           dependsOnParameter(*Operator);
  const auto *Call = dyn_cast<CallExpr>(Inner);
  return Call && Call->getType()->isBooleanType() &&
         llvm::any_of(Call->arguments(), [](const Expr *Argument) {
           return dependsOnParameter(*Argument);
         });
}

/// Compared with what the caller asks for: not "is it there yet?" but "is it
/// the one?", and every thread asks for another one. `last && last->key == key`
/// is one test.
bool isCacheKeyTest(const Expr &Test, const Parents &Enclosing) {
  const Expr *Whole = &Test;
  while (const Stmt *Outer = Enclosing.of(*Whole)) {
    const auto *Binary = dyn_cast<BinaryOperator>(Outer);
    const auto *Unary = dyn_cast<UnaryOperator>(Outer);
    const bool IsPartOfTest =
        isa<CastExpr, ParenExpr, MemberExpr, MaterializeTemporaryExpr,
            ExprWithCleanups, CallExpr>(Outer) ||
        (Unary && Unary->getOpcode() == UO_Deref) ||
        (Binary && (Binary->getOpcode() == BO_LAnd || Binary->isEqualityOp()));
    if (!IsPartOfTest)
      break;
    Whole = cast<Expr>(Outer);
  }
  return comparesWithParameter(*Whole);
}

/// a != b, !(a == b), !same(a, b), for what the caller asks for; also as one of
/// several reasons to look again.
bool isCacheMissTest(const Expr &Test) {
  const Expr *Inner = Test.IgnoreUnlessSpelledInSource();
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner)) {
    if (Binary->getOpcode() == BO_LOr)
      return isCacheMissTest(*Binary->getLHS()) ||
             isCacheMissTest(*Binary->getRHS());
    return Binary->getOpcode() == BO_NE && dependsOnParameter(*Binary);
  }
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Inner))
    return Operator->getOperator() == OO_ExclaimEqual &&
           dependsOnParameter(*Operator);
  const auto *Unary = dyn_cast<UnaryOperator>(Inner);
  return Unary && Unary->getOpcode() == UO_LNot &&
         comparesWithParameter(*Unary->getSubExpr());
}

} // namespace

bool isTestedBefore(const UnitAccesses &Accesses, const Access &Write,
                    const FunctionDecl *Lambda) {
  llvm::SmallPtrSet<const FieldDecl *, 4> Written;
  auto AddWrittenIn = [&](llvm::ArrayRef<unsigned> Code) {
    for (unsigned Index : Code) {
      const Access &Use = Accesses.all()[Index];
      if (Use.writes() && Use.Object.field() &&
          Use.Object.IsThis == Write.Object.IsThis &&
          Use.Object.Base == Write.Object.Base)
        Written.insert(Use.Object.field());
    }
  };
  llvm::ArrayRef<unsigned> Indices = Accesses.in(*Write.Function);
  AddWrittenIn(Indices);
  if (Lambda)
    AddWrittenIn(Accesses.in(*Lambda));
  std::optional<Parents> Enclosing;
  for (unsigned Index : Indices) {
    const Access &Test = Accesses.all()[Index];
    if (&Test == &Write)
      break;
    // A flag that is written together with the value stands for it.
    if (Test.Kind != AccessKind::Read || !Test.IsInCondition ||
        !Written.contains(Test.Object.field()) ||
        Test.Object.IsThis != Write.Object.IsThis ||
        Test.Object.Base != Write.Object.Base)
      continue;
    if (!Enclosing)
      Enclosing.emplace(*Write.Function);
    const Expr *Condition =
        conditionAround(*Test.Site, *Write.Site, *Enclosing);
    if (!Condition && decidesNothingBehind(*Test.Site, *Enclosing))
      continue;
    // Who stores no more than what was asked for may be a setter.
    const bool IsForOneRequest =
        Condition ? Written.size() > 1 && isCacheMissTest(*Condition)
                  : isCacheKeyTest(*Test.Site, *Enclosing);
    if (!IsForOneRequest)
      return true;
  }
  return false;
}

} // namespace linesman::tidy
