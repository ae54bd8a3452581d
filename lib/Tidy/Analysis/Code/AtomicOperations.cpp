// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TypeKinds::operationOf: one vocabulary for std::atomic's members, C11's
// generic functions, operators on _Atomic objects and the two builtin families.

#include "Analysis/Code/AtomicAssembly.h"
#include "Analysis/Code/AtomicNames.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/VisibleBody.h"
#include "Analysis/Names/TypeKinds.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

AtomicOperation operationOfAtomicExpr(const AtomicExpr &E) {
  if (E.isCmpXChg())
    return AtomicOperation::CompareExchange;
  // Plain calls, which the name tells, before they became such expressions.
  if (E.getOpAsString() == "__atomic_test_and_set")
    return AtomicOperation::TestAndSet;
  if (E.getOpAsString() == "__atomic_clear")
    return AtomicOperation::Clear;
  switch (E.getOp()) {
  case AtomicExpr::AO__c11_atomic_init:
    return AtomicOperation::None;
  case AtomicExpr::AO__c11_atomic_load:
  case AtomicExpr::AO__atomic_load:
  case AtomicExpr::AO__atomic_load_n:
    return AtomicOperation::Load;
  case AtomicExpr::AO__c11_atomic_store:
  case AtomicExpr::AO__atomic_store:
  case AtomicExpr::AO__atomic_store_n:
    return AtomicOperation::Store;
  case AtomicExpr::AO__c11_atomic_exchange:
  case AtomicExpr::AO__atomic_exchange:
  case AtomicExpr::AO__atomic_exchange_n:
    return AtomicOperation::Exchange;
  default:
    return AtomicOperation::FetchModify;
  }
}

/// The object of an operation, as a call names it.
const Expr *firstOperandOf(const Expr &E) {
  if (const auto *Atomic = dyn_cast<AtomicExpr>(&E))
    return Atomic->getPtr();
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&E))
    return Member->getImplicitObjectArgument();
  const auto *Call = dyn_cast<CallExpr>(&E);
  return Call && Call->getNumArgs() != 0 ? Call->getArg(0) : nullptr;
}

/// A typedef in front of the work is none.
bool declaresTypes(const Stmt &S) {
  const auto *Declaration = dyn_cast<DeclStmt>(&S);
  return Declaration && llvm::all_of(Declaration->decls(), [](const Decl *D) {
           return isa<TypeDecl>(D);
         });
}

/// The one expression of a statement that may be all that a wrapper does.
const Expr *workOf(const Stmt &S) {
  if (const auto *Return = dyn_cast<ReturnStmt>(&S))
    return Return->getRetValue();
  if (const auto *Declaration = dyn_cast<DeclStmt>(&S)) {
    const auto *Local = Declaration->isSingleDecl()
                            ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                            : nullptr;
    return Local && Local->hasInit() && !Local->getInit()->isValueDependent()
               ? Local->getInit()
               : nullptr;
  }
  // `d = __sync_fetch_and_sub(word, d);` of its own parameter.
  if (const auto *Set = dyn_cast<BinaryOperator>(&S);
      Set && Set->getOpcode() == BO_Assign &&
      isa<DeclRefExpr>(Set->getLHS()->IgnoreParens()))
    return Set->getRHS();
  return dyn_cast<Expr>(&S);
}

/// The operand is the parameter, or the address of the only field of the record
/// behind it: `&count->value` is all that there is of `*count`.
bool isAllOf(const Expr &Operand, const ParmVarDecl &Object) {
  const Expr *Inner = Operand.IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
      Unary && Unary->getOpcode() == UO_AddrOf)
    Inner = Unary->getSubExpr()->IgnoreParenCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(Inner)) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || Field->getParent()->isUnion() ||
        std::distance(Field->getParent()->field_begin(),
                      Field->getParent()->field_end()) != 1)
      return false;
    Inner = Member->getBase()->IgnoreParenCasts();
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
      Unary && Unary->getOpcode() == UO_Deref)
    Inner = Unary->getSubExpr()->IgnoreParenCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
  return Ref && Ref->getDecl() == &Object;
}

/// switch (length) { case 4: asm(...); ... }: the same operation on \p Object,
/// for words of each length.
AtomicOperation operationByLength(const Stmt &S, const ParmVarDecl &Object) {
  if (const auto *Assembly = dyn_cast<GCCAsmStmt>(&S)) {
    const AtomicAssembly Found =
        readAtomicAssembly(*Assembly, Object.getASTContext());
    return Found.Word && isAllOf(*Found.Word, Object) ? Found.Operation
                                                      : AtomicOperation::None;
  }
  AtomicOperation Operation = AtomicOperation::None;
  for (const Stmt *Child : S.children()) {
    const AtomicOperation Part =
        Child ? operationByLength(*Child, Object) : AtomicOperation::None;
    if (Part == AtomicOperation::None)
      continue;
    if (Operation != AtomicOperation::None && Part != Operation)
      return AtomicOperation::None;
    Operation = Part;
  }
  return Operation;
}

} // namespace

