// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two functions that call each other, one for objects and one for pointers, as
// the language has the two sorts of expressions.

#include "Analysis/Accesses/PlaceResolver.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Code/OnlyReturn.h"
#include "Analysis/Code/VisibleBody.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// Enough for an alias of an accessor's element; also ends recursion through
/// accessors that call themselves.
constexpr unsigned MaxPlaceDepth = 12;

/// The value of a function that is nothing but a return, perhaps after the
/// declaration of the static that it returns, after an assertion, or after
/// asking the processor for its number.
const Expr *returnedBy(const FunctionDecl *Callee) {
  const FunctionDecl *Definition = nullptr;
  if (!Callee || !visibleBody(*Callee, Definition))
    return nullptr;
  const auto *Block = dyn_cast<CompoundStmt>(Definition->getBody());
  if (!Block || Block->body_empty() || Block->size() > 3)
    return nullptr;
  for (const Stmt *S : llvm::drop_end(Block->body()))
    if (!isa<DeclStmt, GCCAsmStmt>(S) && !isAssertion(*S))
      return nullptr;
  const auto *Return = dyn_cast<ReturnStmt>(Block->body_back());
  return Return ? Return->getRetValue() : nullptr;
}

void addElement(Place &Result, Element New) {
  if (Result.Index)
    Result.OuterElements.push_back(
        {Result.Array, Result.Index, Result.ElementType});
  Result.Array = New.Array;
  Result.Index = New.Index;
  Result.ElementType = New.Type;
}

/// A reference that a method returned: on the heap, as a rule, so that only the
/// name of the object is known.
void leaveObject(Place &Result) {
  Result.Root = nullptr;
  Result.Array = nullptr;
  Result.Index = nullptr;
  Result.ElementType = QualType();
  Result.OuterElements.clear();
}

/// Its elements are in it.
bool isStandardArray(QualType Type) {
  const auto *Class = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() && Class->getName() == "array" &&
         Class->isInStdNamespace();
}

/// (T *)&bytes[0] is where the first T lies, and no element of bytes.
const Expr *storageOf(const CastExpr &Cast) {
  const auto *Address =
      dyn_cast<UnaryOperator>(Cast.getSubExpr()->IgnoreParens());
  const auto *First =
      Cast.getCastKind() == CK_BitCast && Address &&
              Address->getOpcode() == UO_AddrOf
          ? dyn_cast<ArraySubscriptExpr>(Address->getSubExpr()->IgnoreParens())
          : nullptr;
  const auto *Zero =
      First ? dyn_cast<IntegerLiteral>(First->getIdx()->IgnoreParenCasts())
            : nullptr;
  return Zero && Zero->getValue() == 0 && First->getType()->isAnyCharacterType()
             ? First->getBase()
             : nullptr;
}

bool isAtomicRef(QualType Type) {
  const auto *Class = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() && Class->getName() == "atomic_ref";
}

} // namespace

Place PlaceResolver::ofObject(const Expr &E) const {
  Place Result;
  object(&E, Result, 0);
  return Result;
}

Place PlaceResolver::ofPointee(const Expr &E) const {
  Place Result;
  pointee(&E, Result, 0);
  return Result;
}

void PlaceResolver::variable(const VarDecl &Var, Place &Result,
                             unsigned Depth) const {
  if (Var.hasGlobalStorage()) {
    Result.Root = Var.getCanonicalDecl();
    return;
  }
  if (Var.hasInit() && !isa<ParmVarDecl>(Var) &&
      !Var.getInit()->isValueDependent() &&
      (Var.getType()->isReferenceType() || isAtomicRef(Var.getType())))
    return object(Var.getInit(), Result, Depth + 1);
  Result.Base = &Var;
  Result.IsLocalObject = !Var.getType()->isReferenceType();
}

void PlaceResolver::element(const Expr &Array, const Expr *Index, QualType Type,
                            Place &Result, unsigned Depth) const {
  object(&Array, Result, Depth + 1);
  addElement(Result, {Result.name(), Index, Type});
}

void PlaceResolver::elementOfObject(const Expr &Container, const Expr *Index,
                                    QualType Type, Place &Result,
                                    unsigned Depth) const {
  if (isStandardArray(Container.getType()))
    return element(Container, Index, Type, Result, Depth);
  object(&Container, Result, Depth + 1);
  const ValueDecl *Name = Result.name();
  leaveObject(Result);
  addElement(Result, {Name, Index, Type});
}

