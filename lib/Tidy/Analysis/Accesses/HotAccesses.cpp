// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asked only about candidates, so locks and callers are looked up lazily.

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Accesses/FieldRoles.h"
#include "Analysis/Locks/LockWords.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

AccessKind HotAccesses::kindOf(const Access &Use) const {
  if (Use.Kind != AccessKind::Mutate)
    return Use.Kind;
  if (callsAtomicUpdate(Use))
    return AccessKind::Update;
  const FieldDecl *Field = Use.Object.field();
  // locks[i], by whatever container.
  const bool IsElement =
      Use.Object.Index && (!Field || Field == Use.Object.Array);
  QualType Type = IsElement         ? Use.Object.ElementType
                  : Field           ? Field->getType()
                  : Use.Object.Root ? Use.Object.Root->getType()
                                    : QualType();
  if (Type.isNull())
    return Use.Kind;
  if (Kinds.isSynchronization(Type))
    return AccessKind::Update;
  if (Kinds.isAtomic(Type)) {
    switch (Kinds.operationOf(*Use.Site)) {
    case AtomicOperation::Load:
      return AccessKind::Read;
    case AtomicOperation::Store:
    case AtomicOperation::Clear:
      return AccessKind::Write;
    default:
      return AccessKind::Update;
    }
  }
  return Use.Kind;
}

bool HotAccesses::isAtomic(const Access &Use) const {
  if (Use.Atomic != AtomicOperation::None || callsAtomicUpdate(Use))
    return true;
  const FieldDecl *Field = Use.Object.field();
  if (Field)
    return Kinds.isAtomic(Field->getType());
  return Use.Object.Root && Kinds.isAtomic(Use.Object.Root->getType());
}

bool HotAccesses::isVolatile(const Access &Use) {
  const FieldDecl *Field = Use.Object.field();
  if (Field
          ? Field->getType().isVolatileQualified()
          : Use.Object.Root && Use.Object.Root->getType().isVolatileQualified())
    return true;
  const Expr *Place = Use.Site->IgnoreParens();
  if (const auto *Binary = dyn_cast<BinaryOperator>(Place))
    return Binary->isAssignmentOp() &&
           Binary->getLHS()->getType().isVolatileQualified();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Place))
    return Unary->isIncrementDecrementOp() &&
           Unary->getSubExpr()->getType().isVolatileQualified();
  return false;
}

/// A sum or a step somewhere in \p Loop; to set a bit takes none.
static bool addsUp(const Stmt &Loop) {
  const auto *Binary = dyn_cast<BinaryOperator>(&Loop);
  const auto *Unary = dyn_cast<UnaryOperator>(&Loop);
  return (Binary &&
          (Binary->isAdditiveOp() || Binary->getOpcode() == BO_AddAssign ||
           Binary->getOpcode() == BO_SubAssign)) ||
         (Unary && Unary->isIncrementDecrementOp()) ||
         llvm::any_of(Loop.children(), [](const Stmt *Child) {
           return Child && addsUp(*Child);
         });
}

bool HotAccesses::callsAtomicUpdate(const Access &Use) const {
  if (!Use.writes() || Use.Atomic != AtomicOperation::None)
    return false;
  const Expr *Site = Use.Site->IgnoreParens();
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
    // The same by a loop that compares and exchanges until it has counted; not
    // until it has a lock.
    if (!hasEffect(Callee, LockEffect::Acquire) &&
        !hasEffect(Callee, LockEffect::Release) && Inner.Object.IsThis &&
        !Inner.Object.Index && Inner.Loop &&
        Inner.Atomic == AtomicOperation::CompareExchange &&
        !keepsExtreme(Inner) && addsUp(*Inner.Loop)) {
      Counts = true;
      continue;
    }
    if (!Inner.Object.IsThis || Inner.IsConditional || Inner.Object.Index ||
        Inner.Atomic != AtomicOperation::FetchModify)
      return false;
    Counts = true;
  }
  return Counts;
}

bool HotAccesses::isPlainCounting(const Access &Use) {
  if (Use.IsResultUsed)
    return false;
  const Expr *Counter = nullptr;
  const Expr *Site = Use.Site->IgnoreParens();
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

bool HotAccesses::isOnOperationPath(const Access &Use) {
  if (Use.IsConstruction || Use.IsRare)
    return false;
  // What threads repeat in a region is no start-up because main() has it.
  if (Use.IsInRegion && Use.Loop && Use.Function && Use.Function->isMain())
    return true;
  return Paths.isOperation(Use.Function);
}

bool HotAccesses::isLocked(const Access &Use) {
  if (Use.Object.Root && LockEvidence::isGuarded(*Use.Object.Root))
    return true;
  for (const FieldDecl *Field : Use.Object.Path)
    if (LockEvidence::isGuarded(*Field))
      return true;
  // A lock that guards a container guards its elements.
  if (Use.Object.Array && LockEvidence::isGuarded(*Use.Object.Array))
    return true;
  LockNames Held = Locks.heldAt(Use.code(), [&](const FunctionDecl &Function) {
    return Accesses.callersOf(Function);
  });
  if (Use.writes())
    LockEvidence::dropShared(Held);
  // Who uses an atomic operation beside a lock of a bucket knows that others
  // hold the locks of other buckets. In the bucket itself they exclude him.
  if (Use.writes() && isAtomic(Use) && !Use.Object.Index)
    llvm::erase_if(Held, LockEvidence::isOneOfMany);
  return !Held.empty();
}

bool HotAccesses::isLockedAroundLoop(const Access &Use) {
  return Use.Loop && Use.Function &&
         !Locks
              .heldAt({Use.Function, Use.Loop},
                      [&](const FunctionDecl &Function) {
                        return Accesses.callersOf(Function);
                      })
              .empty();
}

bool HotAccesses::isReadBefore(const Access &Use) const {
  if (!Use.Function)
    return false;
  for (unsigned Index : Accesses.in(*Use.Function)) {
    const Access &Other = Accesses.all()[Index];
    if (&Other == &Use)
      return false;
    if ((Other.Kind == AccessKind::Read || Other.IsResultUsed) &&
        Other.Kind != AccessKind::Address && Other.Object.isSameAs(Use.Object))
      return true;
  }
  return false;
}

} // namespace linesman::tidy
