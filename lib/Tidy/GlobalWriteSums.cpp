// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums to which threads that a loop started add behind a lock on each turn.

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Locks/CountingSections.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Threads/ShortTurns.h"
#include "Analysis/Threads/ThreadStarts.h"
#include "GlobalWriteCheck.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

/// A sum that all threads have that run a function.
struct CommonSum {
  const ValueDecl *Name = nullptr;
  const VarDecl *Static = nullptr;
  const FieldDecl *Field = nullptr;
};

/// What \p Sum names, if all threads that run \p Function have it: a variable
/// with static storage, one that a lambda refers to, or the object's own.
std::optional<CommonSum> commonSum(const Expr &Sum,
                                   const FunctionDecl &Function) {
  CommonSum Found;
  const Expr *E = Sum.IgnoreParenImpCasts();
  while (const auto *Member = dyn_cast<MemberExpr>(E)) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field)
      break;
    if (!Found.Field)
      Found.Field = Field;
    E = Member->getBase()->IgnoreParenImpCasts();
    if (Member->isArrow()) {
      Found.Name = Found.Field;
      return isa<CXXThisExpr>(E) ? std::optional(Found) : std::nullopt;
    }
  }
  const VarDecl *Var = variableOf(*E);
  if (!Var ||
      !(Var->hasGlobalStorage() ? !isPerThread(*Var)
                                : isCapturedByReference(*Var, Function)))
    return std::nullopt;
  Found.Name = Var;
  Found.Static = Var->hasGlobalStorage() ? Var : nullptr;
  return Found;
}

/// On each turn of a short loop, or of a parallel one.
bool isOnEachTurn(const Expr &Counting, const FunctionDecl &Function,
                  HotAccesses &Hot, const ThreadStarts &Starts) {
  Access Use;
  Use.Function = &Function;
  Use.Site = &Counting;
  StmtPath Path;
  if (!findPath(*Function.getBody(), Counting, Path))
    return false;
  for (const Stmt *Outer : Path)
    if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(Outer))
      Use.Loop = Outer;
  const Stmt *Turn = Use.Loop                           ? Use.Loop
                     : Starts.isParallelTurn(&Function) ? Function.getBody()
                                                        : nullptr;
  return Turn && Hot.isOnOperationPath(Use) && !Hot.isLockedAroundLoop(Use) &&
         !isLongTurn(*Turn) && !isBatched(Function, Counting);
}

} // namespace

void GlobalWriteCheck::checkSumsOfTurns(const UnitAccesses &All,
                                        const TypeKinds &Kinds,
                                        const ThreadStarts &Starts) {
  HotAccesses Hot(All, Kinds);
  llvm::SmallSet<SourceLocation, 4> Reported;
  for (const FunctionDecl *Function : All.functions()) {
    if (!Starts.isStarted(Function) && !Starts.isRunByStarted(Function) &&
        !Starts.isParallelTurn(Function) && !Starts.isStartedInLoop(*Function))
      continue;
    for (const CountingSection &Section :
         countingSections(*Function, Kinds, LockPlace::Anywhere)) {
      const Expr &Counting = *Section.front();
      std::optional<CommonSum> Sum = commonSum(countedIn(Counting), *Function);
      if (!Sum || common().isAccepted(*Sum->Name) ||
          !isOnEachTurn(Counting, *Function, Hot, Starts) ||
          !Reported.insert(Sum->Name->getLocation()).second)
        continue;
      if (Sum->Static)
        analyses().ReportedParts.insert({Sum->Static, Sum->Field});
      else if (Sum->Field &&
               !analyses().ReportedWords.insert(Sum->Field).second)
        continue;
      warn(place(Counting),
           {.Subject = *Sum->Name, .Function = Function, .Field = Sum->Field},
           "'%0' is one variable for all threads that run this loop, and each "
           "turn takes a lock for nothing but to add to it: the lines of the "
           "lock and of the sum move to the core that does and away from all "
           "others, and who comes meanwhile waits; count in a variable of each "
           "thread and add it afterwards")
          << plainName(*Sum->Name);
      diag(Sum->Name->getLocation(), "'%0' is declared here",
           DiagnosticIDs::Note)
          << plainName(*Sum->Name);
    }
  }
}

} // namespace linesman::tidy
