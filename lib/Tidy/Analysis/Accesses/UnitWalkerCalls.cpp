// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call does to the objects that it is handed. Its parameter types say
// what it may do; a callee is looked into only to see that it reads, and a body
// that does more is walked on its own.

#include "Analysis/Accesses/UnitWalker.h"
#include "Analysis/Code/GivenFunctions.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

AccessKind accessKindOf(AtomicOperation Operation) {
  switch (Operation) {
  case AtomicOperation::None:
    return AccessKind::Mutate;
  case AtomicOperation::Load:
    return AccessKind::Read;
  case AtomicOperation::Store:
  case AtomicOperation::Clear:
    return AccessKind::Write;
  case AtomicOperation::Exchange:
  case AtomicOperation::CompareExchange:
  case AtomicOperation::FetchModify:
  case AtomicOperation::TestAndSet:
    return AccessKind::Update;
  }
  llvm_unreachable("all operations are listed");
}

/// posix_memalign((void **)&pool, ...): the local that has new memory from then
/// on, or null.
const VarDecl *madeInPlace(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getIdentifier() || Call.getNumArgs() == 0 ||
      Callee->getName() != "posix_memalign")
    return nullptr;
  const auto *Address =
      dyn_cast<UnaryOperator>(Call.getArg(0)->IgnoreParenCasts());
  const auto *Ref =
      Address && Address->getOpcode() == UO_AddrOf
          ? dyn_cast<DeclRefExpr>(Address->getSubExpr()->IgnoreParenCasts())
          : nullptr;
  const auto *Local = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Local && Local->hasLocalStorage() ? Local : nullptr;
}

} // namespace

void UnitWalker::noteHandler(const NamedDecl &Member, const Expr &Value) {
  if (!Member.getIdentifier() ||
      !llvm::is_contained({"sa_handler", "sa_sigaction"}, Member.getName()))
    return;
  if (const FunctionDecl *Handler = entryOf(Value))
    Result.SignalHandlers.insert(Handler->getCanonicalDecl());
}

void UnitWalker::call(const CallExpr &Call, bool IsUsed) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (Callee) {
    Result.Callers[Callee->getCanonicalDecl()].push_back(
        {Current.Function, &Call, Current.IsRare, Current.Region != nullptr});
    noteCall(Call);
  } else if (!isa<CXXPseudoDestructorExpr>(
                 Call.getCallee()->IgnoreParenImpCasts())) {
    value(Call.getCallee());
  }
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call))
    return operatorCall(*Operator, IsUsed);

  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call)) {
    const CXXMethodDecl *Method = Member->getMethodDecl();
    const Expr *Object = Member->getImplicitObjectArgument();
    if (Object && Method) {
      AtomicOperation Atomic = Kinds.operationOf(Call);
      AccessKind Kind = Atomic != AtomicOperation::None ? accessKindOf(Atomic)
                        : Method->isConst()             ? AccessKind::Read
                                                        : AccessKind::Mutate;
      if (Object->getType()->isPointerType())
        pointee(Object, Kind, &Call, Atomic, IsUsed);
      else
        object(Object, Kind, &Call, Atomic, IsUsed);
    }
    return arguments({Call.getArgs(), Call.getNumArgs()}, Method, Call);
  }
  if (atomicCall(Call, IsUsed))
    return;
  arguments({Call.getArgs(), Call.getNumArgs()}, Callee, Call);
  if (const VarDecl *Made = madeInPlace(Call))
    Fresh.insert(Made);
}

bool UnitWalker::atomicCall(const CallExpr &Call, bool IsUsed) {
  AtomicOperation Operation = Kinds.operationOf(Call);
  if (Operation == AtomicOperation::None || Call.getNumArgs() == 0)
    return false;
  const Expr *Object = Call.getArg(0);
  if (Object->IgnoreParenImpCasts()->getType()->isPointerType() ||
      Object->getType()->isPointerType())
    pointee(Object, accessKindOf(Operation), &Call, Operation, IsUsed);
  else
    object(Object, accessKindOf(Operation), &Call, Operation, IsUsed);
  for (const Expr *Argument : llvm::drop_begin(Call.arguments()))
    value(Argument);
  return true;
}

