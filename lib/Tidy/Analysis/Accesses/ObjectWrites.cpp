// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators first, then atomics by what they do, then methods of a part that
// are not const.

#include "Analysis/Accesses/ObjectWrites.h"
#include "Analysis/Addresses/AccessPath.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// Libraries wrap the builtins: __atomic_add_dispatch(&count, 1),
/// InterlockedIncrement(&count).
bool soundsLikeAtomicUpdate(const FunctionDecl &Function) {
  if (!Function.getIdentifier() || isa<CXXMethodDecl>(Function))
    return false;
  StringRef Name = Function.getName();
  auto Has = [&](StringRef Word) { return Name.contains_insensitive(Word); };
  return (Has("atomic") || Has("interlocked") || Has("exchange_and_add")) &&
         (Has("add") || Has("inc") || Has("dec") || Has("sub"));
}

ObjectWrite::Kind writeKindOf(AtomicOperation Operation) {
  return Operation == AtomicOperation::Store ||
                 Operation == AtomicOperation::Clear
             ? ObjectWrite::Store
             : ObjectWrite::ReadModifyWrite;
}

} // namespace

WrittenPart writtenPart(const Expr &Target) {
  WrittenPart Part;
  const Expr *Next = &Target;
  if (Target.isPRValue() && Target.getType()->isPointerType()) {
    // An address: of a part, or to the object as a whole.
    const auto *Unary = dyn_cast<UnaryOperator>(stripSameObject(&Target));
    if (!Unary || Unary->getOpcode() != UO_AddrOf) {
      Part.Base = &Target;
      Part.IsPointedTo = true;
      return Part;
    }
    Next = Unary->getSubExpr();
  }
  while (true) {
    const Expr *Inner = stripSameObject(Next);
    if (const auto *Unary = dyn_cast<UnaryOperator>(Inner)) {
      if (Unary->getOpcode() == UO_AddrOf) {
        Next = Unary->getSubExpr();
        continue;
      }
      if (Unary->getOpcode() == UO_Deref) {
        Part.Base = Unary->getSubExpr();
        Part.IsPointedTo = true;
        break;
      }
    }
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Inner)) {
      const Expr *Base = Subscript->getBase()->IgnoreImpCasts();
      if (Base->getType()->isArrayType()) {
        Next = Base;
        continue;
      }
    }
    const auto *Member = dyn_cast<MemberExpr>(Inner);
    const auto *Field =
        Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
    if (!Field) {
      Part.Base = Inner;
      break;
    }
    Part.Fields.push_back(Field);
    Next = Member->getBase();
    // The next pointer or reference on the way is another object.
    const Expr *Base = stripSameObject(Next);
    const auto *BaseMember = dyn_cast<MemberExpr>(Base);
    if (Member->isArrow() ||
        (BaseMember &&
         BaseMember->getMemberDecl()->getType()->isReferenceType())) {
      Part.Base = Base;
      Part.IsPointedTo = Member->isArrow();
      break;
    }
  }
  std::reverse(Part.Fields.begin(), Part.Fields.end());
  return Part;
}

std::optional<ObjectWrite> writeOf(const Stmt &Statement,
                                   const TypeKinds &Kinds) {
  const auto *Site = dyn_cast<Expr>(&Statement);
  if (!Site)
    return std::nullopt;
  auto Make = [&](ObjectWrite::Kind Way, const Expr &Target) {
    return ObjectWrite{Way, writtenPart(Target), Site};
  };
  if (const auto *Binary = dyn_cast<BinaryOperator>(Site)) {
    if (!Binary->isAssignmentOp())
      return std::nullopt;
    return Make(Binary->isCompoundAssignmentOp() ? ObjectWrite::ReadModifyWrite
                                                 : ObjectWrite::Store,
                *Binary->getLHS());
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(Site)) {
    if (!Unary->isIncrementDecrementOp())
      return std::nullopt;
    return Make(ObjectWrite::ReadModifyWrite, *Unary->getSubExpr());
  }
  AtomicOperation Operation = Kinds.operationOf(*Site);
  if (const auto *Atomic = dyn_cast<AtomicExpr>(Site)) {
    if (Operation == AtomicOperation::None ||
        Operation == AtomicOperation::Load)
      return std::nullopt;
    return Make(writeKindOf(Operation), *Atomic->getPtr());
  }
  const auto *Call = dyn_cast<CallExpr>(Site);
  if (!Call)
    return std::nullopt;
  const FunctionDecl *Callee = Call->getDirectCallee();
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  const Expr *Object = nullptr;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
    Object = Member->getImplicitObjectArgument();
  else if (isa<CXXOperatorCallExpr>(Call) && Call->getNumArgs() > 0)
    Object = Call->getArg(0);
  if (Operation != AtomicOperation::None) {
    if (Operation == AtomicOperation::Load)
      return std::nullopt;
    return Make(writeKindOf(Operation), Object ? *Object : *Call->getArg(0));
  }
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call)) {
    // An operator that assigns is a write whoever wrote it; others are calls.
    if (!Method || Method->isConst() ||
        !(Operator->isAssignmentOp() ||
          Operator->getOperator() == OO_PlusPlus ||
          Operator->getOperator() == OO_MinusMinus))
      return std::nullopt;
    return Make(Operator->getOperator() == OO_Equal
                    ? ObjectWrite::Store
                    : ObjectWrite::ReadModifyWrite,
                *Object);
  }
  if (Object) {
    if (!Method || Method->isConst() || Method->isStatic() ||
        isa<CXXDestructorDecl>(Method))
      return std::nullopt;
    return Make(ObjectWrite::Call, *Object);
  }
  if (Callee && Call->getNumArgs() > 0 &&
      Call->getArg(0)->getType()->isPointerType() &&
      soundsLikeAtomicUpdate(*Callee))
    return Make(ObjectWrite::ReadModifyWrite, *Call->getArg(0));
  return std::nullopt;
}

} // namespace linesman::tidy
