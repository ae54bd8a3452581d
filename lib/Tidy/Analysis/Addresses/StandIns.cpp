// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Addresses/StandIns.h"
#include "Analysis/Code/Conditions.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// The pointer itself in a test for null, or in one of identity, which whoever
/// asks knows of.
bool isBare(const Expr &Condition, const ParmVarDecl &Parameter) {
  const Expr *Value = Condition.IgnoreParenImpCasts();
  if (const auto *Not = dyn_cast<UnaryOperator>(Value))
    return Not->getOpcode() == UO_LNot && isBare(*Not->getSubExpr(), Parameter);
  if (const auto *Binary = dyn_cast<BinaryOperator>(Value);
      Binary && Binary->isEqualityOp())
    return isBare(*Binary->getLHS(), Parameter);
  const auto *Name = dyn_cast<DeclRefExpr>(Value);
  return Name && Name->getDecl() == &Parameter;
}

/// Whether a condition asks anything else of the parameter's object.
bool isAskedAbout(const ParmVarDecl &Parameter, const FunctionDecl &Function) {
  bool IsAsked = false;
  forEachStatement(Function.getBody(), [&](const Stmt &S) {
    const Stmt *Condition = conditionOf(S);
    if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(&S))
      Condition = Choice->getCond();
    else if (const auto *Switch = dyn_cast<SwitchStmt>(&S))
      Condition = Switch->getCond();
    const auto *Test = dyn_cast_if_present<Expr>(Condition);
    if (!Test || isBare(*Test, Parameter))
      return;
    forEachStatement(Test, [&](const Stmt &Part) {
      const auto *Name = dyn_cast<DeclRefExpr>(&Part);
      IsAsked |= Name && Name->getDecl() == &Parameter;
    });
  });
  return IsAsked;
}

/// An object from somewhere: no static one is known to arrive, and it is no
/// null.
bool isOther(const Expr &Value, ASTContext &Unit) {
  return !Value.isValueDependent() &&
         !Value.isNullPointerConstant(Unit, Expr::NPC_ValueDependentIsNotNull);
}

} // namespace

StandIns::StandIns(const UnitCode &Code, const AddressFlow &Flow) {
  for (const FunctionCode &Body : Code.functions()) {
    bool GivesOthers = false;
    llvm::MapVector<const VarDecl *, const Expr *> Given;
    for (const Stmt *Node : Body.Statements) {
      const auto *Return = dyn_cast<ReturnStmt>(Node);
      const Expr *Value = Return ? Return->getRetValue() : nullptr;
      if (!Value || !Value->getType()->isPointerType())
        continue;
      llvm::SmallVector<const Expr *, 2> Values = {Value->IgnoreParenCasts()};
      if (const auto *Choice = dyn_cast<ConditionalOperator>(Values[0]))
        Values = {Choice->getTrueExpr(), Choice->getFalseExpr()};
      for (const Expr *Part : Values) {
        auto Found = Flow.objectsOf(*Part, Body.Function);
        for (const VarDecl *Object : Found)
          Given.try_emplace(Object, Part);
        GivesOthers |=
            Found.empty() && isOther(*Part, Body.Function->getASTContext());
      }
    }
    if (GivesOthers)
      for (auto [Object, Place] : Given)
        if (!Object->getType().isConstQualified())
          Objects.try_emplace(Object, Place);
  }
}

llvm::SmallVector<const VarDecl *, 1>
StandIns::thatMayBe(const Expr &Pointer, const FunctionDecl &Function) const {
  const auto *Name = dyn_cast<DeclRefExpr>(Pointer.IgnoreParenImpCasts());
  const auto *Parameter =
      Name ? dyn_cast<ParmVarDecl>(Name->getDecl()) : nullptr;
  if (!Parameter || !Parameter->getType()->isPointerType() ||
      !Function.isExternallyVisible() || Objects.empty())
    return {};
  if (isAskedAbout(*Parameter, Function))
    return {};
  llvm::SmallVector<const VarDecl *, 1> Result;
  const ASTContext &Unit = Function.getASTContext();
  for (const auto &[Object, Place] : Objects)
    if (Unit.hasSameUnqualifiedType(Object->getType(),
                                    Parameter->getType()->getPointeeType()))
      Result.push_back(Object);
  return Result;
}

} // namespace linesman::tidy
