// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/RepeatedStores.h"
#include "Analysis/AccessPath.h"
#include "Analysis/AtomicOperands.h"
#include "Analysis/LoopObject.h"
#include "Analysis/StmtPath.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// do { ... } while (0), the macro's, is none.
const Stmt *turningLoop(const Stmt *Loop, const UnitAccesses &Accesses,
                        const ASTContext &Unit) {
  while (const auto *Do = dyn_cast_if_present<DoStmt>(Loop)) {
    if (constantOf(Do->getCond(), Unit) != 0)
      break;
    Loop = Accesses.outerLoop(*Loop);
  }
  return Loop;
}

bool endsLoop(const Stmt *S) {
  return S && isa<ReturnStmt, BreakStmt, GotoStmt, CXXThrowExpr>(S);
}

/// No branch and no way out between the loop and the store.
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
      for (const Stmt *Each : Block->body()) {
        if (IsAfter && endsLoop(Each))
          return false;
        IsAfter |= Each == Path[I + 1];
      }
    }
  }
  return true;
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

bool waits(const Stmt &S) {
  if (const auto *Call = dyn_cast<CallExpr>(&S))
    if (const FunctionDecl *Callee = Call->getDirectCallee();
        Callee && soundsLikeWaiting(*Callee))
      return true;
  return llvm::any_of(S.children(),
                      [](const Stmt *Child) { return Child && waits(*Child); });
}

} // namespace

bool repeatsStore(const Access &Each, HotAccesses &Hot,
                  const ASTContext &Unit) {
  if (Hot.kindOf(Each) != AccessKind::Write || !Hot.isAtomic(Each) ||
      Each.Object.Index || Each.Object.IsLocalObject)
    return false;
  const UnitAccesses &Accesses = Hot.accesses();
  const Stmt *Loop = turningLoop(Each.Loop, Accesses, Unit);
  const Expr *Object = operatedObject(*Each.Site);
  auto Operands = atomicOperands(*Each.Site);
  if (!Loop || !Object || Operands.empty() || !constantOf(Operands[0], Unit) ||
      !isSameOnEveryTurn(*Object, *Loop) || !isOnEveryTurn(*Loop, *Each.Site))
    return false;
  auto IsInLoop = [&](const Access &Other) {
    for (const Stmt *Around = Other.Loop; Around;
         Around = Accesses.outerLoop(*Around))
      if (Around == Loop)
        return true;
    return false;
  };
  for (unsigned Index : Accesses.in(*Each.Function)) {
    const Access &Other = Accesses.all()[Index];
    if (&Other != &Each && IsInLoop(Other) &&
        Other.Object.isSameAs(Each.Object))
      return false;
  }
  llvm::ArrayRef<unsigned> Uses;
  if (const FieldDecl *Field = Each.Object.field())
    Uses = Accesses.of(*Field);
  else if (Each.Object.Root)
    Uses = Accesses.of(*Each.Object.Root);
  return llvm::any_of(Uses,
                      [&](unsigned Index) {
                        const Access &Other = Accesses.all()[Index];
                        return Other.Kind == AccessKind::Read &&
                               Other.Function != Each.Function;
                      }) &&
         !waits(*Loop);
}

} // namespace linesman::tidy
