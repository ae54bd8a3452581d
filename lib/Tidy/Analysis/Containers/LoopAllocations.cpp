// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Containers/LoopAllocations.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Containers/LineAllocations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include <optional>

using namespace clang;

namespace linesman::tidy {

namespace {

uint64_t sizeOf(QualType Type, const ASTContext &Unit) {
  return Type->isIncompleteType() || Type->isDependentType()
             ? 0
             : Unit.getTypeSizeInChars(Type).getQuantity();
}

void readNew(const CXXNewExpr &New, LoopAllocation &Found,
             const ASTContext &Unit) {
  const FunctionDecl *Operator = New.getOperatorNew();
  if (New.getNumPlacementArgs() != 0 || New.passAlignment() ||
      (Operator && isa<CXXMethodDecl>(Operator)))
    return;
  Found.Type = New.getAllocatedType();
  Found.IsNew = true;
  std::optional<uint64_t> Count = 1;
  if (New.isArray())
    Count = New.getArraySize() && *New.getArraySize()
                ? constantOf(*New.getArraySize(), Unit)
                : std::nullopt;
  Found.Size = Count.value_or(0) * sizeOf(Found.Type, Unit);
}

void readMalloc(const CallExpr &Call, QualType Pointer, LoopAllocation &Found,
                const ASTContext &Unit) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getIdentifier() || !Pointer->isPointerType())
    return;
  std::optional<uint64_t> Size;
  if (Callee->getName() == "malloc" && Call.getNumArgs() == 1) {
    Size = constantOf(Call.getArg(0), Unit);
  } else if (Callee->getName() == "calloc" && Call.getNumArgs() == 2) {
    std::optional<uint64_t> Count = constantOf(Call.getArg(0), Unit);
    Size = constantOf(Call.getArg(1), Unit);
    if (Size)
      Size = Count.value_or(0) * *Size;
  }
  Found.Type = Pointer->getPointeeType();
  Found.Size = Size.value_or(0);
}

/// What the pointer, plain or smart, that \p E gives was just made for.
LoopAllocation allocatedBy(const Expr *E, const ASTContext &Unit) {
  LoopAllocation Found;
  QualType Pointer = E->getType();
  for (;;) {
    E = E->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      if (Cast->getType()->isPointerType() &&
          !Cast->getType()->isVoidPointerType())
        Pointer = Cast->getType();
      E = Cast->getSubExpr();
    } else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E)) {
      E = Temporary->getSubExpr();
    } else if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(E)) {
      E = Bound->getSubExpr();
    } else if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(E)) {
      E = Cleanups->getSubExpr();
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
               Construct && Construct->getNumArgs() != 0) {
      E = Construct->getArg(0);
    } else {
      break;
    }
  }
  Found.Site = E;
  if (const auto *New = dyn_cast<CXXNewExpr>(E)) {
    readNew(*New, Found, Unit);
  } else if (const auto *Call = dyn_cast<CallExpr>(E)) {
    if (QualType Type = madeByLibrary(*Call);
        !Type.isNull() && !Type->isArrayType()) {
      Found.Type = Type;
      Found.Size = sizeOf(Type, Unit);
      Found.IsNew = true;
    } else {
      readMalloc(*Call, Pointer, Found, Unit);
    }
  }
  return Found;
}

bool isPush(const CXXMethodDecl *Method) {
  return Method && Method->getIdentifier() &&
         (Method->getName() == "push_back" ||
          Method->getName() == "emplace_back");
}

} // namespace

std::vector<LoopAllocation> loopAllocations(const UnitAccesses &Accesses) {
  std::vector<LoopAllocation> All;
  auto Add = [&](const Expr &Value, const ValueDecl &Array) {
    LoopAllocation Found = allocatedBy(&Value, Accesses.unit());
    Found.Array = &Array;
    if (Found.Size != 0)
      All.push_back(Found);
  };
  for (const Access &Use : Accesses.all()) {
    if (!Use.Loop || !Use.writes())
      continue;
    const Expr *Value = nullptr;
    const ValueDecl *Array = Use.Object.Array;
    const Expr *Site = Use.Site->IgnoreParens();
    if (const auto *Binary = dyn_cast<BinaryOperator>(Site);
        Binary && Binary->getOpcode() == BO_Assign) {
      Value = Binary->getRHS();
    } else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Site);
               Operator && Operator->getOperator() == OO_Equal &&
               Operator->getNumArgs() == 2) {
      Value = Operator->getArg(1);
    } else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Site);
               Member && Member->getMethodDecl() &&
               Member->getMethodDecl()->getIdentifier() &&
               Member->getNumArgs() == 1) {
      if (isPush(Member->getMethodDecl()))
        Array = Use.Object.name();
      else if (Member->getMethodDecl()->getName() != "reset")
        continue;
      Value = Member->getArg(0);
    }
    if (!Value || !Array)
      continue;
    Add(*Value, *Array);
  }
  // A container of the function's own is no place that accesses tell of.
  for (const UnitAccesses::CallSite &Site : Accesses.calls()) {
    const auto *Member =
        Site.Loop ? dyn_cast<CXXMemberCallExpr>(Site.Call) : nullptr;
    const VarDecl *Local =
        Member && isPush(Member->getMethodDecl()) && Member->getNumArgs() == 1
            ? variableOf(*Member->getImplicitObjectArgument())
            : nullptr;
    if (Local && Local->hasLocalStorage() &&
        !Local->getType()->isReferenceType())
      Add(*Member->getArg(0), *Local);
  }
  return All;
}

} // namespace linesman::tidy
