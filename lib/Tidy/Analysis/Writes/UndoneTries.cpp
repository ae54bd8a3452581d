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

bool isOfSameObject(const Place &A, const Place &B) {
  return A.Root == B.Root && A.Base == B.Base && A.IsThis == B.IsThis;
}

/// Another word of the object decides: `if (!writer.load()) return;`, and
/// nobody has looked at it before.
const Access *lookBehind(const Access &Use, const UnitAccesses &Accesses) {
  llvm::SmallVector<const Access *, 4> Before;
  bool IsAfter = false;
  for (unsigned Index : Accesses.in(*Use.Function)) {
    const Access &Other = Accesses.all()[Index];
    if (&Other == &Use) {
      IsAfter = true;
    } else if (!IsAfter) {
      Before.push_back(&Other);
    } else if (Other.Loop == Use.Loop && Other.Kind == AccessKind::Read &&
               Other.IsInCondition && !Other.Object.isSameAs(Use.Object) &&
               isOfSameObject(Other.Object, Use.Object) &&
               decidesToLeave(*Use.Loop, *Other.Site)) {
      return llvm::any_of(Before,
                          [&](const Access *Earlier) {
                            return Earlier->Object.isSameAs(Other.Object);
                          })
                 ? nullptr
                 : &Other;
    }
  }
  return nullptr;
}

} // namespace

bool isUndoneTry(const Access &Use, const UnitAccesses &Accesses) {
  if (Use.Atomic != AtomicOperation::FetchModify || !Use.Loop ||
      Use.Object.Index)
    return false;
  const bool DecidesItself = Use.IsInCondition && Use.IsResultUsed &&
                             decidesToLeave(*Use.Loop, *Use.Site);
  const Access *Decides = DecidesItself      ? &Use
                          : Use.IsResultUsed ? nullptr
                                             : lookBehind(Use, Accesses);
  if (!Decides)
    return false;
  bool IsAfter = false;
  for (unsigned Index : Accesses.in(*Use.Function)) {
    const Access &Other = Accesses.all()[Index];
    if (&Other == Decides)
      IsAfter = true;
    else if (IsAfter && Other.Loop == Use.Loop && !Other.IsResultUsed &&
             Other.Object.isSameAs(Use.Object) &&
             Other.Atomic == AtomicOperation::FetchModify)
      return true;
  }
  return false;
}

} // namespace linesman::tidy
