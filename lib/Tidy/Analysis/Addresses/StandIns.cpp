// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Addresses/StandIns.h"
#include "Analysis/Code/Conditions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// What conditions ask of a parameter, other than whether it is null.
class QuestionFinder : public RecursiveASTVisitor<QuestionFinder> {
public:
  explicit QuestionFinder(const ParmVarDecl &Parameter)
      : Parameter(Parameter) {}

  bool VisitIfStmt(IfStmt *If) { return look(If->getCond()); }
  bool VisitConditionalOperator(ConditionalOperator *Choice) {
    return look(Choice->getCond());
  }
  bool VisitSwitchStmt(SwitchStmt *Switch) { return look(Switch->getCond()); }

  bool HasAsked = false;

private:
  /// The pointer itself in a test for null, or in one of identity, which
  /// whoever asks knows of.
  bool isBare(const Expr &Condition) const {
    const Expr *Value = Condition.IgnoreParenImpCasts();
    if (const auto *Not = dyn_cast<UnaryOperator>(Value))
      return Not->getOpcode() == UO_LNot && isBare(*Not->getSubExpr());
    if (const auto *Binary = dyn_cast<BinaryOperator>(Value);
        Binary && Binary->isEqualityOp())
      return isBare(*Binary->getLHS());
    const auto *Name = dyn_cast<DeclRefExpr>(Value);
    return Name && Name->getDecl() == &Parameter;
  }
  bool mentions(const Stmt &S) const {
    if (const auto *Name = dyn_cast<DeclRefExpr>(&S))
      if (Name->getDecl() == &Parameter)
        return true;
    return llvm::any_of(S.children(), [&](const Stmt *Child) {
      return Child && mentions(*Child);
    });
  }
  bool look(const Expr *Condition) {
    HasAsked |= Condition && mentions(*Condition) && !isBare(*Condition);
    return !HasAsked;
  }

  const ParmVarDecl &Parameter;
};

/// Whether nothing is known to arrive, and it is no null: an object from
/// somewhere.
bool isOther(const Expr &Value, const ASTContext &Unit) {
  return !Value.isValueDependent() &&
         Value.IgnoreParenCasts()->isNullPointerConstant(
             const_cast<ASTContext &>(Unit),
             Expr::NPC_ValueDependentIsNotNull) == Expr::NPCK_NotNull;
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
  QuestionFinder Questions(*Parameter);
  Questions.TraverseStmt(Function.getBody());
  if (Questions.HasAsked)
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
