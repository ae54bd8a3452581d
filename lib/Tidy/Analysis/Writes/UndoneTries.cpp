// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Writes/UndoneTries.h"
#include "Analysis/Code/StmtPath.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace linesman::tidy {

namespace {

bool leavesLoop(const Stmt *S) {
  if (const auto *Block = dyn_cast_if_present<CompoundStmt>(S))
    return !Block->body_empty() && leavesLoop(Block->body_back());
  return S && isa<ReturnStmt, BreakStmt, GotoStmt>(S);
}

/// The test of what the update gave leaves the loop.
bool decidesToLeave(const Stmt &Loop, const Expr &Site) {
  StmtPath Path;
  if (!findPath(Loop, Site, Path))
    return false;
  for (size_t I = 0; I + 1 < Path.size(); ++I)
    if (const auto *If = dyn_cast<IfStmt>(Path[I]))
      return Path[I + 1] == If->getCond() && leavesLoop(If->getThen());
  return false;
}

} // namespace

bool isUndoneTry(const Access &Use, const UnitAccesses &Accesses) {
  if (Use.Atomic != AtomicOperation::FetchModify || !Use.Loop ||
      !Use.IsInCondition || !Use.IsResultUsed || Use.Object.Index ||
      !decidesToLeave(*Use.Loop, *Use.Site))
    return false;
  bool IsAfter = false, IsUndone = false;
  for (unsigned Index : Accesses.in(*Use.Function)) {
    const Access &Other = Accesses.all()[Index];
    if (&Other == &Use)
      IsAfter = true;
    else if (IsAfter && Other.Loop == Use.Loop && !Other.IsResultUsed &&
             Other.Object.isSameAs(Use.Object))
      IsUndone |= Other.Atomic == AtomicOperation::FetchModify;
  }
  return IsUndone;
}

} // namespace linesman::tidy
