// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/WaitingLoops.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/Conditions.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// What an if of the loop, or the loop's own condition, makes of \p Site, which
/// \p Around has in its condition.
std::optional<bool> goesOnBy(const Stmt &Around, const Stmt &Loop,
                             const Expr &Site, const ASTContext &Unit) {
  const auto *Condition = dyn_cast_if_present<Expr>(conditionOf(Around));
  if (!Condition || !contains(*Condition, Site))
    return std::nullopt;
  const bool IsTrueInside = !isNegatedIn(*Condition, Site, Unit);
  if (&Around == &Loop)
    return IsTrueInside;
  const auto *If = dyn_cast<IfStmt>(&Around);
  if (If && leavesLoop(If->getThen()))
    return !IsTrueInside;
  if (If && leavesLoop(If->getElse()))
    return IsTrueInside;
  return std::nullopt;
}

/// A local that has the value of \p Site, and what it was given.
struct GivenName {
  const VarDecl *Local = nullptr;
  const Expr *Value = nullptr;
};

GivenName nameFor(const StmtPath &Path, const Expr &Site) {
  for (const Stmt *Node : Path) {
    if (const auto *Declared = dyn_cast<DeclStmt>(Node)) {
      for (const Decl *Part : Declared->decls())
        if (const auto *Local = dyn_cast<VarDecl>(Part);
            Local && Local->hasInit() && contains(*Local->getInit(), Site))
          return {Local, Local->getInit()};
    } else if (const auto *Binary = dyn_cast<BinaryOperator>(Node);
               Binary && Binary->getOpcode() == BO_Assign &&
               contains(*Binary->getRHS(), Site)) {
      return {namedVariable(*Binary->getLHS()), Binary->getRHS()};
    }
  }
  return {};
}

const DeclRefExpr *findName(const Stmt &Root, const VarDecl &Local) {
  if (const auto *Reference = dyn_cast<DeclRefExpr>(&Root))
    return Reference->getDecl() == &Local ? Reference : nullptr;
  for (const Stmt *Child : Root.children())
    if (Child)
      if (const DeclRefExpr *Found = findName(*Child, Local))
        return Found;
  return nullptr;
}

/// What the first condition under \p Root that asks for \p Local decides.
std::optional<bool> goesOnByName(const Stmt &Root, const Stmt &Loop,
                                 const VarDecl &Local, const ASTContext &Unit) {
  if (const Stmt *Condition = conditionOf(Root))
    if (const DeclRefExpr *Name = findName(*Condition, Local))
      if (std::optional<bool> Answer = goesOnBy(Root, Loop, *Name, Unit))
        return Answer;
  for (const Stmt *Child : Root.children())
    if (Child)
      if (std::optional<bool> Answer = goesOnByName(*Child, Loop, Local, Unit))
        return Answer;
  return std::nullopt;
}

bool soundsLikePause(const FunctionDecl &Function) {
  return Function.getIdentifier() &&
         llvm::any_of(wordsOf(Function.getName()), [](StringRef Word) {
           return WordSwitch<bool>(Word)
               .Cases({"pause", "yield", "relax", "relaxed", "spin", "backoff",
                       "nop"},
                      true)
               .Default(false);
         });
}

/// pause(), yield(turns), and backoff.spin() of the function's own.
bool isPause(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !soundsLikePause(*Callee) ||
      !llvm::all_of(Call.arguments(), [](const Expr *Argument) {
        return isOwnNumber(*Argument);
      }))
    return false;
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  if (!Member)
    return !isa<CXXOperatorCallExpr>(Call);
  const auto *Object = dyn_cast<DeclRefExpr>(
      Member->getImplicitObjectArgument()->IgnoreParenImpCasts());
  const auto *Local = Object ? dyn_cast<VarDecl>(Object->getDecl()) : nullptr;
  return Local && Local->hasLocalStorage() &&
         !Local->getType()->isReferenceType();
}

bool onlyPauses(const Stmt &S, const Expr &Site) {
  if (&S == &Site)
    return true;
  auto Pauses = [&](const Stmt *Part) {
    return !Part || onlyPauses(*Part, Site);
  };
  if (const auto *If = dyn_cast<IfStmt>(&S))
    return Pauses(If->getCond()) &&
           (leavesLoop(If->getThen()) || Pauses(If->getThen())) &&
           (leavesLoop(If->getElse()) || Pauses(If->getElse()));
  if (const auto *Call = dyn_cast<CallExpr>(&S)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    // __builtin_expect(lock.exchange(1), 0)
    return isPause(*Call) || (Callee && Callee->getBuiltinID() &&
                              llvm::all_of(Call->arguments(), Pauses));
  }
  if (isa<MemberExpr, ArraySubscriptExpr, LambdaExpr, CXXNewExpr, AtomicExpr,
          CXXThisExpr>(S))
    return false;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(&S))
    if (const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl()))
      return Variable->hasLocalStorage() &&
             Variable->getType()->isArithmeticType();
  return llvm::all_of(S.children(), Pauses);
}

} // namespace

std::optional<bool> goesOnWhile(const Stmt &Loop, const Expr &Site,
                                const ASTContext &Unit) {
  StmtPath Path;
  if (!findPath(Loop, Site, Path))
    return std::nullopt;
  for (const Stmt *Around : Path)
    if (std::optional<bool> Answer = goesOnBy(*Around, Loop, Site, Unit))
      return Answer;
  const GivenName Given = nameFor(Path, Site);
  if (!Given.Local || !Given.Local->hasLocalStorage())
    return std::nullopt;
  std::optional<bool> Answer = goesOnByName(Loop, Loop, *Given.Local, Unit);
  return Answer && isNegatedIn(*Given.Value, Site, Unit) ? !*Answer : Answer;
}

bool isOwnNumber(const Expr &Argument) {
  const Expr *Value = Argument.IgnoreParenImpCasts();
  if (isa<IntegerLiteral, StringLiteral>(Value))
    return true;
  const VarDecl *Local = namedVariable(*Value);
  return Local && Local->hasLocalStorage() && Local->getType()->isIntegerType();
}

bool onlyWaits(const Stmt &Loop, const Expr &Site) {
  return llvm::all_of(Loop.children(), [&](const Stmt *Part) {
    return !Part || onlyPauses(*Part, Site);
  });
}

} // namespace linesman::tidy
