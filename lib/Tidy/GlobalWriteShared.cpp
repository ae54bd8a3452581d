// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locals that several threads have, and count in on each turn of a loop: a
// region's, those that lambdas of started threads refer to, and those that the
// body of a parallel loop does.

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Threads/ThreadStarts.h"
#include "GlobalWriteCheck.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

/// A turn that has a loop in it, or calls a function (not a small one), works
/// long enough for its count to be no matter: rows of an image that are done.
bool isLongTurn(const Stmt &S) {
  return llvm::any_of(S.children(), [](const Stmt *Child) {
    const Stmt *Inner = withoutCapture(Child);
    if (!Inner)
      return false;
    if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(Inner))
      return true;
    if (const auto *Call = dyn_cast<CallExpr>(Inner);
        Call && !isa<CXXOperatorCallExpr>(Call)) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      const auto *Method = dyn_cast_if_present<CXXMethodDecl>(Callee);
      if (!Callee || !(Callee->isInlined() || Callee->getBuiltinID() ||
                       (Method && Method->isConst())))
        return true;
    }
    return isLongTurn(*Inner);
  });
}

/// x % 64, x & 63.
bool hasRemainder(const Stmt &S) {
  const auto *Binary = dyn_cast<BinaryOperator>(&S);
  return (Binary &&
          (Binary->getOpcode() == BO_Rem || Binary->getOpcode() == BO_And)) ||
         llvm::any_of(S.children(), [](const Stmt *Child) {
           return Child && hasRemainder(*Child);
         });
}

/// `if (++mine % 64 == 0) done += 64;`: not on each turn.
bool isBatched(const Access &Use) {
  StmtPath Path;
  return findPath(*Use.Function->getBody(), *Use.Site, Path) &&
         llvm::any_of(Path, [](const Stmt *Around) {
           const auto *If = dyn_cast<IfStmt>(Around);
           return If && hasRemainder(*If->getCond());
         });
}

/// A local that several threads have, and update on each turn of a loop.
bool isUpdatedByThreads(const Access &Use, HotAccesses &Hot,
                        const ThreadStarts &Starts) {
  const bool IsTurn = Starts.isParallelTurn(Use.Function);
  const Stmt *Turn = Use.Loop ? Use.Loop
                     : IsTurn ? Use.Function->getBody()
                              : nullptr;
  return Use.Object.IsLocalObject && !Use.Object.Root && Use.Object.Base &&
         Use.Object.Path.empty() && !Use.Object.Index && Turn &&
         !Use.IsResultUsed && Use.Kind == AccessKind::Update &&
         Hot.operationOf(Use) == AtomicOperation::FetchModify &&
         (Use.IsInRegion || Starts.isStarted(Use.Function) ||
          Starts.isRunByStarted(Use.Function) || IsTurn) &&
         Hot.isHotWrite(Use) && !isLongTurn(*Turn) && !isBatched(Use);
}

} // namespace

void GlobalWriteCheck::checkShared(const UnitAccesses &All,
                                   const TypeKinds &Kinds,
                                   const ThreadStarts &Starts) {
  HotAccesses Hot(All, Kinds);
  llvm::SmallSet<SourceLocation, 4> Reported;
  for (const Access &Use : All.all()) {
    if (!isUpdatedByThreads(Use, Hot, Starts) ||
        common().isAccepted(*Use.Object.Base) ||
        !Reported.insert(Use.Object.Base->getLocation()).second)
      continue;
    warn(place(Use), {.Subject = *Use.Object.Base, .Function = Use.Function},
         "'%0' is one variable for all threads that run this loop, and each "
         "turn updates it: its cache line moves to the core that does and away "
         "from all others; count in a variable of each thread and add it "
         "afterwards%select{|, as a reduction clause does}1")
        << plainName(*Use.Object.Base) << Use.IsInRegion;
    diag(Use.Object.Base->getLocation(), "'%0' is declared here",
         DiagnosticIDs::Note)
        << plainName(*Use.Object.Base);
  }
}

} // namespace linesman::tidy
