// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only what is certainly the object counts here, by name or as the argument of
// a call whose summary says what becomes of it; flow is the other half's
// business.

#include "Analysis/Addresses/SentinelUses.h"
#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Addresses/StaticReach.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

bool isNullPointer(const Expr &E, const ASTContext &Unit) {
  return E.isNullPointerConstant(const_cast<ASTContext &>(Unit),
                                 Expr::NPC_ValueDependentIsNotNull);
}

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

SentinelUses::SentinelUses(const UnitCode &Code, FunctionSummaries &Summaries)
    : Summaries(Summaries) {
  for (const FieldDecl *Field : Code.initializedFields())
    addDefault(Field->getType(), Field->getInClassInitializer());
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

void SentinelUses::addDefault(QualType Type, const Expr *Init) {
  if (Init && (Type->isPointerType() || Type->isRecordType()))
    // An object of the static's own type would be a copy of it.
    if (const VarDecl *Object = keptStatic(*Init, Summaries);
        Object && !Object->getASTContext().hasSameUnqualifiedType(
                      Type, Object->getType()))
      add(Object, SentinelUse::Default, Init->getExprLoc());
}

void SentinelUses::readAssignment(const Expr &Value, bool GivesUp,
                                  SourceLocation Location) {
  if (GivesUp)
    add(keptStatic(Value, Summaries), SentinelUse::Replacement, Location);
}

void SentinelUses::readCall(const CallExpr &Call, bool GivesUp) {
  std::optional<CallParts> Parts = callParts(Call);
  if (!Parts)
    return;
  if (isStandardFunction(Parts->Callee, "exchange") &&
      Parts->Arguments.size() == 2 && !Parts->Object) {
    const Expr &New = *Parts->Arguments[1];
    if (New.getType()->isPointerType())
      add(certainStatic(New), SentinelUse::Replacement, New.getExprLoc());
    return;
  }
  // r = &nil, r == &nil, r.set(&nil), is(r, &nil): only with a pointer to the
  // object, or its name, among the arguments is there anything to say.
  for (const Expr *Argument : Parts->Arguments) {
    const VarDecl *Object = certainStatic(*Argument);
    if (!Object)
      continue;
    const FunctionSummary &Summary = Summaries.of(*Parts->Callee);
    for (const FunctionSummary::Test &Tested : Summary.Tests)
      if (Parts->argumentFor(Tested.Other) == Argument)
        add(Object, SentinelUse::Comparison, Argument->getExprLoc());
    if (GivesUp && Parts->Object && keptStatic(Call, Summaries) == Object)
      add(Object, SentinelUse::Replacement, Argument->getExprLoc());
  }
}

void SentinelUses::readFunction(const FunctionCode &Code) {
  for (const ParmVarDecl *Parameter : Code.Function->parameters())
    if (Parameter->hasDefaultArg() &&
        !Parameter->hasUninstantiatedDefaultArg() &&
        !Parameter->hasUnparsedDefaultArg())
      addDefault(Parameter->getType(), Parameter->getDefaultArg());
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Code.Function))
    for (const CXXCtorInitializer *Init : Constructor->inits())
      if (Init->isAnyMemberInitializer())
        addDefault(Init->getAnyMember()->getType(), Init->getInit());
  const bool GivesUp = givesUp(*Code.Function);
  for (const Stmt *Node : Code.Statements) {
    if (const auto *Binary = dyn_cast<BinaryOperator>(Node)) {
      if (!Binary->getLHS()->getType()->isPointerType())
        continue;
      if (Binary->isEqualityOp()) {
        const VarDecl *Left = certainStatic(*Binary->getLHS());
        const VarDecl *Right = certainStatic(*Binary->getRHS());
        if (!Left != !Right)
          add(Left ? Left : Right, SentinelUse::Comparison,
              Binary->getOperatorLoc());
      } else if (Binary->getOpcode() == BO_Assign) {
        readAssignment(*Binary->getRHS(), GivesUp, Binary->getOperatorLoc());
      }
    } else if (const auto *Choice = dyn_cast<ConditionalOperator>(Node)) {
      if (!Choice->getType()->isPointerType())
        continue;
      const VarDecl *First = certainStatic(*Choice->getTrueExpr());
      const VarDecl *Second = certainStatic(*Choice->getFalseExpr());
      const Expr &Other =
          First ? *Choice->getFalseExpr() : *Choice->getTrueExpr();
      // `failed ? NULL : &file` has no other object: here NULL is nothing.
      if (!First != !Second &&
          !isNullPointer(Other, Code.Function->getASTContext()))
        add(First ? First : Second, SentinelUse::Fallback,
            Choice->getQuestionLoc());
    } else if (const auto *Call = dyn_cast<CallExpr>(Node)) {
      readCall(*Call, GivesUp);
    }
  }
}

} // namespace linesman::tidy