QualType PlaceResolver::storedType(const CXXOperatorCallExpr &Subscript,
                                   unsigned Depth) const {
  if (const Expr *Value = returnedBy(Subscript.getDirectCallee())) {
    Place Picked;
    object(Value, Picked, Depth + 1);
    // The first of `data[i][0]`, where the others are room.
    for (const Element &Part : Picked.elements()) {
      const auto *Ref =
          dyn_cast<DeclRefExpr>(Part.Index->IgnoreParenImpCasts());
      if (Ref && isa<ParmVarDecl>(Ref->getDecl()) && !Part.Type.isNull() &&
          !Part.Type->isDependentType())
        return Part.Type;
    }
  }
  return Subscript.getType();
}

bool PlaceResolver::picksElement(const CXXOperatorCallExpr &Call, Place &Result,
                                 unsigned Depth) const {
  const Expr *Value = returnedBy(Call.getDirectCallee());
  if (!Value)
    return false;
  Place Picked;
  object(Value, Picked, Depth + 1);
  if (!Picked.Index || !Picked.Array)
    return false;
  Picked.IsThis = false;
  Result = Picked;
  return true;
}

void PlaceResolver::replaceParameter(const CallExpr &Call, Place &Result,
                                     unsigned Depth) const {
  const auto *Parameter = dyn_cast_if_present<ParmVarDecl>(Result.Base);
  if (!Result.Index || !Parameter || Result.IsPointee ||
      !Parameter->getType()->isReferenceType() ||
      Parameter->getFunctionScopeIndex() >= Call.getNumArgs() ||
      isa<CXXOperatorCallExpr>(Call))
    return;
  Place Given;
  object(Call.getArg(Parameter->getFunctionScopeIndex()), Given, Depth + 1);
  if (!Given.isKnown())
    return;
  const ValueDecl *Name = Given.name();
  for (Element Part : Result.elements()) {
    if (Part.Array == Parameter)
      Part.Array = Name;
    addElement(Given, Part);
  }
  Given.Path.append(Result.Path);
  Result = Given;
}

void PlaceResolver::object(const Expr *E, Place &Result, unsigned Depth) const {
  if (!E || Depth > MaxPlaceDepth)
    return;
  E = E->IgnoreParens();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
      variable(*Var, Result, Depth);
    else if (const auto *Binding = dyn_cast<BindingDecl>(Ref->getDecl()))
      object(Binding->getBinding(), Result, Depth + 1);
    return;
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (const auto *Var = dyn_cast<VarDecl>(Member->getMemberDecl()))
      return variable(*Var, Result, Depth);
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field)
      return;
    if (Member->isArrow())
      pointee(Member->getBase(), Result, Depth + 1);
    else
      object(Member->getBase(), Result, Depth + 1);
    if (Field->isAnonymousStructOrUnion())
      return;
    Result.Path.push_back(Field);
    Result.IsPointee = false;
    // A reference member is another object, of which only this name is known.
    if (Field->getType()->isReferenceType()) {
      Result.Root = nullptr;
      Result.IsLocalObject = false;
      Result.IsThis = false;
    }
    return;
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Base = Subscript->getBase()->IgnoreParens();
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Base);
        Cast && Cast->getCastKind() == CK_ArrayToPointerDecay)
      return element(*Cast->getSubExpr(), Subscript->getIdx(),
                     Subscript->getType(), Result, Depth);
    pointee(Base, Result, Depth + 1);
    // p[0] is *p, whatever p points to.
    if (const auto *Literal =
            dyn_cast<IntegerLiteral>(Subscript->getIdx()->IgnoreParenCasts());
        Literal && Literal->getValue() == 0)
      return;
    if (Result.Index)
      return;
    Place Pointer;
    object(Base->IgnoreParenCasts(), Pointer, Depth + 1);
    addElement(Result,
               {Pointer.name(), Subscript->getIdx(), Subscript->getType()});
    return;
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->getOpcode() == UO_Deref)
      pointee(Unary->getSubExpr(), Result, Depth + 1);
    else if (Unary->isPrefix() && !Unary->isArithmeticOp())
      object(Unary->getSubExpr(), Result, Depth + 1);
    return;
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getCastKind() == CK_LValueToRValue)
      return; // A value, not an object.
    return object(Cast->getSubExpr(), Result, Depth + 1);
  }
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
    if (Operator->getOperator() == OO_Subscript && Operator->getNumArgs() == 2)
      return elementOfObject(*Operator->getArg(0), Operator->getArg(1),
                             storedType(*Operator, Depth), Result, Depth);
    // Smart pointers: the name of the pointer is all that is known. An operator
    // that picks an element (`return slots[thread_index()];`) is an accessor.
    if ((Operator->getOperator() == OO_Star ||
         Operator->getOperator() == OO_Arrow) &&
        Operator->getNumArgs() == 1) {
      if (picksElement(*Operator, Result, Depth))
        return;
      object(Operator->getArg(0), Result, Depth + 1);
      leaveObject(Result);
      Result.IsLocalObject = false;
      Result.IsPointee = true;
      return;
    }
  }
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    if (Method && Method->getIdentifier() && Method->getName() == "at" &&
        Call->getNumArgs() == 1)
      return elementOfObject(*Call->getImplicitObjectArgument(),
                             Call->getArg(0), E->getType(), Result, Depth);
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    if (const Expr *Value = returnedBy(Call->getDirectCallee())) {
      object(Value, Result, Depth + 1);
      replaceParameter(*Call, Result, Depth);
    }
    // What the accessor says about its own *this is not the caller's.
    if (Result.IsThis && isa<CXXMemberCallExpr, CXXOperatorCallExpr>(Call))
      Result.IsThis = false;
    return;
  }
  // std::atomic_ref(word) is the word.
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
      Construct && Construct->getNumArgs() == 1 && isAtomicRef(E->getType()))
    return object(Construct->getArg(0), Result, Depth + 1);
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return object(Temporary->getSubExpr(), Result, Depth + 1);
  if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(E))
    return object(Cleanups->getSubExpr(), Result, Depth + 1);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->isAssignmentOp())
      object(Binary->getLHS(), Result, Depth + 1);
    else if (Binary->getOpcode() == BO_Comma)
      object(Binary->getRHS(), Result, Depth + 1);
  }
}

