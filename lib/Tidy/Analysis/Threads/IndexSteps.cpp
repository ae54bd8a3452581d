// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far from each other are the elements of neighbouring threads? Also where
// a small function computes the place:
//
//     data[place(bin, thread)]       place(b, t): return b + t * bins;

#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Code/OnlyReturn.h"
#include "Analysis/Threads/IndexOrigin.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

const Expr *IndexOrigin::passedFor(const Expr &Name, const Frame &Scope) {
  const auto *Parameter = dyn_cast_if_present<ParmVarDecl>(variableOf(Name));
  return Scope.Call && Parameter &&
                 Parameter->getFunctionScopeIndex() < Scope.Call->getNumArgs()
             ? Scope.Call->getArg(Parameter->getFunctionScopeIndex())
             : nullptr;
}

bool IndexOrigin::isThreadNumber(const Expr &Index, const Frame &Scope,
                                 unsigned Depth) const {
  if (const Expr *Passed = passedFor(Index, Scope))
    return isThreadNumber(*Passed, *Scope.Caller, Depth + 1);
  if (const auto *Binary = dyn_cast<BinaryOperator>(Index.IgnoreParenCasts());
      Binary && Scope.Call)
    return isThreadNumber(*Binary->getLHS(), Scope, Depth + 1) ||
           isThreadNumber(*Binary->getRHS(), Scope, Depth + 1);
  return isThreadNumber(Index, Scope.Function, Depth);
}

/// Sums and products of names and numbers, and nothing else.
static bool isPolynomial(const Expr &E) {
  const Expr *Inner = E.IgnoreParenCasts();
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner))
    return (Binary->isAdditiveOp() || Binary->getOpcode() == BO_Mul ||
            Binary->getOpcode() == BO_Shl) &&
           isPolynomial(*Binary->getLHS()) && isPolynomial(*Binary->getRHS());
  return isa<DeclRefExpr, MemberExpr, IntegerLiteral>(Inner);
}

/// The sum or product that a function is which computes an index.
static const Expr *computedBy(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
  const Expr *Value = Definition && !isa<CXXOperatorCallExpr>(Call)
                          ? onlyReturn(*Definition)
                          : nullptr;
  return Value && !Value->isValueDependent() &&
                 isa<BinaryOperator>(Value->IgnoreParenCasts()) &&
                 isPolynomial(*Value)
             ? Value
             : nullptr;
}

std::optional<uint64_t> IndexOrigin::stepOf(const Expr &Index,
                                            const Frame &Scope,
                                            unsigned Depth) const {
  if (Depth > MaxDepth)
    return 1;
  const Expr *Inner = Index.IgnoreParenCasts();
  if (const Expr *Passed = passedFor(*Inner, Scope))
    return stepOf(*Passed, *Scope.Caller, Depth + 1);
  if (const auto *Call = dyn_cast<CallExpr>(Inner))
    if (const Expr *Value = computedBy(*Call))
      return stepOf(*Value, Frame{Call->getDirectCallee(), Call, &Scope},
                    Depth + 1);
  if (const VarDecl *Var = variableOf(*Inner)) {
    if (!Var->hasLocalStorage() || isa<ParmVarDecl>(Var) || !Var->hasInit() ||
        Var->getInit()->isValueDependent())
      return 1;
    return stepOf(*Var->getInit(), Scope, Depth + 1);
  }
  const auto *Binary = dyn_cast<BinaryOperator>(Inner);
  if (!Binary)
    return 1;
  const Expr &Left = *Binary->getLHS(), &Right = *Binary->getRHS();
  auto ValueOf = [&](const Expr &E) -> std::optional<uint64_t> {
    Expr::EvalResult Result;
    if (E.isValueDependent() || !E.EvaluateAsInt(Result, Accesses.unit()))
      return std::nullopt;
    return Result.Val.getInt().getLimitedValue();
  };
  auto IsNumber = [&](const Expr &E) {
    return isThreadNumber(E, Scope, Depth + 1);
  };
  const bool IsShift = Binary->getOpcode() == BO_Shl;
  if (Binary->getOpcode() != BO_Mul && !IsShift)
    return stepOf(IsNumber(Right) && !IsNumber(Left) ? Right : Left, Scope,
                  Depth + 1);
  const bool IsFactorLeft = !IsShift && ValueOf(Left);
  std::optional<uint64_t> Factor = ValueOf(IsFactorLeft ? Left : Right);
  std::optional<uint64_t> Step =
      stepOf(IsFactorLeft ? Right : Left, Scope, Depth + 1);
  if (!Factor || !Step || (IsShift && *Factor >= 32))
    return std::nullopt;
  return IsShift ? *Step << *Factor : *Step * *Factor;
}

const Expr *IndexOrigin::rowLengthOf(const Expr &Index, const Frame &Scope,
                                     unsigned Depth) const {
  if (Depth > MaxDepth)
    return nullptr;
  const Expr *Inner = Index.IgnoreParenCasts();
  if (const Expr *Passed = passedFor(*Inner, Scope))
    return rowLengthOf(*Passed, *Scope.Caller, Depth + 1);
  if (const auto *Call = dyn_cast<CallExpr>(Inner))
    if (const Expr *Value = computedBy(*Call))
      return rowLengthOf(*Value, Frame{Call->getDirectCallee(), Call, &Scope},
                         Depth + 1);
  if (const VarDecl *Var = variableOf(*Inner))
    return Var->hasLocalStorage() && !isa<ParmVarDecl>(Var) && Var->hasInit() &&
                   !Var->getInit()->isValueDependent()
               ? rowLengthOf(*Var->getInit(), Scope, Depth + 1)
               : nullptr;
  const auto *Binary = dyn_cast<BinaryOperator>(Inner);
  if (!Binary || !(Binary->isAdditiveOp() || Binary->getOpcode() == BO_Mul))
    return nullptr;
  const Expr &Left = *Binary->getLHS(), &Right = *Binary->getRHS();
  const bool IsLeft = isThreadNumber(Left, Scope, Depth + 1);
  const bool IsRight = isThreadNumber(Right, Scope, Depth + 1);
  if (IsLeft == IsRight)
    return nullptr;
  const Expr &Number = IsLeft ? Left : Right;
  const Expr *Other = IsLeft ? &Right : &Left;
  if (Binary->isAdditiveOp())
    return rowLengthOf(Number, Scope, Depth + 1);
  for (const Frame *Outer = &Scope; Outer; Outer = Outer->Caller)
    if (const Expr *Passed = passedFor(*Other, *Outer))
      Other = Passed;
  Expr::EvalResult Constant;
  return Other->isValueDependent() ||
                 Other->EvaluateAsInt(Constant, Accesses.unit())
             ? nullptr
             : Other;
}

} // namespace linesman::tidy
