// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Writes/RepeatedStores.h"
#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/LoopObject.h"
#include "Analysis/Code/MacroBlock.h"
#include "Analysis/Code/StmtPath.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

bool endsLoop(const Stmt *S) {
  return S && isa<ReturnStmt, BreakStmt, GotoStmt, CXXThrowExpr>(S);
}

bool soundsLikeWaiting(const FunctionDecl &Function) {
  if (!Function.getIdentifier())
    return false;
  StringRef Name = Function.getName();
  for (StringRef Word :
       {"sleep", "wait", "poll", "select", "accept", "join", "barrier"})
    if (Name.contains_insensitive(Word))
      return true;
  return false;
}

} // namespace

const Stmt *turningLoop(const Stmt *Loop, const UnitAccesses &Accesses) {
  while (macroBlock(Loop))
    Loop = Accesses.outerLoop(*Loop);
  return Loop;
}

bool isOnEveryTurn(const Stmt &Loop, const Expr &Site) {
  StmtPath Path;
  if (!findPath(Loop, Site, Path))
    return false;
  for (size_t I = 0; I + 1 < Path.size(); ++I) {
    if (isa<IfStmt, SwitchStmt, AbstractConditionalOperator, LambdaExpr,
            CXXTryStmt, CXXCatchStmt>(Path[I]))
      return false;
    if (const auto *Binary = dyn_cast<BinaryOperator>(Path[I]);
        Binary && Binary->isLogicalOp())
      return false;
    if (const auto *Block = dyn_cast<CompoundStmt>(Path[I])) {
      bool IsAfter = false;
      for (const Stmt *Node : Block->body()) {
        if (IsAfter && endsLoop(Node))
          return false;
        IsAfter |= Node == Path[I + 1];
      }
    }
  }
  return true;
}

bool waitsIn(const Stmt &S) {
  if (const auto *Call = dyn_cast<CallExpr>(&S))
    if (const FunctionDecl *Callee = Call->getDirectCallee();
        Callee && soundsLikeWaiting(*Callee))
      return true;
  return llvm::any_of(
      S.children(), [](const Stmt *Child) { return Child && waitsIn(*Child); });
}

/// A call that may run anything: by a pointer, of a virtual function, or of
/// what std::function holds. Lambdas in between are run elsewhere.
static bool callsUnseen(const Stmt &S) {
  if (isa<LambdaExpr>(S))
    return false;
  if (const auto *Call = dyn_cast<CallExpr>(&S);
      Call &&
      !isa<CXXPseudoDestructorExpr>(Call->getCallee()->IgnoreParenImpCasts())) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    const auto *Method = dyn_cast_if_present<CXXMethodDecl>(Callee);
    if (!Callee || (Method && (Method->isVirtual() ||
                               (Method->getOverloadedOperator() == OO_Call &&
                                Method->getParent()->isInStdNamespace()))))
      return true;
  }
  return llvm::any_of(S.children(), [](const Stmt *Child) {
    return Child && callsUnseen(*Child);
  });
}

bool repeatsStore(const Access &Use, HotAccesses &Hot, const ASTContext &Unit) {
  if (Hot.kindOf(Use) != AccessKind::Write || !Hot.isAtomic(Use) ||
      Use.Object.Index || Use.Object.IsLocalObject)
    return false;
  const UnitAccesses &Accesses = Hot.accesses();
  const Stmt *Loop = turningLoop(Use.Loop, Accesses);
  const Expr *Object = operatedObject(*Use.Site);
  auto Operands = atomicOperands(*Use.Site);
  if (!Loop || !Object || Operands.empty() || !constantOf(Operands[0], Unit) ||
      !isSameOnEveryTurn(*Object, *Loop) || !isOnEveryTurn(*Loop, *Use.Site))
    return false;
  auto IsInLoop = [&](const Access &Other) {
    for (const Stmt *Around = Other.Loop; Around;
         Around = Accesses.outerLoop(*Around))
      if (Around == Loop)
        return true;
    return false;
  };
  for (unsigned Index : Accesses.in(*Use.Function)) {
    const Access &Other = Accesses.all()[Index];
    if (&Other != &Use && IsInLoop(Other) && Other.Object.isSameAs(Use.Object))
      return false;
  }
  llvm::ArrayRef<unsigned> Uses;
  if (const FieldDecl *Field = Use.Object.field())
    Uses = Accesses.of(*Field);
  else if (Use.Object.Root)
    Uses = Accesses.of(*Use.Object.Root);
  auto IsElsewhere = [&](unsigned Index, bool Writes) {
    const Access &Other = Accesses.all()[Index];
    return Other.Function != Use.Function && !Other.IsConstruction &&
           (Writes ? Other.writes() : Other.Kind == AccessKind::Read);
  };
  // What the turn runs by a pointer may count in it, and the next turn starts
  // anew.
  return llvm::any_of(
             Uses, [&](unsigned Index) { return IsElsewhere(Index, false); }) &&
         !(callsUnseen(*Loop) && llvm::any_of(Uses,
                                              [&](unsigned Index) {
                                                return IsElsewhere(Index, true);
                                              })) &&
         !waitsIn(*Loop);
}

} // namespace linesman::tidy