void UnitWalker::operatorCall(const CXXOperatorCallExpr &Call, bool IsUsed) {
  const auto *Method =
      dyn_cast_if_present<CXXMethodDecl>(Call.getDirectCallee());
  if (!Method)
    return arguments({Call.getArgs(), Call.getNumArgs()},
                     Call.getDirectCallee(), Call);
  AtomicOperation Atomic = Kinds.operationOf(Call);
  AccessKind Kind =
      Atomic != AtomicOperation::None  ? accessKindOf(Atomic)
      : Method->isConst()              ? AccessKind::Read
      : Call.getOperator() == OO_Equal ? AccessKind::Write
      : Call.isAssignmentOp()          ? AccessKind::Update
      : Call.getOperator() == OO_PlusPlus || Call.getOperator() == OO_MinusMinus
          ? AccessKind::Update
      // The element is what is touched, and the parent says how.
      : Call.getOperator() == OO_Subscript || Call.getOperator() == OO_Arrow ||
              Call.getOperator() == OO_Star
          ? AccessKind::Read
          : AccessKind::Mutate;
  object(Call.getArg(0), Kind, &Call, Atomic, IsUsed);
  arguments({Call.getArgs() + 1, Call.getNumArgs() - 1}, Method, Call);
}

void UnitWalker::arguments(llvm::ArrayRef<const Expr *> Arguments,
                           const FunctionDecl *Callee, const Expr &Site) {
  for (unsigned I = 0; I != Arguments.size(); ++I) {
    QualType Parameter;
    bool IsRead = false;
    if (Callee && I < Callee->getNumParams()) {
      Parameter = Callee->getParamDecl(I)->getType();
      QualType Object =
          Parameter->isPointerType() || Parameter->isReferenceType()
              ? Parameter->getPointeeType()
              : QualType();
      IsRead = !Object.isNull() &&
               (Object.isConstQualified() || Parameters.onlyReads(*Callee, I));
    }
    argument(Arguments[I], Parameter, IsRead, Site);
  }
}

/// `locks + i` is &locks[i]; of plain numbers it may as well be the rest of
/// them, from the i-th on.
bool UnitWalker::isElementAddress(const Expr &E) const {
  const auto *Sum = dyn_cast<BinaryOperator>(&E);
  if (!Sum || Sum->getOpcode() != BO_Add || !E.getType()->isPointerType())
    return false;
  QualType Element = E.getType()->getPointeeType();
  return Element->isRecordType() || Element.isVolatileQualified() ||
         Kinds.isSynchronization(Element) || Kinds.isAtomic(Element);
}

bool UnitWalker::isAmongThreads() const {
  const auto *Method = dyn_cast_if_present<CXXMethodDecl>(Current.Function);
  return Current.Region || (Method && Method->getParent()->isLambda());
}

void UnitWalker::argument(const Expr *E, QualType Parameter, bool IsRead,
                          const Expr &Site) {
  if (!E || isa<CXXDefaultArgExpr>(E))
    return;
  const Expr *Inner = E->IgnoreParenImpCasts();
  if (!Parameter.isNull() && Parameter->isReferenceType()) {
    // locks[i] of a container that returns a reference: taken, as a rule. And a
    // record of one, like an array's; and sums[i], where threads run this code.
    const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Inner);
    const bool IsElement =
        Operator && Operator->getOperator() == OO_Subscript &&
        (Kinds.isSynchronization(Inner->getType()) ||
         Inner->getType()->isRecordType() ||
         (isAmongThreads() && Inner->getType()->isArithmeticType()));
    if (Inner->isGLValue() && (!isa<CallExpr>(Inner) || IsElement))
      return object(Inner, IsRead ? AccessKind::Read : AccessKind::Mutate,
                    &Site);
    return value(E);
  }
  // &object, or an array that decays.
  AccessKind Kind = IsRead && Parameter->isPointerType() ? AccessKind::Read
                                                         : AccessKind::Mutate;
  const Expr *Bare = E->IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Bare);
      Unary && Unary->getOpcode() == UO_AddrOf &&
      E->getType()->isPointerType()) {
    if (const auto *Ref =
            dyn_cast<DeclRefExpr>(Unary->getSubExpr()->IgnoreParens());
        Ref && isa<FunctionDecl>(Ref->getDecl()))
      return value(Unary->getSubExpr());
    return object(Unary->getSubExpr(), Kind, &Site);
  }
  if (isElementAddress(*Bare)) {
    value(Bare);
    return record(Resolver.ofPointee(*Bare), Kind, &Site, AtomicOperation::None,
                  /*IsUsed=*/false);
  }
  if (Bare->getType()->isArrayType() && Bare->isGLValue() &&
      !isa<StringLiteral>(Bare) && E->getType()->isPointerType())
    return object(Bare, Kind, &Site);
  value(E);
}

} // namespace linesman::tidy
