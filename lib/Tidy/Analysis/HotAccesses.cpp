// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asked only about candidates, so locks and callers are looked up lazily.

#include "Analysis/HotAccesses.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

AccessKind HotAccesses::kindOf(const Access &Each) const {
  if (Each.Kind != AccessKind::Mutate)
    return Each.Kind;
  if (callsAtomicUpdate(Each))
    return AccessKind::Update;
  const FieldDecl *Field = Each.Object.field();
  // locks[i], by whatever container.
  const bool IsElement =
      Each.Object.Index && (!Field || Field == Each.Object.Array);
  QualType Type = IsElement          ? Each.Object.ElementType
                  : Field            ? Field->getType()
                  : Each.Object.Root ? Each.Object.Root->getType()
                                     : QualType();
  if (Type.isNull())
    return Each.Kind;
  if (Kinds.isSynchronization(Type))
    return AccessKind::Update;
  if (Kinds.isAtomic(Type)) {
    switch (Kinds.operationOf(*Each.Site)) {
    case AtomicOperation::Load:
      return AccessKind::Read;
    case AtomicOperation::Store:
    case AtomicOperation::Clear:
      return AccessKind::Write;
    default:
      return AccessKind::Update;
    }
  }
  return Each.Kind;
}

bool HotAccesses::isAtomic(const Access &Each) const {
  if (Each.Atomic != AtomicOperation::None || callsAtomicUpdate(Each))
    return true;
  const FieldDecl *Field = Each.Object.field();
  if (Field)
    return Kinds.isAtomic(Field->getType());
  return Each.Object.Root && Kinds.isAtomic(Each.Object.Root->getType());
}

bool HotAccesses::callsAtomicUpdate(const Access &Each) const {
  if (!Each.writes() || Each.Atomic != AtomicOperation::None)
    return false;
  const Expr *Site = Each.Site->IgnoreParens();
  const FunctionDecl *Callee = nullptr;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Site))
    Callee = Member->getMethodDecl();
  else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Site))
    Callee = Operator->getDirectCallee();
  if (!isa_and_nonnull<CXXMethodDecl>(Callee))
    return false;
  // Nothing but the counting: a method that does more is somebody's operation,
  // and the count in it a detail (a version, a generation).
  bool Counts = false;
  for (unsigned Index : Accesses.in(*Callee)) {
    const Access &Inner = Accesses.all()[Index];
    if (!Inner.writes())
      continue;
    if (!Inner.Object.IsThis || Inner.IsConditional || Inner.Object.Index ||
        Inner.Atomic != AtomicOperation::FetchModify)
      return false;
    Counts = true;
  }
  return Counts;
}

bool HotAccesses::isPlainCounting(const Access &Each) {
  if (Each.IsResultUsed)
    return false;
  const Expr *Counter = nullptr;
  const Expr *Site = Each.Site->IgnoreParens();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Site))
    Counter = Unary->isIncrementDecrementOp() ? Unary->getSubExpr() : nullptr;
  else if (const auto *Binary = dyn_cast<BinaryOperator>(Site))
    Counter = Binary->getOpcode() == BO_AddAssign ||
                      Binary->getOpcode() == BO_SubAssign
                  ? Binary->getLHS()
                  : nullptr;
  return Counter && (Counter->getType()->isIntegerType() ||
                     Counter->getType()->isFloatingType());
}

bool HotAccesses::isOnOperationPath(const Access &Each) {
  if (Each.IsConstruction || Each.IsRare)
    return false;
  // What threads repeat in a region is no start-up because main() has it.
  if (Each.IsInRegion && Each.Loop && Each.Function && Each.Function->isMain())
    return true;
  return Paths.isOperation(Each.Function);
}

bool HotAccesses::isLocked(const Access &Each) {
  if (Each.Object.Root && LockEvidence::isGuarded(*Each.Object.Root))
    return true;
  for (const FieldDecl *Field : Each.Object.Path)
    if (LockEvidence::isGuarded(*Field))
      return true;
  // A lock that guards a container guards its elements.
  if (Each.Object.Array && LockEvidence::isGuarded(*Each.Object.Array))
    return true;
  return !Locks
              .heldAt(Each.code(),
                      [&](const FunctionDecl &Function) {
                        return Accesses.callersOf(Function);
                      })
              .empty();
}

bool HotAccesses::isReadBefore(const Access &Each) const {
  if (!Each.Function)
    return false;
  for (unsigned Index : Accesses.in(*Each.Function)) {
    const Access &Other = Accesses.all()[Index];
    if (&Other == &Each)
      return false;
    if ((Other.Kind == AccessKind::Read || Other.IsResultUsed) &&
        Other.Kind != AccessKind::Address && Other.Object.isSameAs(Each.Object))
      return true;
  }
  return false;
}

} // namespace linesman::tidy
