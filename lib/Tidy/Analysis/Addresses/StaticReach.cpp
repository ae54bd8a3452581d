// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant pointers and accessors are followed, because sentinels are rarely
// named directly: NIL, nil(), Tree::end_node().

#include "Analysis/Addresses/StaticReach.h"
#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Code/VisibleBody.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

bool hasMutableField(QualType Type) {
  const auto *Record = Type->getAsCXXRecordDecl();
  return Record && Record->hasDefinition() && Record->hasMutableFields();
}

QualType withoutSingleElementArray(QualType Type, const ASTContext &Context) {
  if (const auto *Array = Context.getAsConstantArrayType(Type))
    if (Array->getSize() == 1)
      return Array->getElementType();
  return Type;
}

const VarDecl *certainStatic(const Expr &E, unsigned Depth);

const VarDecl *returnedStatic(const FunctionDecl &Function, unsigned Depth) {
  const FunctionDecl *Definition = nullptr;
  const auto *Body =
      dyn_cast_or_null<CompoundStmt>(visibleBody(Function, Definition));
  // Statements before the return may declare the object; a second return would
  // make it a choice, and has to be inside one of them.
  if (!Body || Body->body_empty() || Body->size() > 3)
    return nullptr;
  for (const Stmt *Node :
       llvm::make_range(Body->body_begin(), std::prev(Body->body_end())))
    if (!isa<DeclStmt, NullStmt, Expr>(Node))
      return nullptr;
  const auto *Return = dyn_cast<ReturnStmt>(Body->body_back());
  return Return && Return->getRetValue()
             ? certainStatic(*Return->getRetValue(), Depth + 1)
             : nullptr;
}

const VarDecl *certainStatic(const Expr &E, unsigned Depth) {
  // nil() -> static_nil() -> object; longer chains were never seen.
  constexpr unsigned MaxDepth = 4;
  if (Depth > MaxDepth || E.isValueDependent())
    return nullptr;
  const Expr *Inner = stripSameObject(&E);
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner))
    return Unary->getOpcode() == UO_AddrOf || Unary->getOpcode() == UO_Deref
               ? certainStatic(*Unary->getSubExpr(), Depth)
               : nullptr;
  if (const auto *Call = dyn_cast<CallExpr>(Inner)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    return Callee && Call->getNumArgs() == 0 ? returnedStatic(*Callee, Depth)
                                             : nullptr;
  }
  const VarDecl *Variable = nullptr;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Inner))
    Variable = dyn_cast<VarDecl>(Reference->getDecl());
  else if (const auto *Member = dyn_cast<MemberExpr>(Inner))
    Variable = dyn_cast<VarDecl>(Member->getMemberDecl());
  if (!Variable)
    return nullptr;
  if (isSharedStaticRecord(*Variable))
    return Variable->getCanonicalDecl();
  QualType Type = Variable->getType();
  bool IsConstantPointer = Type->isPointerType() && Type.isConstQualified();
  if ((IsConstantPointer || Type->isReferenceType()) &&
      !isa<ParmVarDecl>(Variable))
    if (const Expr *Init = Variable->getAnyInitializer())
      return certainStatic(*Init, Depth + 1);
  return nullptr;
}

} // namespace

bool isSharedStatic(const VarDecl &Variable) {
  if (!Variable.hasGlobalStorage() || isa<ParmVarDecl>(Variable) ||
      isPerThread(Variable))
    return false;
  QualType Type =
      Variable.getASTContext().getBaseElementType(Variable.getType());
  return !Type.isConstQualified() || hasMutableField(Type);
}

bool isSharedStaticRecord(const VarDecl &Variable) {
  return isSharedStatic(Variable) &&
         withoutSingleElementArray(Variable.getType(), Variable.getASTContext())
             ->isRecordType();
}

const VarDecl *certainStatic(const Expr &E) { return certainStatic(E, 0); }

const VarDecl &patternOf(const VarDecl &Variable) {
  if (const VarDecl *Pattern = Variable.getTemplateInstantiationPattern())
    return *Pattern->getCanonicalDecl();
  if (const VarDecl *Pattern = Variable.getInstantiatedFromStaticDataMember())
    return *Pattern->getCanonicalDecl();
  return *Variable.getCanonicalDecl();
}

} // namespace linesman::tidy
