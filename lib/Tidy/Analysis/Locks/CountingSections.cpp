// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By the statements of one block, in their order: what is spread over several
// blocks is more than counting.

#include "Analysis/Locks/CountingSections.h"
#include "Analysis/Locks/LockWords.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

const Expr *bareExpression(const Stmt &S) {
  const auto *E = dyn_cast<Expr>(&S);
  if (const auto *Cleanups = dyn_cast_if_present<ExprWithCleanups>(E))
    E = Cleanups->getSubExpr();
  return E ? E->IgnoreParenCasts() : nullptr;
}

/// `m`, `&m`, `state.m`: a variable with static storage, or a part of one.
bool isStaticObject(const Expr &Lock) {
  const Expr *E = Lock.IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && Unary->getOpcode() == UO_AddrOf)
    E = Unary->getSubExpr()->IgnoreParenCasts();
  while (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (Member->isArrow())
      return false;
    E = Member->getBase()->IgnoreParenCasts();
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->hasGlobalStorage() &&
         Var->getTLSKind() == VarDecl::TLS_None;
}

/// `o->m`, `&o->m`, a method's own `m`: a part of an object that the function
/// was given or found.
bool isMember(const Expr &Lock) {
  const Expr *E = Lock.IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && Unary->getOpcode() == UO_AddrOf)
    E = Unary->getSubExpr()->IgnoreParenCasts();
  const auto *Member = dyn_cast<MemberExpr>(E);
  return Member && isa<FieldDecl>(Member->getMemberDecl()) && Member->isArrow();
}

bool isAt(const Expr &Lock, LockPlace Place) {
  return Place == LockPlace::Static ? isStaticObject(Lock) : isMember(Lock);
}

/// A call of the given effect on such a lock.
bool isLockCall(const Stmt &S, LockEffect Effect, LockPlace Place) {
  const Expr *E = bareExpression(S);
  const auto *Call = dyn_cast_if_present<CallExpr>(E);
  if (!Call || !hasEffect(Call->getDirectCallee(), Effect))
    return false;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
    return isAt(*Member->getImplicitObjectArgument(), Place);
  return Call->getNumArgs() == 0 ? Place == LockPlace::Static
                                 : isAt(*Call->getArg(0), Place);
}

bool opensGuard(const Stmt &S, const TypeKinds &Kinds, LockPlace Place) {
  const auto *Declaration = dyn_cast<DeclStmt>(&S);
  const auto *Guard = Declaration && Declaration->isSingleDecl()
                          ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                          : nullptr;
  if (!Guard || !Guard->hasInit() || Guard->getInit()->isValueDependent() ||
      Kinds.kindOf(Guard->getType()) != TypeKind::LockGuard)
    return false;
  const auto *Construct =
      dyn_cast<CXXConstructExpr>(Guard->getInit()->IgnoreImplicit());
  return Construct && Construct->getNumArgs() != 0 &&
         isAt(*Construct->getArg(0), Place);
}

bool callsNothing(const Stmt &S) {
  return !isa<CallExpr, CXXConstructExpr, CXXNewExpr>(S) &&
         llvm::all_of(S.children(), [](const Stmt *Child) {
           return !Child || callsNothing(*Child);
         });
}

const Expr *counting(const Stmt &S) {
  const Expr *E = bareExpression(S);
  const Expr *Count = nullptr;
  if (const auto *Unary = dyn_cast_if_present<UnaryOperator>(E))
    Count = Unary->isIncrementDecrementOp() ? Unary->getSubExpr() : nullptr;
  else if (const auto *Binary = dyn_cast_if_present<BinaryOperator>(E))
    Count = Binary->getOpcode() == BO_AddAssign ||
                    Binary->getOpcode() == BO_SubAssign
                ? Binary->getLHS()
                : nullptr;
  return Count && Count->getType()->isArithmeticType() && callsNothing(*E)
             ? E
             : nullptr;
}

void find(const Stmt &S, const TypeKinds &Kinds, LockPlace Place,
          std::vector<CountingSection> &Sections) {
  if (isa<LambdaExpr>(S))
    return;
  if (const auto *Block = dyn_cast<CompoundStmt>(&S)) {
    // Open since the lock; given up at the first statement of another kind.
    std::optional<CountingSection> Open;
    bool IsGuarded = false;
    for (const Stmt *Child : Block->body()) {
      if (isLockCall(*Child, LockEffect::Acquire, Place) ||
          opensGuard(*Child, Kinds, Place)) {
        Open.emplace();
        IsGuarded = isa<DeclStmt>(Child);
      } else if (Open && counting(*Child)) {
        Open->push_back(counting(*Child));
      } else {
        if (Open && !IsGuarded && !Open->empty() &&
            isLockCall(*Child, LockEffect::Release, Place))
          Sections.push_back(*Open);
        Open.reset();
      }
    }
    if (Open && IsGuarded && !Open->empty())
      Sections.push_back(*Open);
  }
  for (const Stmt *Child : S.children())
    if (Child)
      find(*Child, Kinds, Place, Sections);
}

} // namespace

std::vector<CountingSection> countingSections(const FunctionDecl &Function,
                                              const TypeKinds &Kinds,
                                              LockPlace Place) {
  std::vector<CountingSection> Sections;
  if (const Stmt *Body = Function.getBody())
    find(*Body, Kinds, Place, Sections);
  return Sections;
}

} // namespace linesman::tidy
