// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random generator that all threads draw from: a variable of the unit's, one
// in an object that starts several threads for itself, or the C library's. It
// needs no reader elsewhere: each draw reads what the one before has written.

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/WordSwitch.h"
#include "Analysis/Threads/ObjectThreads.h"
#include "Analysis/Threads/ThreadStarts.h"
#include "Analysis/Writes/RandomDraws.h"
#include "GlobalWriteCheck.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>

using namespace clang;

namespace linesman::tidy {

/// rand() and its kin, which take no state; std::random_shuffle(begin, end),
/// which calls them.
static bool isLibraryDraw(const FunctionDecl &Callee, const ASTContext &Unit) {
  if (Callee.getIdentifier() && Callee.isInStdNamespace() &&
      Callee.getName() == "random_shuffle")
    return Callee.getNumParams() == 2;
  return Callee.getIdentifier() && Callee.getNumParams() == 0 &&
         Callee.isExternC() &&
         Unit.getSourceManager().isInSystemHeader(Callee.getLocation()) &&
         WordSwitch<bool>(Callee.getName())
             .Cases({"rand", "random", "lrand48", "mrand48", "drand48"}, true)
             .Default(false);
}

/// \p Function, or who calls it, takes locks or changes atomics: the unit's own
/// word that several threads come by.
static bool meetsOthers(const FunctionDecl &Function, const TypeKinds &Kinds,
                        HotAccesses &Hot, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 2;
  const UnitAccesses &All = Hot.accesses();
  auto IsShared = [&](unsigned Index) {
    const Access &Use = All.all()[Index];
    const ValueDecl *Name = Use.Object.name();
    return Use.writes() && !Use.IsConstruction && Name &&
           (Hot.isAtomic(Use) || Kinds.isSynchronization(Name->getType()));
  };
  if (llvm::any_of(All.in(Function), IsShared))
    return true;
  return Depth != MaxDepth &&
         llvm::any_of(All.callersOf(Function), [&](const CodePlace &Caller) {
           return Caller.Function && !Caller.IsRare &&
                  Hot.isOperation(Caller.Function) &&
                  meetsOthers(*Caller.Function, Kinds, Hot, Depth + 1);
         });
}

/// A function that other units call, in a unit that does not tell whether they
/// have threads. The generator has no lock, and of a program with one thread
/// the unit with main() is the likeliest to say so.
static bool isForAnyCaller(const FunctionDecl &Function,
                           const UnitAccesses &All) {
  return Function.isExternallyVisible() && !Function.isMain() &&
         llvm::none_of(All.functions(), [](const FunctionDecl *Other) {
           return Other->isMain();
         });
}

/// A header's function, which whoever includes it may call.
static bool isInHeader(const FunctionDecl &Function, const ASTContext &Unit) {
  const SourceManager &Sources = Unit.getSourceManager();
  return Function.isInlined() &&
         !Sources.isInMainFile(Sources.getFileLoc(Function.getLocation()));
}

/// `double random_between(double a, double b) { return a + ... rand(); }`: it
/// is there to draw, for whoever calls it.
static bool drawsForCaller(const FunctionDecl &Function) {
  constexpr unsigned MostStatements = 3;
  const auto *Body = dyn_cast_if_present<CompoundStmt>(Function.getBody());
  return Body && Body->size() <= MostStatements &&
         Function.getReturnType()->isArithmeticType();
}

/// In a header's loop, or once for whoever calls the function.
static bool isAnybodysDraw(const UnitAccesses::CallSite &Site,
                           const Access &Draw, const UnitAccesses &All,
                           HotAccesses &Hot) {
  const FunctionDecl &Function = *Site.Function;
  return ((Site.Loop && isInHeader(Function, All.unit())) ||
          (!Site.Loop && drawsForCaller(Function))) &&
         Hot.isOnOperationPath(Draw) && All.isUsedHere(Function) &&
         isForAnyCaller(Function, All);
}

/// Threads run the code of \p Site again and again, by the loop around it.
static bool isThreadsLoop(const UnitAccesses::CallSite &Site,
                          const ThreadStarts &Starts, bool IsRepeated) {
  return Starts.isParallelTurn(Site.Function) ||
         (IsRepeated && (Site.IsInRegion || Starts.isStarted(Site.Function) ||
                         Starts.isRunByStarted(Site.Function) ||
                         Starts.isStartedInLoop(*Site.Function)));
}

namespace {

/// Who calls the function of a draw: `for (...) hits += in_circle(draw());` in
/// a region, with rand() in draw().
class CallingThreads {
public:
  CallingThreads(const UnitAccesses &All, const ThreadStarts &Starts)
      : Starts(Starts) {
    for (const UnitAccesses::CallSite &Site : All.calls())
      if (const auto *Call = dyn_cast<CallExpr>(Site.Call);
          Call && Call->getDirectCallee() && Site.Function && !Site.IsRare)
        Callers[Call->getDirectCallee()->getCanonicalDecl()].push_back(&Site);
  }

