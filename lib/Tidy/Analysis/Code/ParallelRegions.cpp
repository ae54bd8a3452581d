// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Names/ThreadCounts.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/AST/OpenMPClause.h"
#include "clang/Basic/OpenMPKinds.h"

using namespace clang;

namespace linesman::tidy {

const DeclContext *threadsOwnContext(const OMPExecutableDirective &Directive) {
  if (!isOpenMPParallelDirective(Directive.getDirectiveKind()) ||
      !Directive.hasAssociatedStmt())
    return nullptr;
  // `target parallel for` is captured once for each of its parts.
  llvm::SmallVector<OpenMPDirectiveKind, 4> Regions;
  getOpenMPCaptureRegions(Regions, Directive.getDirectiveKind());
  const Stmt *S = Directive.getAssociatedStmt();
  for (OpenMPDirectiveKind Kind : Regions) {
    const auto *Captured = dyn_cast_if_present<CapturedStmt>(S);
    if (!Captured)
      return nullptr;
    if (Kind == llvm::omp::OMPD_parallel)
      return Captured->getCapturedDecl();
    S = Captured->getCapturedStmt();
  }
  return nullptr;
}

const VarDecl *counterOf(const ForStmt &Loop) {
  const auto *Test = dyn_cast_if_present<BinaryOperator>(Loop.getCond());
  return Test && Test->getOpcode() == BO_LT ? variableOf(*Test->getLHS())
                                            : nullptr;
}

/// The function that \p E asks for a number, with no arguments, also by way of
/// a local that it initialises: `const int threads = thread_count();`. Null for
/// anything else.
static const FunctionDecl *askedFunction(const Expr &E) {
  const Expr *Asking = E.IgnoreParenCasts();
  if (const VarDecl *Var = variableOf(*Asking);
      Var && Var->hasLocalStorage() && Var->hasInit() &&
      !Var->getInit()->isValueDependent())
    Asking = Var->getInit()->IgnoreParenCasts();
  if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(Asking))
    Asking = Cleanups->getSubExpr()->IgnoreParenCasts();
  const auto *Call = dyn_cast<CallExpr>(Asking);
  const FunctionDecl *Callee =
      Call && Call->getNumArgs() == 0 && !isa<CXXMemberCallExpr>(Call)
          ? Call->getDirectCallee()
          : nullptr;
  return Callee ? Callee->getCanonicalDecl() : nullptr;
}

/// As many as there are threads, by the clause, by the library or by its name.
static bool isThreadCount(const Expr &Bound,
                          const OMPExecutableDirective &Directive) {
  const auto *Clause = Directive.getSingleClause<OMPNumThreadsClause>();
  const FunctionDecl *Asked =
      Clause ? askedFunction(*Clause->getNumThreads()) : nullptr;
  if (Asked && askedFunction(Bound) == Asked)
    return true;
  if (const auto *Call = dyn_cast<CallExpr>(Bound.IgnoreParenCasts())) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    return Callee && Callee->getIdentifier() &&
           (Callee->getName() == "omp_get_max_threads" ||
            Callee->getName() == "omp_get_num_threads");
  }
  const VarDecl *Var = variableOf(Bound);
  if (Clause)
    return Var && variableOf(*Clause->getNumThreads()) == Var;
  if (isNamedThreadCount(Bound))
    return true;
  return Var && Var->hasLocalStorage() && Var->hasInit() &&
         !Var->getInit()->isValueDependent() && !variableOf(*Var->getInit()) &&
         isThreadCount(*Var->getInit(), Directive);
}

const ForStmt *oneTurnEach(const OMPExecutableDirective &Directive) {
  if (!isOpenMPParallelDirective(Directive.getDirectiveKind()) ||
      !isOpenMPWorksharingDirective(Directive.getDirectiveKind()) ||
      !Directive.hasAssociatedStmt())
    return nullptr;
  const Stmt *Body = Directive.getAssociatedStmt();
  while (const auto *Captured = dyn_cast<CapturedStmt>(Body))
    Body = Captured->getCapturedStmt();
  const auto *Loop = dyn_cast<ForStmt>(Body);
  if (!Loop || !counterOf(*Loop))
    return nullptr;
  const Expr *Bound = cast<BinaryOperator>(Loop->getCond())->getRHS();
  return isThreadCount(*Bound, Directive) ? Loop : nullptr;
}

bool isCountAlone(const OMPCriticalDirective &Critical) {
  if (!Critical.hasAssociatedStmt())
    return false;
  const Stmt *Body = withoutCapture(Critical.getAssociatedStmt());
  while (const auto *Block = dyn_cast<CompoundStmt>(Body)) {
    if (Block->size() != 1)
      return false;
    Body = Block->body_front();
  }
  const auto *Counting = dyn_cast<Expr>(Body);
  if (!Counting)
    return false;
  const Expr *Counted = nullptr;
  if (const auto *Unary = dyn_cast<UnaryOperator>(Counting->IgnoreParens());
      Unary && Unary->isIncrementDecrementOp())
    Counted = Unary->getSubExpr();
  else if (const auto *Sum = dyn_cast<BinaryOperator>(Counting->IgnoreParens());
           Sum && (Sum->getOpcode() == BO_AddAssign ||
                   Sum->getOpcode() == BO_SubAssign))
    Counted = Sum->getLHS();
  return Counted && Counted->getType()->isArithmeticType() &&
         (variableOf(*Counted) ||
          isa<MemberExpr>(Counted->IgnoreParenImpCasts()));
}

void addPrivates(const OMPExecutableDirective &Directive,
                 llvm::DenseSet<const VarDecl *> &Privates) {
  for (const OMPClause *Clause : Directive.clauses()) {
    switch (Clause->getClauseKind()) {
    case llvm::omp::OMPC_private:
    case llvm::omp::OMPC_firstprivate:
    case llvm::omp::OMPC_lastprivate:
    case llvm::omp::OMPC_linear:
    case llvm::omp::OMPC_reduction:
    case llvm::omp::OMPC_in_reduction:
      break;
    default:
      continue;
    }
    for (const Stmt *Node : Clause->children()) {
      // `reduction(+ : bins[:n])`: the variable comes first.
      while (Node && !isa<DeclRefExpr>(Node) &&
             Node->child_begin() != Node->child_end())
        Node = *Node->child_begin();
      const auto *Ref = dyn_cast_if_present<DeclRefExpr>(Node);
      if (const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr) {
        Privates.insert(Var);
        Privates.insert(Var->getCanonicalDecl());
      }
    }
  }
}

bool isPerThread(const VarDecl &Variable) {
  return Variable.getTLSKind() != VarDecl::TLS_None ||
         Variable.getCanonicalDecl()->hasAttr<OMPThreadPrivateDeclAttr>();
}

} // namespace linesman::tidy
