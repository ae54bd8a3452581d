// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read from the outside in; every branch either takes a layer off or ends at an
// object or a slot.

#include "Analysis/Addresses/AddressSources.h"
#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Addresses/StaticReach.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

bool hasArrow(const CXXRecordDecl &Record) {
  DeclarationName Arrow =
      Record.getASTContext().DeclarationNames.getCXXOperatorName(OO_Arrow);
  return !Record.lookup(Arrow).empty();
}

class SourceReader {
public:
  SourceReader(const FunctionDecl *Function, AddressSources &Found)
      : Function(Function), Found(Found) {}

  void read(const Expr &E, unsigned Depth = 0) {
    // Pointers are copied through a few layers, expressions never nest this
    // deep.
    constexpr unsigned MaxDepth = 32;
    if (Depth > MaxDepth || E.isValueDependent())
      return;
    const Expr *Inner = stripSameObject(&E);
    if (const auto *Reference = dyn_cast<DeclRefExpr>(Inner))
      return readVariable(*Reference->getDecl(), *Inner);
    if (const auto *Member = dyn_cast<MemberExpr>(Inner))
      return readMember(*Member, Depth);
    if (isa<CXXThisExpr>(Inner)) {
      if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Function))
        addSlot(Slot(Method->getCanonicalDecl(), true), *Inner);
      return;
    }
    if (const auto *Unary = dyn_cast<UnaryOperator>(Inner)) {
      if (Unary->getOpcode() == UO_AddrOf || Unary->getOpcode() == UO_Deref)
        read(*Unary->getSubExpr(), Depth + 1);
      return;
    }
    if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(Inner)) {
      read(*Choice->getTrueExpr(), Depth + 1);
      return read(*Choice->getFalseExpr(), Depth + 1);
    }
    if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(Inner)) {
      if (Opaque->getSourceExpr())
        read(*Opaque->getSourceExpr(), Depth + 1);
      return;
    }
    if (const auto *Binary = dyn_cast<BinaryOperator>(Inner)) {
      if (Binary->getOpcode() == BO_Comma || Binary->getOpcode() == BO_Assign)
        read(*Binary->getRHS(), Depth + 1);
      return;
    }
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Inner))
      // An element of an array of pointers, or an object behind a pointer; an
      // element of an array of records is not an object of its own to us.
      return read(*Subscript->getBase(), Depth + 1);
    if (const auto *List = dyn_cast<InitListExpr>(Inner)) {
      if (List->getNumInits() == 1 && !List->getType()->isRecordType())
        read(*List->getInit(0), Depth + 1);
      return;
    }
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(Inner)) {
      if (Construct->getNumArgs() >= 1 &&
          isPointerWrapper(Construct->getType()))
        read(*Construct->getArg(0), Depth + 1);
      return;
    }
    if (const auto *Atomic = dyn_cast<AtomicExpr>(Inner))
      return read(*Atomic->getPtr(), Depth + 1);
    if (const auto *Call = dyn_cast<CallExpr>(Inner))
      return readCall(*Call, Depth);
  }

private:
  void addSlot(Slot Source, const Expr &Leaf) {
    Found.push_back({nullptr, Source, &Leaf});
  }

  void readVariable(const ValueDecl &Declaration, const Expr &Leaf) {
    const auto *Variable = dyn_cast<VarDecl>(&Declaration);
    if (!Variable)
      return;
    QualType Type = Variable->getType();
    bool IsArrayOfAddresses =
        Type->isArrayType() &&
        holdsAddress(Variable->getASTContext().getBaseElementType(Type));
    if (holdsAddress(Type) || IsArrayOfAddresses)
      return addSlot(Slot(Variable->getCanonicalDecl(), false), Leaf);
    if (isSharedStaticRecord(*Variable))
      Found.push_back({Variable->getCanonicalDecl(), Slot(), &Leaf});
  }

  void readMember(const MemberExpr &Member, unsigned Depth) {
    const ValueDecl *Declaration = Member.getMemberDecl();
    const auto *Field = dyn_cast<FieldDecl>(Declaration);
    if (!Field)
      return readVariable(*Declaration, Member);
    QualType Type = Field->getType();
    if (holdsAddress(Type) ||
        (Type->isArrayType() &&
         holdsAddress(Field->getASTContext().getBaseElementType(Type))))
      return addSlot(Slot(Field->getCanonicalDecl(), false), Member);
    // A part of a static object is on the object's lines; a part of anything
    // else has no name of its own.
    AddressSources Base;
    SourceReader(Function, Base).read(*Member.getBase(), Depth + 1);
    for (const AddressSource &Source : Base)
      if (Source.Object)
        Found.push_back(Source);
  }

  void readCall(const CallExpr &Call, unsigned Depth) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    if (!Callee)
      return;
    if (isStandardFunction(Callee, "exchange") && Call.getNumArgs() == 2)
      return read(*Call.getArg(0), Depth + 1);
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call))
      if (Operator->getOperator() == OO_Arrow ||
          (Operator->getOperator() == OO_Star && Operator->getNumArgs() == 1))
        return read(*Operator->getArg(0), Depth + 1);
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call)) {
      // get(), load(), exchange(), a conversion: what the wrapper holds.
      const Expr *Object = Member->getImplicitObjectArgument();
      QualType Type = Object->getType();
      if (Type->isPointerType())
        Type = Type->getPointeeType();
      if (isPointerWrapper(Type))
        return read(*Object, Depth + 1);
    }
    addSlot(Slot(Callee->getCanonicalDecl(), false), Call);
  }

  const FunctionDecl *Function;
  AddressSources &Found;
};

} // namespace

bool isPointerWrapper(QualType Type) {
  Type = Type.getNonReferenceType();
  if (const auto *Atomic = Type->getAs<AtomicType>())
    return Atomic->getValueType()->isPointerType();
  const auto *Record = Type->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition())
    return false;
  if (const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(Record);
      Instance && Instance->getIdentifier() && Instance->isInStdNamespace() &&
      (Instance->getName() == "atomic" || Instance->getName() == "atomic_ref" ||
       Instance->getName() == "reference_wrapper"))
    return Instance->getTemplateArgs().size() > 0 &&
           (Instance->getName() == "reference_wrapper" ||
            Instance->getTemplateArgs()[0].getAsType()->isPointerType());
  return hasArrow(*Record->getDefinition());
}

bool holdsAddress(QualType Type) {
  return Type->isPointerType() || Type->isReferenceType() ||
         isPointerWrapper(Type);
}

AddressSources sourcesOf(const Expr &E, const FunctionDecl *Function) {
  AddressSources Found;
  SourceReader(Function, Found).read(E);
  return Found;
}

std::optional<Slot> slotOf(const Expr &Target) {
  const Expr *Inner = stripSameObject(&Target);
  while (true) {
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Inner))
      Inner = stripSameObject(Subscript->getBase());
    else if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
             Unary && (Unary->getOpcode() == UO_Deref ||
                       Unary->getOpcode() == UO_AddrOf))
      Inner = stripSameObject(Unary->getSubExpr());
    else
      break;
  }
  const ValueDecl *Declaration = nullptr;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Inner))
    Declaration = Reference->getDecl();
  else if (const auto *Member = dyn_cast<MemberExpr>(Inner))
    Declaration = Member->getMemberDecl();
  if (!isa_and_nonnull<VarDecl, FieldDecl>(Declaration))
    return std::nullopt;
  return Slot(Declaration->getCanonicalDecl(), false);
}

} // namespace linesman::tidy
