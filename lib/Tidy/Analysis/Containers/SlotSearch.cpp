// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Containers/SlotSearch.h"
#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/Conditions.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Locks/LockWords.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// i in ++i, p in p = p->next.
const VarDecl *stepOf(const Stmt &Loop) {
  const auto *For = dyn_cast<ForStmt>(&Loop);
  if (!For || !For->getInc())
    return nullptr;
  const Expr *Step = For->getInc()->IgnoreParens();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Step))
    return Unary->isIncrementDecrementOp() ? namedVariable(*Unary->getSubExpr())
                                           : nullptr;
  const auto *Binary = dyn_cast<BinaryOperator>(Step);
  return Binary && Binary->isAssignmentOp() ? namedVariable(*Binary->getLHS())
                                            : nullptr;
}

bool isContinue(const Stmt *S) {
  if (const auto *Block = dyn_cast_if_present<CompoundStmt>(S);
      Block && Block->size() == 1)
    S = Block->body_front();
  return isa_and_nonnull<ContinueStmt>(S);
}

/// p->used, where the access itself has what p started from.
bool isReachedFrom(const Expr &Site, const VarDecl &Step) {
  const Expr *Object = operatedObject(Site);
  std::optional<AccessPath> Path = Object ? pathOf(*Object) : std::nullopt;
  return Path && Path->Root == &Step;
}

/// Who tries one lock after the other mostly gets the first.
bool isLockName(const ValueDecl *Name) {
  return Name && (soundsLikeLock(Name) ||
                  (Name->getIdentifier() &&
                   (Name->getName().ends_with_insensitive("locks") ||
                    Name->getName().ends_with_insensitive("mutexes"))));
}

} // namespace

bool searchesForFree(const Access &Use, const ASTContext &Unit) {
  if (!Use.Loop || !Use.IsInCondition)
    return false;
  const VarDecl *Step = stepOf(*Use.Loop);
  const bool IsStepped =
      Step && (Use.Object.Index ? namedVariable(*Use.Object.Index) == Step
                                : isReachedFrom(*Use.Site, *Step));
  StmtPath Path;
  if (!IsStepped || isLockName(Use.Object.field()) ||
      isLockName(Use.Object.Array) || !findPath(*Use.Loop, *Use.Site, Path))
    return false;
  for (const Stmt *Around : Path) {
    const auto *If = dyn_cast<IfStmt>(Around);
    if (!If || !contains(*If->getCond(), *Use.Site))
      continue;
    return isNegatedIn(*If->getCond(), *Use.Site, Unit)
               ? isContinue(If->getThen())
               : leavesLoop(If->getThen());
  }
  return false;
}

} // namespace linesman::tidy