void PlaceResolver::pointee(const Expr *E, Place &Result,
                            unsigned Depth) const {
  if (!E || Depth > MaxPlaceDepth)
    return;
  E = E->IgnoreParens();
  if (isa<CXXThisExpr>(E)) {
    Result.IsThis = true;
    return;
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getCastKind() == CK_ArrayToPointerDecay)
      return object(Cast->getSubExpr(), Result, Depth + 1);
    if (Cast->getCastKind() != CK_LValueToRValue) {
      const Expr *Bytes = storageOf(*Cast);
      return pointee(Bytes ? Bytes : Cast->getSubExpr(), Result, Depth + 1);
    }
    const Expr *Pointer = Cast->getSubExpr()->IgnoreParens();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Pointer))
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl())) {
        const Expr *Value =
            Var->hasInit() ? Var->getInit() : Assigned.lookup(Var);
        if (Var->hasLocalStorage() && !isa<ParmVarDecl>(Var) && Value &&
            !isReassigned(*Var) && Var->getType()->isPointerType()) {
          pointee(Value, Result, Depth + 1);
          // Only an initialiser that names an object tells more than the
          // pointer's own name does.
          if (Result.isKnown() || Result.Array)
            return;
        }
        Result.Base = Var->getCanonicalDecl();
        return;
      }
    // A pointer in a field: the field's name is not the pointee's.
    return;
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->getOpcode() == UO_AddrOf)
      object(Unary->getSubExpr(), Result, Depth + 1);
    return;
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (!Binary->isAdditiveOp())
      return;
    bool LeftIsPointer = Binary->getLHS()->getType()->isPointerType();
    const Expr *Pointer = LeftIsPointer ? Binary->getLHS() : Binary->getRHS();
    const Expr *Index = LeftIsPointer ? Binary->getRHS() : Binary->getLHS();
    if (!Pointer->getType()->isPointerType())
      return;
    pointee(Pointer, Result, Depth + 1);
    if (Result.Index)
      return;
    const ValueDecl *Name = Result.name();
    if (!Name) {
      // table->slots + i: the field that the pointer is in.
      Place Holder;
      object(Pointer->IgnoreParenCasts(), Holder, Depth + 1);
      Name = Holder.name();
    }
    addElement(Result, {Name, Index, Pointer->getType()->getPointeeType()});
    return;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    // std::addressof and its kin give back what they got.
    if (const FunctionDecl *Callee = Call->getDirectCallee();
        Callee && Callee->getBuiltinID() == Builtin::BI__builtin_addressof &&
        Call->getNumArgs() == 1)
      return object(Call->getArg(0), Result, Depth + 1);
    if (const Expr *Value = returnedBy(Call->getDirectCallee()))
      pointee(Value, Result, Depth + 1);
    if (Result.IsThis && isa<CXXMemberCallExpr, CXXOperatorCallExpr>(Call))
      Result.IsThis = false;
    // A smart pointer is as good a name as a plain one.
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
        Operator && Operator->getOperator() == OO_Arrow && !Result.isKnown() &&
        !Result.Array)
      if (const VarDecl *Var = variableOf(*Operator->getArg(0));
          Var && Var->hasLocalStorage())
        Result.Base = Var->getCanonicalDecl();
    return;
  }
  if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(E))
    pointee(Cleanups->getSubExpr(), Result, Depth + 1);
}

} // namespace linesman::tidy
