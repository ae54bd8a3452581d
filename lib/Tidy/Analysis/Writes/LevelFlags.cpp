// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Writes/LevelFlags.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/StmtPath.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// a > b, neither of which is a constant: an amount and what it may be.
bool comparesAmounts(const Expr &Condition, const ASTContext &Unit) {
  const auto *Binary =
      dyn_cast<BinaryOperator>(Condition.IgnoreParenImpCasts());
  if (!Binary)
    return false;
  if (Binary->isLogicalOp())
    return comparesAmounts(*Binary->getLHS(), Unit) ||
           comparesAmounts(*Binary->getRHS(), Unit);
  return Binary->isRelationalOp() && !constantOf(Binary->getLHS(), Unit) &&
         !constantOf(Binary->getRHS(), Unit);
}

/// The statement ends the function or the turn: what led to it is an event.
bool endsTurn(const Stmt *S) {
  if (const auto *Block = dyn_cast_if_present<CompoundStmt>(S))
    return !Block->body_empty() && endsTurn(Block->body_back());
  return S &&
         isa<ReturnStmt, BreakStmt, GotoStmt, ContinueStmt, CXXThrowExpr>(S);
}

} // namespace

bool setsLevelFlag(const Access &Use, HotAccesses &Hot,
                   const ASTContext &Unit) {
  if (Hot.kindOf(Use) != AccessKind::Write || !Hot.isAtomic(Use) ||
      !Use.IsConditional || Use.Loop || Use.Object.Index ||
      Use.Object.IsLocalObject || Hot.isReadBefore(Use))
    return false;
  auto Operands = atomicOperands(*Use.Site);
  std::optional<uint64_t> Value =
      Operands.empty() ? std::nullopt : constantOf(Operands[0], Unit);
  StmtPath Path;
  if (!Value || *Value > 1 || !Use.Function->getBody() ||
      !findPath(*Use.Function->getBody(), *Use.Site, Path))
    return false;
  const IfStmt *Test = nullptr;
  const Stmt *Branch = nullptr;
  for (size_t I = 0; I + 1 < Path.size(); ++I)
    if (const auto *If = dyn_cast<IfStmt>(Path[I]);
        If && (Path[I + 1] == If->getThen() || Path[I + 1] == If->getElse())) {
      Test = If;
      Branch = Path[I + 1];
    }
  if (!Test || endsTurn(Branch) || !comparesAmounts(*Test->getCond(), Unit))
    return false;
  const UnitAccesses &Accesses = Hot.accesses();
  // Raised and put back around what the branch does: no level.
  if (llvm::any_of(Accesses.in(*Use.Function), [&](unsigned Index) {
        const Access &Other = Accesses.all()[Index];
        StmtPath Rest;
        return &Other != &Use && Other.writes() &&
               Other.Object.isSameAs(Use.Object) &&
               findPath(*Branch, *Other.Site, Rest);
      }))
    return false;
  // Put back by an operation, too: what is only ever raised may be the end.
  const FieldDecl *Field = Use.Object.field();
  llvm::ArrayRef<unsigned> Uses;
  if (Field)
    Uses = Accesses.of(*Field);
  else if (Use.Object.Root)
    Uses = Accesses.of(*Use.Object.Root);
  return llvm::any_of(Uses, [&](unsigned Index) {
    const Access &Other = Accesses.all()[Index];
    if (Hot.kindOf(Other) != AccessKind::Write || !Other.IsConditional ||
        !Hot.isOnOperationPath(Other))
      return false;
    auto Others = atomicOperands(*Other.Site);
    return !Others.empty() && constantOf(Others[0], Unit) == 1 - *Value;
  });
}

} // namespace linesman::tidy
