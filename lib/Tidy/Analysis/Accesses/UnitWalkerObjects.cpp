// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From "something is done to the object that this expression names" to a
// recorded access, with the values that are read on the way to the object.

#include "Analysis/Accesses/UnitWalker.h"
#include "Analysis/Names/RecordLines.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

void UnitWalker::object(const Expr *E, AccessKind Kind, const Expr *Site,
                        AtomicOperation Atomic, bool IsUsed) {
  E = E->IgnoreParens();
  if (const auto *Conditional = dyn_cast<ConditionalOperator>(E)) {
    condition(Conditional->getCond());
    object(Conditional->getTrueExpr(), Kind, Site, Atomic, IsUsed);
    return object(Conditional->getFalseExpr(), Kind, Site, Atomic, IsUsed);
  }
  stepsTo(E);
  if (E->isGLValue() || isa<MemberExpr, DeclRefExpr>(E))
    record(Resolver.ofObject(*E), Kind, Site, Atomic, IsUsed);
}

void UnitWalker::pointee(const Expr *E, AccessKind Kind, const Expr *Site,
                         AtomicOperation Atomic, bool IsUsed) {
  const Expr *Inner = E->IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
      Unary && Unary->getOpcode() == UO_AddrOf)
    return object(Unary->getSubExpr(), Kind, Site, Atomic, IsUsed);
  if (Inner->getType()->isArrayType())
    return object(Inner, Kind, Site, Atomic, IsUsed);
  value(E);
  record(Resolver.ofPointee(*E), Kind, Site, Atomic, IsUsed);
}

void UnitWalker::stepsTo(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (Member->isArrow())
      return value(Member->getBase());
    return stepsTo(Member->getBase());
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    value(Subscript->getIdx());
    const Expr *Base = Subscript->getBase()->IgnoreParens();
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Base);
        Cast && Cast->getCastKind() == CK_ArrayToPointerDecay)
      return stepsTo(Cast->getSubExpr());
    return value(Base);
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->getOpcode() == UO_Deref) {
      // *(volatile T *)&object is the object.
      const auto *Address =
          dyn_cast<UnaryOperator>(Unary->getSubExpr()->IgnoreParenCasts());
      if (Address && Address->getOpcode() == UO_AddrOf)
        return stepsTo(Address->getSubExpr());
      return value(Unary->getSubExpr());
    }
    return value(E);
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getCastKind() == CK_LValueToRValue)
      return value(E);
    return stepsTo(Cast->getSubExpr());
  }
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E);
      Operator && Operator->getOperator() == OO_Subscript &&
      Operator->getNumArgs() == 2) {
    stepsTo(Operator->getArg(0));
    return value(Operator->getArg(1));
  }
  if (isa<DeclRefExpr, CXXThisExpr>(E))
    return;
  value(E);
}

void UnitWalker::bind(const Expr *E) {
  const Expr *Inner = E->IgnoreParenImpCasts();
  if (isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr>(Inner) &&
      Inner->isGLValue()) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
        Ref && isa<FunctionDecl>(Ref->getDecl()))
      return value(Inner);
    return object(Inner, AccessKind::Address, Inner);
  }
  // A container's element.
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Inner);
      Operator && Operator->getOperator() == OO_Subscript &&
      Operator->getNumArgs() == 2 && Inner->isGLValue())
    return object(Inner, AccessKind::Address, Inner);
  value(E);
}

void UnitWalker::lambda(const LambdaExpr &E) {
  for (const auto &[Capture, Init] :
       llvm::zip_equal(E.captures(), E.capture_inits()))
    if (Init && Capture.capturesVariable() &&
        Capture.getCaptureKind() == LCK_ByCopy)
      value(Init);
  const CXXMethodDecl *Operator = E.getCallOperator();
  if (!Operator)
    return;
  walkFunction(*Operator);
  // [&](auto &queue) { ... }: what its calls have made of it.
  if (const FunctionTemplateDecl *Pattern =
          Operator->getDescribedFunctionTemplate())
    for (const FunctionDecl *Made : Pattern->specializations())
      walkFunction(*Made);
}