  /// \p IsRepeated: a loop is around the call on the way from the draw.
  bool run(const FunctionDecl &Function, bool IsRepeated, unsigned Depth = 0) {
    constexpr unsigned MaxDepth = 3;
    if (Depth == MaxDepth)
      return false;
    const FunctionDecl *Callee = Function.getCanonicalDecl();
    const std::pair Key(Callee, 2 * Depth + unsigned(IsRepeated));
    auto [Place, IsNew] = Known.try_emplace(Key, false);
    if (!IsNew)
      return Place->second;
    auto Found = Callers.find(Callee);
    const bool Answer =
        Found != Callers.end() &&
        llvm::any_of(Found->second, [&](const UnitAccesses::CallSite *Caller) {
          const bool IsInLoop = IsRepeated || Caller->Loop;
          return isThreadsLoop(*Caller, Starts, IsInLoop) ||
                 run(*Caller->Function, IsInLoop, Depth + 1);
        });
    return Known[Key] = Answer;
  }

private:
  const ThreadStarts &Starts;
  llvm::DenseMap<const FunctionDecl *,
                 llvm::SmallVector<const UnitAccesses::CallSite *, 2>>
      Callers;
  /// By the function, how far it is from the draw, and whether a loop is on the
  /// way.
  llvm::DenseMap<std::pair<const FunctionDecl *, unsigned>, bool> Known;
};

} // namespace

void GlobalWriteCheck::checkLibraryDraws(const UnitAccesses &All,
                                         const TypeKinds &Kinds,
                                         const ThreadStarts &Starts) {
  HotAccesses Hot(All, Kinds);
  llvm::SmallPtrSet<const FunctionDecl *, 2> Reported;
  std::optional<CallingThreads> Calling;
  auto IsCalledByThreads = [&](const UnitAccesses::CallSite &Site) {
    if (!Calling)
      Calling.emplace(All, Starts);
    return Calling->run(*Site.Function, Site.Loop);
  };
  for (const UnitAccesses::CallSite &Site : All.calls()) {
    const auto *Call = dyn_cast<CallExpr>(Site.Call);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee || !Site.Function || !isLibraryDraw(*Callee, All.unit()) ||
        common().isAccepted(*Callee))
      continue;
    Access Draw;
    Draw.Function = Site.Function;
    Draw.Site = Call;
    Draw.Loop = Site.Loop;
    const bool IsInThreads = isThreadsLoop(Site, Starts, Site.Loop);
    // What is held around the loop is held by who starts the region's threads.
    if (Site.IsRare || (Hot.isLocked(Draw) &&
                        !(Site.IsInRegion && Hot.isLockedAroundLoop(Draw))))
      continue;
    const bool AreThreadsKnown = IsInThreads || IsCalledByThreads(Site) ||
                                 (Hot.isOnOperationPath(Draw) &&
                                  meetsOthers(*Site.Function, Kinds, Hot));
    if ((!AreThreadsKnown && !isAnybodysDraw(Site, Draw, All, Hot)) ||
        !Reported.insert(Callee->getCanonicalDecl()).second)
      continue;
    warn(place(Draw), {.Subject = *Callee, .Function = Site.Function},
         "'%0' has one state for all threads that %select{call '%2'|run this "
         "loop|may call '%2'}1, and each call changes it: its cache line, and "
         "that of the lock which guards it in some libraries, move to the core "
         "that draws and away from all others; give each thread a generator "
         "of its own")
        << plainName(*Callee)
        << (IsInThreads       ? 1
            : AreThreadsKnown ? 0
                              : 2)
        << plainName(*Site.Function);
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

/// The function takes the lock for the draw alone: it writes nothing else that
/// others see, unless it is the first one.
static bool isLockedToDraw(const Access &Draw, const TypeKinds &Kinds,
                           HotAccesses &Hot) {
  const UnitAccesses &All = Hot.accesses();
  return Hot.isLockedHere(Draw) &&
         !Draw.Function->getReturnType()->isVoidType() &&
         llvm::none_of(All.in(*Draw.Function), [&](unsigned Index) {
           const Access &Use = All.all()[Index];
           return Use.writes() && !Use.IsConditional &&
                  (Use.Object.Root || Use.Object.IsThis) &&
                  Use.Object.Root != Draw.Object.Root &&
                  !Kinds.isSynchronization(Use.Object.name()->getType());
         });
}

void GlobalWriteCheck::checkOwnDraws(const UnitAccesses &All,
                                     const TypeKinds &Kinds,
                                     const ObjectThreads &Threads) {
  HotAccesses Hot(All, Kinds);
  for (const Access &Use : All.all()) {
    if (!drawsFromOwnEngine(Use) || Use.IsRare || Use.IsConstruction ||
        Hot.isLocked(Use) || common().isAccepted(*Use.Object.field()))
      continue;
    const FieldDecl &Generator = *Use.Object.field();
    if (!Threads.run(*Use.Function) ||
        !(Use.Loop || Threads.runInLoop(*Use.Function)) ||
        !analyses().ReportedWords.insert(&Generator).second)
      continue;
    warn(place(Use), {.Subject = Generator, .Function = Use.Function},
         "'%0' is one random generator for all threads that the object starts, "
         "and '%1' draws from it: each draw changes it, and its cache line "
         "moves to the core that draws and away from all others; give each "
         "thread a generator of its own")
        << fieldName(Generator) << plainName(*Use.Function);
    diag(Generator.getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << fieldName(Generator);
  }
}

/// The unit runs the function, or has the generator for all that do.
static bool isUnitsOwn(const Access &Use, const UnitAccesses &All) {
  const VarDecl *Definition = Use.Object.Root->getDefinition();
  const SourceManager &Sources = All.unit().getSourceManager();
  return All.isUsedHere(*Use.Function) ||
         (Definition &&
          Sources.isInMainFile(Sources.getFileLoc(Definition->getLocation())));
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
    const bool IsLocked = Hot.isLocked(Use);
    if (isPerThread(Generator) || common().isAccepted(Generator) ||
        (!InternalLinkage && !Generator.isExternallyVisible()) ||
        !Hot.isOnOperationPath(Use) || (IsLocked && IsGiven) ||
        (IsLocked && !isLockedToDraw(Use, Kinds, Hot)) ||
        !isUnitsOwn(Use, All) || Use.IsRare ||
        (IsGiven && !drawsFromResult(*Use.Function, All, Hot)))
      continue;
    if (!HasThreads)
      HasThreads = knowsThreads(All, Kinds, Starts);
    const bool AreThreadsKnown = *HasThreads || drawsForThreads(Use);
    // One by hand may be all that a small program wants.
    if (!(AreThreadsKnown || (isStandardEngine(Generator.getType()) &&
                              isForAnyCaller(*Use.Function, All))) ||
        !Reported.insert(Generator.getCanonicalDecl()).second)
      continue;
    analyses().ReportedParts.insert({Generator.getCanonicalDecl(), nullptr});
    warn(place(Use), {.Subject = Generator, .Function = Use.Function},
         "'%0' is one random generator for all threads, and '%1' "
         "%select{draws from it|gives it out|takes a lock to draw from "
         "it}2%select{|, which several threads may call}3: "
         "each draw changes it, and %select{its cache line moves|its cache "
         "line moves|the cache lines of both move}2 to the core that draws and "
         "away from all others; give each thread a generator of its own")
        << plainName(Generator) << plainName(*Use.Function)
        << (IsLocked  ? 2
            : IsGiven ? 1
                      : 0)
        << !AreThreadsKnown;
    diag(Generator.getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << plainName(Generator);
  }
}

} // namespace linesman::tidy
