// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locals that several threads have, and count in on each turn of a loop: a
// region's, those that lambdas of started threads refer to, and those that the
// body of a parallel loop does. A word of the object for which a region's loop
// runs, or which started the threads for itself, is such a variable, too. And
// extremes that a region's threads keep in a critical section on each turn.

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Code/Conditions.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Threads/ObjectThreads.h"
#include "Analysis/Threads/ShortTurns.h"
#include "Analysis/Threads/ThreadStarts.h"
#include "GlobalWriteCheck.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

/// The object is a variable itself, or an element that the source says by a
/// constant: `counts[0]`. Cells that data picks are left alone.
bool isOneVariable(const Place &Object, const ASTContext &Unit) {
  return Object.Path.empty() && Object.OuterElements.empty() &&
         (!Object.Index || (!Object.Index->isValueDependent() &&
                            Object.Index->isIntegerConstantExpr(Unit)));
}

/// A word of the object for which the region's function was called: its own, or
/// one that it was handed by address or reference. All threads have the same.
bool isOfRegionsObject(const Access &Use) {
  const Place &Object = Use.Object;
  const VarDecl *Base = Object.Base;
  const bool IsHanded = Base && !Object.IsLocalObject &&
                        isa<ParmVarDecl>(Base) &&
                        Base->getDeclContext() == Use.Function;
  return Use.IsInRegion && !Object.Root && !Object.Index &&
         Object.OuterElements.empty() && !Object.IsPointee &&
         (Base ? IsHanded : Object.IsThis) &&
         (Object.Path.size() == 1 ||
          (Base && Object.Path.empty() && Base->getType()->isReferenceType()));
}

/// A word of the method's own object, for which several threads run it.
bool isOfStartersObject(const Access &Use, const ObjectThreads &Threads) {
  const Place &Object = Use.Object;
  return Object.IsThis && !Object.Root && !Object.Base && !Object.Index &&
         Object.OuterElements.empty() && !Object.IsPointee &&
         Object.Path.size() == 1 && Use.Function && Threads.run(*Use.Function);
}

/// A variable that several threads have, and update on each turn of a loop.
bool isUpdatedByThreads(const Access &Use, HotAccesses &Hot,
                        const ThreadStarts &Starts,
                        const ObjectThreads &Threads) {
  const bool IsTurn = Starts.isParallelTurn(Use.Function);
  const Stmt *Turn = Use.Loop ? Use.Loop
                     : IsTurn ? Use.Function->getBody()
                              : nullptr;
  const bool IsLocal = Use.Object.IsLocalObject && !Use.Object.Root &&
                       Use.Object.Base &&
                       isOneVariable(Use.Object, Hot.accesses().unit());
  const bool IsOfStarter = isOfStartersObject(Use, Threads);
  return (IsLocal || isOfRegionsObject(Use) || IsOfStarter) && Turn &&
         !Use.IsResultUsed && Use.Kind == AccessKind::Update &&
         Hot.operationOf(Use) == AtomicOperation::FetchModify &&
         (Use.IsInRegion || Starts.isStarted(Use.Function) ||
          Starts.isRunByStarted(Use.Function) || IsTurn || IsOfStarter) &&
         Hot.isHotWrite(Use) && !isLongTurn(*Turn) &&
         !isBatched(*Use.Function, *Use.Site);
}

/// `add(&sum, x)` on each turn, of a local that was declared before the region,
/// where add() does nothing to it but to update it atomically.
const VarDecl *sharedCount(const UnitAccesses::CallSite &Site,
                           HotAccesses &Hot) {
  const auto *Call = dyn_cast<CallExpr>(Site.Call);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
  if (!Site.IsInRegion || !Site.Loop || Site.IsRare || !Definition ||
      isa<CXXMemberCallExpr, CXXOperatorCallExpr>(Call) ||
      isBatched(*Site.Function, *Call))
    return nullptr;
  const UnitAccesses &All = Hot.accesses();
  for (unsigned I = 0; I < Call->getNumArgs() && I < Definition->getNumParams();
       ++I) {
    const ParmVarDecl *Parameter = Definition->getParamDecl(I);
    const Expr *Passed = Call->getArg(I)->IgnoreParenCasts();
    const auto *Address = dyn_cast<UnaryOperator>(Passed);
    if (Address && Address->getOpcode() == UO_AddrOf)
      Passed = Address->getSubExpr();
    else if (!Parameter->getType()->isReferenceType())
      continue;
    const VarDecl *Local = variableOf(*Passed);
    if (!Local || !Local->hasLocalStorage() ||
        Local->getDeclContext() != Site.Function ||
        Local->getType()->isReferenceType())
      continue;
    bool Counts = false, DoesMore = false;
    for (unsigned Index : All.in(*Definition)) {
      const Access &Use = All.all()[Index];
      if (Use.Object.Base != Parameter)
        continue;
      const bool IsCount =
          Use.Kind == AccessKind::Update && !Use.IsResultUsed &&
          Hot.operationOf(Use) == AtomicOperation::FetchModify &&
          Use.Object.Path.empty() && !Use.Object.Index;
      Counts |= IsCount;
      DoesMore |= !IsCount;
    }
    if (Counts && !DoesMore && !isLongTurn(*Site.Loop, Callee))
      return Local;
  }
  return nullptr;
}

