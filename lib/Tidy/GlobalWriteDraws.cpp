// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random generator that all threads draw from: a variable of the unit's, or
// the C library's. It needs no reader elsewhere: each draw reads what the one
// before has written.

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/WordSwitch.h"
#include "Analysis/Threads/ThreadStarts.h"
#include "Analysis/Writes/RandomDraws.h"
#include "GlobalWriteCheck.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>

using namespace clang;

namespace linesman::tidy {

/// rand() and its kin, which take no state.
static bool isLibraryDraw(const FunctionDecl &Callee, const ASTContext &Unit) {
  return Callee.getIdentifier() && Callee.getNumParams() == 0 &&
         Callee.isExternC() &&
         Unit.getSourceManager().isInSystemHeader(Callee.getLocation()) &&
         WordSwitch<bool>(Callee.getName())
             .Cases({"rand", "random", "lrand48", "mrand48", "drand48"}, true)
             .Default(false);
}

void GlobalWriteCheck::checkLibraryDraws(const UnitAccesses &All,
                                         const TypeKinds &Kinds,
                                         const ThreadStarts &Starts) {
  HotAccesses Hot(All, Kinds);
  llvm::SmallPtrSet<const FunctionDecl *, 2> Reported;
  for (const UnitAccesses::CallSite &Site : All.calls()) {
    const auto *Call = dyn_cast<CallExpr>(Site.Call);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    const bool IsTurn = Starts.isParallelTurn(Site.Function);
    if (!Callee || !(Site.Loop || IsTurn) || !Site.Function ||
        !isLibraryDraw(*Callee, All.unit()) || common().isAccepted(*Callee) ||
        !(Site.IsInRegion || Starts.isStarted(Site.Function) ||
          Starts.isRunByStarted(Site.Function) || IsTurn))
      continue;
    Access Draw;
    Draw.Function = Site.Function;
    Draw.Site = Call;
    Draw.Loop = Site.Loop;
    if (Hot.isLocked(Draw) ||
        !Reported.insert(Callee->getCanonicalDecl()).second)
      continue;
    warn(place(Draw), {.Subject = *Callee, .Function = Site.Function},
         "'%0' has one state for all threads that run this loop, and each call "
         "changes it: its cache line, and that of the lock which guards it in "
         "some libraries, move to the core that draws and away from all "
         "others; give each thread a generator of its own")
        << plainName(*Callee);
  }
}

/// Some operation calls the function, more than to seed what it gives.
static bool drawsFromResult(const FunctionDecl &Giver, const UnitAccesses &All,
                            HotAccesses &Hot) {
  return llvm::any_of(All.callersOf(Giver), [&](const CodePlace &Caller) {
    return Caller.Function && Hot.isOperation(Caller.Function) &&
           !llvm::StringRef(Caller.Function->getNameAsString())
                .contains_insensitive("seed");
  });
}

void GlobalWriteCheck::checkDraws(const UnitAccesses &All,
                                  const TypeKinds &Kinds,
                                  const ThreadStarts &Starts) {
  checkLibraryDraws(All, Kinds, Starts);
  HotAccesses Hot(All, Kinds);
  llvm::SmallPtrSet<const VarDecl *, 4> Reported;
  std::optional<bool> HasThreads;
  for (const Access &Use : All.all()) {
    const bool IsGiven = givesOutEngine(Use);
    if (!IsGiven && !drawsRandom(Use))
      continue;
    const VarDecl &Generator = *Use.Object.Root;
    if (isPerThread(Generator) || common().isAccepted(Generator) ||
        (!InternalLinkage && !Generator.isExternallyVisible()) ||
        !Hot.isOnOperationPath(Use) || Hot.isLocked(Use) ||
        !All.isUsedHere(*Use.Function) || Use.IsRare ||
        (IsGiven && !drawsFromResult(*Use.Function, All, Hot)))
      continue;
    if (!HasThreads)
      HasThreads = knowsThreads(All, Kinds, Starts);
    if (!*HasThreads || !Reported.insert(Generator.getCanonicalDecl()).second)
      continue;
    analyses().ReportedParts.insert({Generator.getCanonicalDecl(), nullptr});
    warn(place(Use), {.Subject = Generator, .Function = Use.Function},
         "'%0' is one random generator for all threads, and '%1' "
         "%select{draws from it|gives it out}2: each draw changes it, and its "
         "cache line moves to the core that "
         "draws and away from all others; give each thread a generator of its "
         "own")
        << plainName(Generator) << plainName(*Use.Function) << IsGiven;
    diag(Generator.getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << plainName(Generator);
  }
}

} // namespace linesman::tidy
