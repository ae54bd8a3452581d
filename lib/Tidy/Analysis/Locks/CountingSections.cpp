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

/// A call of the given effect on the program's lock.
bool isLockCall(const Stmt &S, LockEffect Effect) {
  const Expr *E = bareExpression(S);
  const auto *Call = dyn_cast_if_present<CallExpr>(E);
  if (!Call || !hasEffect(Call->getDirectCallee(), Effect))
    return false;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
    return isStaticObject(*Member->getImplicitObjectArgument());
  return Call->getNumArgs() == 0 || isStaticObject(*Call->getArg(0));
}

bool opensGuard(const Stmt &S, const TypeKinds &Kinds) {
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
         isStaticObject(*Construct->getArg(0));
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

void find(const Stmt &S, const TypeKinds &Kinds,
          std::vector<CountingSection> &Sections) {
  if (isa<LambdaExpr>(S))
    return;
  if (const auto *Block = dyn_cast<CompoundStmt>(&S)) {
    // Open since the lock; given up at the first statement of another kind.
    std::optional<CountingSection> Open;
    bool IsGuarded = false;
    for (const Stmt *Child : Block->body()) {
      if (isLockCall(*Child, LockEffect::Acquire) ||
          opensGuard(*Child, Kinds)) {
        Open.emplace();
        IsGuarded = isa<DeclStmt>(Child);
      } else if (Open && counting(*Child)) {
        Open->push_back(counting(*Child));
      } else {
        if (Open && !IsGuarded && !Open->empty() &&
            isLockCall(*Child, LockEffect::Release))
          Sections.push_back(*Open);
        Open.reset();
      }
    }
    if (Open && IsGuarded && !Open->empty())
      Sections.push_back(*Open);
  }
  for (const Stmt *Child : S.children())
    if (Child)
      find(*Child, Kinds, Sections);
}

} // namespace

std::vector<CountingSection> countingSections(const FunctionDecl &Function,
                                              const TypeKinds &Kinds) {
  std::vector<CountingSection> Sections;
  if (const Stmt *Body = Function.getBody())
    find(*Body, Kinds, Sections);
  return Sections;
}

} // namespace linesman::tidy