/// `int take(int *count) { return __atomic_add_fetch(count, 1, order); }` does
/// to its argument what the builtin does.
AtomicOperation TypeKinds::operationOfWrapper(const FunctionDecl &Callee,
                                              unsigned Depth) const {
  // A wrapper may be around another. One that calls itself is around nothing.
  constexpr unsigned MaxDepth = 4;
  if (Depth > MaxDepth)
    return AtomicOperation::None;
  // Assembly may need a local and a return around it.
  constexpr size_t MaxStatements = 2, MostAroundAssembly = 3;
  const FunctionDecl *Definition = nullptr;
  const auto *Body =
      dyn_cast_if_present<CompoundStmt>(visibleBody(Callee, Definition));
  if (!Body || Definition->getNumParams() == 0)
    return AtomicOperation::None;
  const size_t Statements = llvm::count_if(
      Body->body(), [](const Stmt *Node) { return !declaresTypes(*Node); });
  if (Statements == 0 || Statements > MostAroundAssembly)
    return AtomicOperation::None;
  const ParmVarDecl *Object = Definition->getParamDecl(0);
  if (!Object->getType()->isPointerType() &&
      !Object->getType()->isReferenceType())
    return AtomicOperation::None;
  for (const Stmt *Node : Body->body()) {
    if (const auto *Assembly = dyn_cast<GCCAsmStmt>(Node)) {
      const AtomicAssembly Found =
          readAtomicAssembly(*Assembly, Callee.getASTContext());
      if (Found.Word && isAllOf(*Found.Word, *Object))
        return Found.Operation;
      continue;
    }
    if (isa<SwitchStmt>(Node) && Object->getType()->isVoidPointerType())
      if (const AtomicOperation Operation = operationByLength(*Node, *Object);
          Operation != AtomicOperation::None)
        return Operation;
    const Expr *Work = Statements <= MaxStatements ? workOf(*Node) : nullptr;
    if (!Work)
      continue;
    // Back to the type of its own parameter, where it is one function for all
    // sizes.
    Work = Work->IgnoreParenCasts();
    const Expr *Operand = firstOperandOf(*Work);
    if (!Operand || !isAllOf(*Operand, *Object))
      continue;
    // get() that adds 0: its own finding, and a read to whoever calls it.
    const AtomicOperation Operation = operationOf(*Work, Depth + 1);
    return isNeutralUpdate(*Work, Callee.getASTContext()) ||
                   (Operation == AtomicOperation::CompareExchange &&
                    expectsWhatItStores(*Work, Callee.getASTContext()))
               ? AtomicOperation::Load
               : Operation;
  }
  return AtomicOperation::None;
}

AtomicOperation TypeKinds::operationOf(const Expr &E, unsigned Depth) const {
  const Expr *Inner = E.IgnoreParenImpCasts();
  if (const auto *Atomic = dyn_cast<AtomicExpr>(Inner))
    return operationOfAtomicExpr(*Atomic);
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Inner)) {
    if (Operator->getNumArgs() == 0 ||
        !isAtomic(Operator->getArg(0)->getType()))
      return AtomicOperation::None;
    switch (Operator->getOperator()) {
    case OO_Equal:
      return AtomicOperation::Store;
    case OO_PlusPlus:
    case OO_MinusMinus:
    case OO_PlusEqual:
    case OO_MinusEqual:
    case OO_AmpEqual:
    case OO_PipeEqual:
    case OO_CaretEqual:
      return AtomicOperation::FetchModify;
    // a == 1, !a, *a: what it is compared with or converted to is its value.
    default:
      return AtomicOperation::Load;
    }
  }
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(Inner)) {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    const Expr *Object = Call->getImplicitObjectArgument();
    if (!Method || !Object)
      return AtomicOperation::None;
    QualType Type = Object->getType();
    if (Type->isPointerType())
      Type = Type->getPointeeType();
    if (!isAtomic(Type))
      return AtomicOperation::None;
    if (isa<CXXConversionDecl>(Method))
      return AtomicOperation::Load;
    return Method->getIdentifier() ? operationOfMethod(Method->getName())
                                   : AtomicOperation::None;
  }
  if (const auto *Call = dyn_cast<CallExpr>(Inner)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !Callee->getIdentifier() || Call->getNumArgs() == 0)
      return AtomicOperation::None;
    // What its body does comes before what its name says, except for the
    // names that everybody has.
    StringRef Name = Callee->getName();
    if (Callee->getBuiltinID() == 0 && !Name.starts_with("atomic_") &&
        !Name.starts_with("__"))
      if (AtomicOperation Done = operationOfWrapper(*Callee, Depth);
          Done != AtomicOperation::None)
        return Done;
    if (AtomicOperation Named = operationOfFunction(*Callee);
        Named != AtomicOperation::None)
      return Named;
    // Everybody's own compare-exchange, often a line of assembly.
    if (Name.contains_insensitive("atomic") &&
        (Name.ends_with("cmpset") || Name.contains("cmpxchg") ||
         Name.contains("cswap") || Name.ends_with("_cas") ||
         Name.contains("compare_and_swap")))
      return AtomicOperation::CompareExchange;
    return operationOfWrapper(*Callee, Depth);
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner))
    return Unary->isIncrementDecrementOp() &&
                   isAtomic(Unary->getSubExpr()->getType())
               ? AtomicOperation::FetchModify
               : AtomicOperation::None;
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner)) {
    if (!Binary->isAssignmentOp() || !isAtomic(Binary->getLHS()->getType()))
      return AtomicOperation::None;
    return Binary->isCompoundAssignmentOp() ? AtomicOperation::FetchModify
                                            : AtomicOperation::Store;
  }
  return AtomicOperation::None;
}

} // namespace linesman::tidy
