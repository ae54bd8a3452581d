// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UnitWalker's memory of objects that only this function has: what it made with
// `new`, an allocator or a factory, until a variable with static storage gets
// the pointer. Writes to such an object are construction.
//
//     void *room = malloc(sizeof *pool + 64);
//     pool = (struct pool *)(((size_t)room + 63) & -64);    derived, as fresh
//     pool->limit = 10;                                      construction
//     first = pool;                                          published
//     pool->limit = 20;                                      a write
//
//     table->parts = calloc(n, sizeof *table->parts);        a field's array
//     table->parts[i].mask = 63;                             construction

#include "Analysis/Accesses/UnitWalker.h"
#include "Analysis/Code/NamedVariable.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// A call or `new` whose result nobody else has yet.
bool allocates(const Expr &E) {
  if (isa<CXXNewExpr>(E))
    return true;
  const auto *Call = dyn_cast<CallExpr>(&E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || !Callee->getIdentifier())
    return false;
  llvm::StringRef Name = Callee->getName();
  return llvm::any_of(
      llvm::ArrayRef<llvm::StringRef>(
          {"alloc", "_new", "New", "create", "make_", "clone"}),
      [&](llvm::StringRef Word) { return Name.contains_insensitive(Word); });
}

} // namespace

bool UnitWalker::isFresh(const Expr *E) const {
  E = E->IgnoreParenCasts()->IgnoreImplicit()->IgnoreParenCasts();
  if (allocates(*E))
    return true;
  if (const VarDecl *Var = variableOf(*E))
    return Fresh.contains(Var);
  // Rounded up to an alignment, or a part of it.
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return (Binary->isAdditiveOp() || Binary->isBitwiseOp()) &&
           (isFresh(Binary->getLHS()) || isFresh(Binary->getRHS()));
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return Unary->getOpcode() == UO_AddrOf && isFresh(Unary->getSubExpr());
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    // Not what its pointers point to.
    return !Member->getType()->isPointerType() && isFresh(Member->getBase());
  if (const auto *Conditional = dyn_cast<ConditionalOperator>(E))
    return isFresh(Conditional->getTrueExpr()) ||
           isFresh(Conditional->getFalseExpr());
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    return Construct->getNumArgs() == 1 && isFresh(Construct->getArg(0));
  return false;
}

void UnitWalker::assigned(const VarDecl &Local, const Expr &Value) {
  if (isFresh(&Value))
    Fresh.insert(&Local);
  // On another way it may still be what was made.
  else if (!Current.IsConditional)
    Fresh.erase(&Local);
}

void UnitWalker::kept(const Expr &Field, const Expr &Value) {
  published(Field, Value);
  const auto *Member = dyn_cast<MemberExpr>(Field.IgnoreParens());
  if (!Member || !Member->getType()->isPointerType() ||
      Resolver.ofObject(Field).Root)
    return;
  if (isFresh(&Value))
    FreshArrays.insert(Member->getMemberDecl());
  else
    FreshArrays.erase(Member->getMemberDecl());
}

void UnitWalker::published(const Expr &Object, const Expr &Value) {
  const VarDecl *Var = variableOf(Value);
  if (Var && Fresh.contains(Var) && Resolver.ofObject(Object).Root)
    Fresh.erase(Var);
}

} // namespace linesman::tidy
