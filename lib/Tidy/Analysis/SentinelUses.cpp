// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only what is literally the object counts here: evidence has to be certain,
// flow is the other half's business.

#include "Analysis/SentinelUses.h"
#include "Analysis/AccessPath.h"
#include "Analysis/StaticReach.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// Gives something up: what it leaves in a pointer stands for nothing.
bool givesUp(const FunctionDecl &Function) {
  if (isa<CXXDestructorDecl>(Function))
    return true;
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Function))
    return Constructor->isMoveConstructor();
  if (const auto *Method = dyn_cast<CXXMethodDecl>(&Function))
    if (Method->isMoveAssignmentOperator())
      return true;
  if (!Function.getIdentifier())
    return false;
  for (StringRef Word : {"release", "reset", "clear", "detach", "unlink",
                         "remove", "erase", "delete", "free"})
    if (Function.getName().contains_insensitive(Word))
      return true;
  return false;
}

} // namespace

SentinelUses::SentinelUses(const UnitCode &Code) {
  for (const FieldDecl *Field : Code.initializedFields()) {
    const Expr *Init = Field->getInClassInitializer();
    if (Field->getType()->isPointerType() && Init)
      add(certainStatic(*Init), SentinelUse::Default, Init->getExprLoc());
  }
  for (const FunctionCode &Function : Code.functions())
    readFunction(Function);
}

const SentinelEvidence *SentinelUses::of(const VarDecl &Object) const {
  auto Found = Evidence.find(Object.getCanonicalDecl());
  return Found == Evidence.end() ? nullptr : &Found->second;
}

void SentinelUses::add(const VarDecl *Object, SentinelUse Use,
                       SourceLocation Location) {
  if (!Object)
    return;
  auto [Place, IsNew] = Evidence.try_emplace(Object->getCanonicalDecl(),
                                             SentinelEvidence{Use, Location});
  if (!IsNew && Use < Place->second.Use)
    Place->second = {Use, Location};
}

void SentinelUses::readFunction(const FunctionCode &Code) {
  for (const ParmVarDecl *Parameter : Code.Function->parameters())
    if (Parameter->hasDefaultArg() &&
        !Parameter->hasUninstantiatedDefaultArg() &&
        !Parameter->hasUnparsedDefaultArg() &&
        Parameter->getType()->isPointerType())
      add(certainStatic(*Parameter->getDefaultArg()), SentinelUse::Default,
          Parameter->getDefaultArg()->getExprLoc());
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Code.Function))
    for (const CXXCtorInitializer *Init : Constructor->inits())
      if (Init->isAnyMemberInitializer() &&
          Init->getAnyMember()->getType()->isPointerType())
        add(certainStatic(*Init->getInit()), SentinelUse::Default,
            Init->getInit()->getExprLoc());
  const bool GivesUp = givesUp(*Code.Function);
  for (const Stmt *Each : Code.Statements) {
    if (const auto *Binary = dyn_cast<BinaryOperator>(Each)) {
      if (!Binary->getLHS()->getType()->isPointerType())
        continue;
      if (Binary->isEqualityOp()) {
        const VarDecl *Left = certainStatic(*Binary->getLHS());
        const VarDecl *Right = certainStatic(*Binary->getRHS());
        if (!Left != !Right)
          add(Left ? Left : Right, SentinelUse::Comparison,
              Binary->getOperatorLoc());
      } else if (GivesUp && Binary->getOpcode() == BO_Assign) {
        add(certainStatic(*Binary->getRHS()), SentinelUse::Replacement,
            Binary->getOperatorLoc());
      }
    } else if (const auto *Choice = dyn_cast<ConditionalOperator>(Each)) {
      if (!Choice->getType()->isPointerType())
        continue;
      const VarDecl *First = certainStatic(*Choice->getTrueExpr());
      const VarDecl *Second = certainStatic(*Choice->getFalseExpr());
      if (!First != !Second)
        add(First ? First : Second, SentinelUse::Fallback,
            Choice->getQuestionLoc());
    } else if (const auto *Call = dyn_cast<CallExpr>(Each)) {
      if (isStandardFunction(Call->getDirectCallee(), "exchange") &&
          Call->getNumArgs() == 2 && Call->getType()->isPointerType())
        add(certainStatic(*Call->getArg(1)), SentinelUse::Replacement,
            Call->getArg(1)->getExprLoc());
    }
  }
}

} // namespace linesman::tidy
