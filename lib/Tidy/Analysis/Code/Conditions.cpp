// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/Conditions.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/StmtPath.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace linesman::tidy {

const Stmt *conditionOf(const Stmt &S) {
  if (const auto *While = dyn_cast<WhileStmt>(&S))
    return While->getCond();
  if (const auto *Do = dyn_cast<DoStmt>(&S))
    return Do->getCond();
  if (const auto *For = dyn_cast<ForStmt>(&S))
    return For->getCond();
  if (const auto *If = dyn_cast<IfStmt>(&S))
    return If->getCond();
  return nullptr;
}

const Stmt *loopBodyOf(const Stmt &S) {
  if (const auto *For = dyn_cast<ForStmt>(&S))
    return For->getBody();
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&S))
    return Range->getBody();
  if (const auto *While = dyn_cast<WhileStmt>(&S))
    return While->getBody();
  const auto *Do = dyn_cast<DoStmt>(&S);
  return Do ? Do->getBody() : nullptr;
}

bool contains(const Stmt &Root, const Stmt &Part) {
  return &Root == &Part ||
         llvm::any_of(Root.children(), [&](const Stmt *Child) {
           return Child && contains(*Child, Part);
         });
}

bool leavesLoop(const Stmt *S) {
  if (const auto *Block = dyn_cast_if_present<CompoundStmt>(S))
    return !Block->body_empty() && leavesLoop(Block->body_back());
  return S && isa<ReturnStmt, BreakStmt, GotoStmt>(S);
}

bool isNegatedIn(const Expr &Condition, const Expr &Site,
                 const ASTContext &Unit) {
  StmtPath Path;
  if (!findPath(Condition, Site, Path))
    return false;
  bool IsNegated = false;
  for (const Stmt *Node : Path) {
    if (const auto *Unary = dyn_cast<UnaryOperator>(Node))
      IsNegated ^= Unary->getOpcode() == UO_LNot;
    const auto *Binary = dyn_cast<BinaryOperator>(Node);
    if (!Binary || !Binary->isEqualityOp())
      continue;
    const bool IsLeft = contains(*Binary->getLHS(), Site);
    std::optional<uint64_t> Other =
        constantOf(IsLeft ? Binary->getRHS() : Binary->getLHS(), Unit);
    // x == 0 and x != 1 are !x.
    if (Other)
      IsNegated ^= (*Other == 0) == (Binary->getOpcode() == BO_EQ);
  }
  return IsNegated;
}

} // namespace linesman::tidy
