// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Names/CountingPointers.h"
#include "Analysis/Code/UnitCode.h"
#include "Analysis/Names/ReferenceCounts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// Looks like a pointer from outside, and has one inside and nothing else.
bool isPointerLike(const CXXRecordDecl &Class) {
  auto Fields = Class.fields();
  return llvm::hasSingleElement(Fields) &&
         (*Fields.begin())->getType()->isPointerType() &&
         llvm::any_of(Class.methods(), [](const CXXMethodDecl *Method) {
           return Method->getOverloadedOperator() == OO_Arrow;
         });
}

bool isAtomicStep(const ObjectWrite &Write, const TypeKinds &Kinds) {
  if (!Write.Site)
    return false;
  return llvm::any_of(Write.Part.Fields,
                      [&](const FieldDecl *Field) {
                        return Kinds.isAtomic(Field->getType());
                      }) ||
         isa<AtomicExpr>(Write.Site) ||
         // A builtin, or a function of the system.
         (isa<CallExpr>(Write.Site) &&
          !isa<CXXOperatorCallExpr, CXXMemberCallExpr>(Write.Site));
}

const CXXConstructorDecl *copyConstructorOf(const CXXRecordDecl &Class) {
  for (const CXXConstructorDecl *Constructor : Class.ctors()) {
    const FunctionDecl *Definition = nullptr;
    if (Constructor->isCopyConstructor() && Constructor->hasBody(Definition))
      return cast<CXXConstructorDecl>(Definition);
  }
  return nullptr;
}

} // namespace

bool isSharedPointer(QualType Type) {
  const auto *Class = Type->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() &&
         (Class->getName() == "shared_ptr" ||
          Class->getName() == "intrusive_ptr");
}

bool CountingPointers::contains(QualType Type) {
  if (isSharedPointer(Type))
    return true;
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  Class = Class ? Class->getDefinition() : nullptr;
  if (!Class)
    return false;
  auto [Place, IsNew] = Known.try_emplace(Class);
  if (IsNew)
    Place->second = countsWhenCopied(*Class);
  return Place->second;
}

bool CountingPointers::countsWhenCopied(const CXXRecordDecl &Class) const {
  const CXXConstructorDecl *Copy =
      isPointerLike(Class) ? copyConstructorOf(Class) : nullptr;
  if (!Copy)
    return false;
  auto Never = [](const CountStep &) { return false; };
  for (const Stmt *Node : UnitCode::read(*Copy).Statements) {
    const auto *Call = dyn_cast<CallExpr>(Node);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    Callee = Callee ? Callee->getDefinition() : nullptr;
    if (!Callee)
      continue;
    const bool IsForObject = isa<CXXMemberCallExpr>(Call);
    const ParmVarDecl *Counted =
        IsForObject ? nullptr : countedParameter(*Callee);
    if ((IsForObject || Counted) &&
        isAtomicStep(countingStepOf(*Callee, Counted, Kinds, Never).Write,
                     Kinds))
      return true;
  }
  return false;
}

} // namespace linesman::tidy