void UnitWalker::record(Place Object, AccessKind Kind, const Expr *Site,
                        AtomicOperation Atomic, bool IsUsed) {
  // What is inside an atomic (C's atomic_flag has a _Value) is the atomic.
  while (!Object.Path.empty() && !Object.IsThis &&
         Kinds.kindOfRecord(*Object.Path.back()->getParent()) ==
             TypeKind::Atomic)
    Object.Path.pop_back();
  // struct atomic16 { volatile short count; }: which of them is what matters.
  while (Object.Path.size() > 1) {
    const RecordDecl *Wrapper = Object.Path.back()->getParent();
    const RecordDecl *Own =
        Object.Path[Object.Path.size() - 2]->getType()->getAsRecordDecl();
    if (Own != Wrapper ||
        std::distance(Wrapper->field_begin(), Wrapper->field_end()) != 1)
      break;
    Object.Path.pop_back();
  }
  // How far apart elements are that have an error in them is not known.
  if (!Result.isWhole() &&
      llvm::any_of(Object.elements(), [&](const Element &Part) {
        return !hasKnownLayout(Part.Type, Unit);
      }))
    return;
  // Locals are nobody's line.
  if (!Object.Root && Object.Path.empty() && !Object.Array && !Object.Base)
    return;
  if (!Object.Root && Object.Path.empty() && !Object.Array &&
      Object.IsLocalObject && !isOfThreads(Object, Kind, Atomic))
    return;
  // A copy of each thread's own.
  if (Object.Root && Privates.contains(Object.Root))
    return;
  if (Current.IsAtomic && Atomic == AtomicOperation::None)
    Atomic = Kind == AccessKind::Update  ? AtomicOperation::FetchModify
             : Kind == AccessKind::Write ? AtomicOperation::Store
                                         : AtomicOperation::None;
  Access Result;
  Result.IsInRegion = Current.Region != nullptr;
  Result.IsConstruction = isConstruction(Object, Kind);
  Result.Kind = Kind;
  Result.Atomic = Atomic;
  Result.IsResultUsed = IsUsed;
  Result.IsInCondition = Current.IsInCondition;
  Result.IsConditional = Current.IsConditional;
  Result.IsRare = Current.IsRare;
  Result.Object = std::move(Object);
  Result.Site = Site;
  Result.Function = Current.Function;
  Result.Loop = Current.Loop;
  this->Result.Accesses.push_back(std::move(Result));
}

/// What makes, replaces or ends a whole object, which no other thread may use
/// meanwhile.
static bool isOfWholeObject(const FunctionDecl &Function) {
  if (isa<CXXConstructorDecl, CXXDestructorDecl>(Function))
    return true;
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  return Method && (Method->isCopyAssignmentOperator() ||
                    Method->isMoveAssignmentOperator());
}

/// Whether \p Base is the object that such a function moves from.
static bool isMovedFrom(const VarDecl &Base, const FunctionDecl &Function) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  return Method && isOfWholeObject(Function) && isa<ParmVarDecl>(Base) &&
         Base.getType()->isRValueReferenceType() &&
         declaresSameEntity(Base.getType()->getPointeeCXXRecordDecl(),
                            Method->getParent());
}

bool UnitWalker::isConstruction(const Place &Object, AccessKind Kind) const {
  if (!Current.Function)
    return true;
  if (Object.IsThis && Kind != AccessKind::Read)
    return isOfWholeObject(*Current.Function);
  if (Object.Base && isMovedFrom(*Object.Base, *Current.Function))
    return true;
  if (Object.Array && FreshArrays.contains(Object.Array))
    return true;
  return Object.Base && ((Object.IsLocalObject && isOwn(*Object.Base)) ||
                         Fresh.contains(Object.Base));
}

bool UnitWalker::isOfThreads(const Place &Object, AccessKind Kind,
                             AtomicOperation Atomic) const {
  return Current.Function && !isOwn(*Object.Base) &&
         (Kind == AccessKind::Write ||
          (Kind == AccessKind::Update &&
           (Current.IsAtomic || Atomic == AtomicOperation::FetchModify)));
}

bool UnitWalker::isOwn(const VarDecl &Local) const {
  if (Privates.contains(&Local))
    return true;
  const DeclContext *Context = Local.getDeclContext();
  for (; Context && isa<CapturedDecl>(Context); Context = Context->getParent())
    if (Context == Current.Region)
      return true;
  // A captured local is not the lambda's own: the lambda may be a thread.
  return !Current.Region && Context == Current.Function;
}

} // namespace linesman::tidy