/// The critical section around a write on a turn of a region's loop, if nothing
/// in it but `if (x > most) most = x;`, with what belongs to the new extreme:
/// its lock is taken on each turn, and nearly no turn writes. Null if the turn
/// has looked before.
const OMPCriticalDirective *sectionOfExtreme(const Access &Use,
                                             HotAccesses &Hot) {
  const VarDecl *Var = Use.Object.Root ? Use.Object.Root : Use.Object.Base;
  StmtPath Path;
  if (!Var || !Use.IsInRegion || !Use.Loop || !Use.writes() ||
      Use.Object.Index || !(Use.Object.Root || Use.Object.IsLocalObject) ||
      isPerThread(*Var) || !Hot.isOnOperationPath(Use) ||
      isLongTurn(*Use.Loop) || isBatched(*Use.Function, *Use.Site) ||
      !findPath(*Use.Loop, *Use.Site, Path))
    return nullptr;
  const OMPCriticalDirective *Section = nullptr;
  for (const Stmt *Outer : Path) {
    if (const auto *Critical = dyn_cast<OMPCriticalDirective>(Outer))
      Section = Critical;
    if (const auto *If = dyn_cast<IfStmt>(Outer);
        If && !Section && mentions(*If->getCond(), *Var))
      return nullptr;
  }
  const Stmt *Body = Section && Section->hasAssociatedStmt()
                         ? withoutCapture(Section->getAssociatedStmt())
                         : nullptr;
  while (const auto *Block = dyn_cast_if_present<CompoundStmt>(Body))
    Body = Block->size() == 1 ? Block->body_front() : nullptr;
  const auto *If = dyn_cast_if_present<IfStmt>(Body);
  const auto *Condition =
      If && !If->getElse()
          ? dyn_cast<BinaryOperator>(If->getCond()->IgnoreParenImpCasts())
          : nullptr;
  if (!Condition || !Condition->isRelationalOp() ||
      !contains(*If->getThen(), *Use.Site))
    return nullptr;
  // The word that is compared is the one that is written.
  auto IsWord = [&](const Expr &Side) {
    const Expr *E = Side.IgnoreParenImpCasts();
    if (const FieldDecl *Field = Use.Object.field()) {
      const auto *Member = dyn_cast<MemberExpr>(E);
      return Member && Member->getMemberDecl() == Field &&
             mentions(*Member, *Var);
    }
    return variableOf(*E) == Var;
  };
  return IsWord(*Condition->getLHS()) != IsWord(*Condition->getRHS()) ? Section
                                                                      : nullptr;
}

} // namespace

void GlobalWriteCheck::checkShared(const UnitAccesses &All,
                                   const TypeKinds &Kinds,
                                   const ThreadStarts &Starts,
                                   const ObjectThreads &Threads) {
  HotAccesses Hot(All, Kinds);
  llvm::SmallSet<SourceLocation, 4> Reported;
  auto Report = [&](const auto &Update, const Expr &Site,
                    const ValueDecl &Shared, const Expr *Index = nullptr) {
    std::string Name = plainName(Shared);
    if (Index)
      Name += "[" +
              llvm::toString(Index->EvaluateKnownConstInt(All.unit()), 10) +
              "]";
    if (common().isAccepted(Shared) ||
        !Reported.insert(Shared.getLocation()).second)
      return;
    warn(place(Site), {.Subject = Shared, .Function = Update.Function},
         "'%0' is one variable for all threads that run this loop, and each "
         "turn updates it: its cache line moves to the core that does and away "
         "from all others; count in a variable of each thread and add it "
         "afterwards%select{|, as a reduction clause does}1")
        << Name << Update.IsInRegion;
    diag(Shared.getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << plainName(Shared);
  };
  for (const Access &Use : All.all())
    if (isUpdatedByThreads(Use, Hot, Starts, Threads) &&
        (!Use.Object.field() ||
         analyses().ReportedWords.insert(Use.Object.field()).second))
      Report(Use, *Use.Site, *Use.Object.name(), Use.Object.Index);
  for (const UnitAccesses::CallSite &Site : All.calls())
    if (const VarDecl *Shared = sharedCount(Site, Hot))
      Report(Site, *Site.Call, *Shared);
  for (const Access &Use : All.all()) {
    const OMPCriticalDirective *Section = sectionOfExtreme(Use, Hot);
    const VarDecl *Var = Use.Object.Root ? Use.Object.Root : Use.Object.Base;
    if (!Section || common().isAccepted(*Var) ||
        !Reported.insert(Var->getLocation()).second)
      continue;
    const FieldDecl *Field = Use.Object.field();
    std::string Name = plainName(*Var);
    if (Field)
      Name += "." + Field->getName().str();
    warn(place(*Use.Site),
         {.Subject = *Var, .Function = Use.Function, .Field = Field},
         "'%0' is one variable for all threads that run this loop, and each "
         "turn takes the lock of a critical section%select{|, which without a "
         "name is one for the whole program,}1 to compare with it: the line of "
         "the lock moves to the core that takes it and away from all others; "
         "keep an extreme in each thread and combine them after the loop, as a "
         "reduction clause does")
        << Name << Section->getDirectiveName().getName().isEmpty();
    diag(Var->getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << plainName(*Var);
  }
}

} // namespace linesman::tidy
