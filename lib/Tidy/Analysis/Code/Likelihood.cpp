// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/Likelihood.h"
#include "Analysis/Code/ParallelRegions.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"

using namespace clang;

namespace linesman::tidy {

namespace {

std::optional<bool> negated(std::optional<bool> Outcome) {
  if (Outcome)
    return !*Outcome;
  return std::nullopt;
}

std::optional<bool> outcomeOf(const Expr &E, const ASTContext &Unit) {
  bool Value = false;
  if (!E.isValueDependent() && E.EvaluateAsBooleanCondition(Value, Unit))
    return Value;
  return std::nullopt;
}

const Stmt *lastOf(const Stmt *S) {
  while (S) {
    if (const auto *Block = dyn_cast<CompoundStmt>(S))
      S = Block->body_empty() ? nullptr : Block->body_back();
    else if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
      S = Attributed->getSubStmt();
    else
      return S;
  }
  return nullptr;
}

/// abort(), a failed assertion; and what goes wrong in C++.
bool neverReturns(const Stmt *Branch) {
  const auto *Last = dyn_cast_if_present<Expr>(lastOf(Branch));
  if (!Last)
    return false;
  Last = Last->IgnoreParenImpCasts();
  if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(Last))
    Last = Cleanups->getSubExpr();
  if (isa<CXXThrowExpr>(Last))
    return true;
  const auto *Call = dyn_cast<CallExpr>(Last);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && (Callee->isNoReturn() ||
                    Callee->getBuiltinID() == Builtin::BI__builtin_trap ||
                    Callee->getBuiltinID() == Builtin::BI__builtin_unreachable);
}

} // namespace

std::optional<bool> expectedOutcome(const Expr &Condition,
                                    const ASTContext &Unit) {
  const Expr *E = Condition.IgnoreParenImpCasts();
  if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
    return expectedOutcome(*Cast->getSubExpr(), Unit);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && Unary->getOpcode() == UO_LNot)
    return negated(expectedOutcome(*Unary->getSubExpr(), Unit));
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->isEqualityOp()) {
      // likely(x) == 0, (unlikely(x)) != 0.
      std::optional<bool> Left = expectedOutcome(*Binary->getLHS(), Unit);
      if (!Left)
        return std::nullopt;
      std::optional<bool> Right = outcomeOf(*Binary->getRHS(), Unit);
      if (!Right)
        return std::nullopt;
      return (*Left == *Right) == (Binary->getOpcode() == BO_EQ);
    }
    if (!Binary->isLogicalOp())
      return std::nullopt;
    std::optional<bool> Left = expectedOutcome(*Binary->getLHS(), Unit);
    std::optional<bool> Right = expectedOutcome(*Binary->getRHS(), Unit);
    // One that is expected false decides a &&, one that is true a ||.
    const bool Decisive = Binary->getOpcode() == BO_LOr;
    if (Left == Decisive || Right == Decisive)
      return Decisive;
    return Left && Right ? std::optional<bool>(!Decisive) : std::nullopt;
  }
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || Call->getNumArgs() < 2)
    return std::nullopt;
  switch (Callee->getBuiltinID()) {
  case Builtin::BI__builtin_expect:
  case Builtin::BI__builtin_expect_with_probability:
    return outcomeOf(*Call->getArg(1), Unit);
  default:
    return std::nullopt;
  }
}

/// A variable that each thread has one of, outside of calls.
static const VarDecl *ownVariable(const Stmt &S) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    return Var && isPerThread(*Var) ? Var : nullptr;
  }
  for (const Stmt *Child : S.children())
    if (const VarDecl *Found = Child ? ownVariable(*Child) : nullptr)
      return Found;
  return nullptr;
}

static bool assigns(const Stmt &S, const VarDecl &Var) {
  if (const auto *Binary = dyn_cast<BinaryOperator>(&S);
      Binary && Binary->getOpcode() == BO_Assign) {
    const auto *Ref =
        dyn_cast<DeclRefExpr>(Binary->getLHS()->IgnoreParenCasts());
    if (Ref && Ref->getDecl() == &Var)
      return true;
  }
  return llvm::any_of(S.children(), [&](const Stmt *Child) {
    return Child && assigns(*Child, Var);
  });
}

/// if (own_number < 0) own_number = next++; : once a thread.
static bool isFirstTime(const Expr *Condition, const Stmt &Branch) {
  const VarDecl *Own = Condition ? ownVariable(*Condition) : nullptr;
  return Own && assigns(Branch, *Own);
}

/// The variable that an operand reads, an atomic one by its conversion.
static const VarDecl *readVariable(const Expr &Operand) {
  const Expr *E = Operand.IgnoreImplicit()->IgnoreParenImpCasts();
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E);
      Call && Call->getNumArgs() == 0)
    E = Call->getImplicitObjectArgument()->IgnoreParenImpCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

/// if (seen <= 10) ++seen; of a static local: the first ten times, as whoever
/// reports only those counts them.
static bool isFirstTimes(const Expr *Condition, const Stmt &Branch) {
  const auto *Test =
      Condition ? dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts())
                : nullptr;
  const VarDecl *Seen =
      Test && (Test->getOpcode() == BO_LT || Test->getOpcode() == BO_LE)
          ? readVariable(*Test->getLHS())
          : nullptr;
  if (!Seen || !Seen->isStaticLocal())
    return false;
  const Stmt *Only = &Branch;
  if (const auto *Block = dyn_cast<CompoundStmt>(Only))
    Only = Block->size() == 1 ? Block->body_front() : nullptr;
  const auto *Counting = dyn_cast_if_present<Expr>(Only);
  Counting = Counting ? Counting->IgnoreParens() : nullptr;
  if (const auto *Unary = dyn_cast_if_present<UnaryOperator>(Counting))
    return Unary->isIncrementOp() && readVariable(*Unary->getSubExpr()) == Seen;
  const auto *Operator = dyn_cast_if_present<CXXOperatorCallExpr>(Counting);
  return Operator && Operator->getOperator() == OO_PlusPlus &&
         Operator->getNumArgs() != 0 &&
         readVariable(*Operator->getArg(0)) == Seen;
}

/// `if (g_once_init_enter(&type))`: GLib lets one thread in, a single time.
static bool entersOnce(const Stmt &Condition) {
  const auto *Call = dyn_cast<CallExpr>(&Condition);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (Callee && Callee->getIdentifier() &&
      Callee->getName().starts_with("g_once_init_enter"))
    return true;
  return llvm::any_of(Condition.children(), [](const Stmt *Child) {
    return Child && entersOnce(*Child);
  });
}

bool isRareBranch(const Expr *Condition, bool Outcome, const Stmt *Branch,
                  const ASTContext &Unit) {
  if (!Branch)
    return false;
  if (Condition && expectedOutcome(*Condition, Unit) == !Outcome)
    return true;
  if (Outcome && (isFirstTimes(Condition, *Branch) ||
                  (Condition && entersOnce(*Condition))))
    return true;
  return Stmt::getLikelihood(Branch) == Stmt::LH_Unlikely ||
         neverReturns(Branch) || isFirstTime(Condition, *Branch);
}

bool isExpectedToLeave(const Stmt &S, const ASTContext &Unit) {
  const auto *If = dyn_cast<IfStmt>(&S);
  if (!If || If->getElse() || !If->getCond())
    return false;
  return isa_and_nonnull<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt>(
             lastOf(If->getThen())) &&
         (expectedOutcome(*If->getCond(), Unit) == true ||
          Stmt::getLikelihood(If->getThen()) == Stmt::LH_Likely);
}

} // namespace linesman::tidy
