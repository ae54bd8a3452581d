// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one unit cannot show, and often is so nevertheless: an atomic word, or a
// lock, of an object that other units hand to several threads.
//
//     void Pass::step() { ...; done++; }          std::atomic<int> done;
//
// That the word is atomic, or that there is a lock, says that several threads
// have the object; nothing here says how often they meet. A unit has many of
// these, most of them harmless, and each would be said with the same words. So
// only the likeliest word and the likeliest lock of a unit are reported, only
// if no check has named them, and the messages say what has to hold.

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Locks/LockUses.h"
#include "Analysis/Locks/LockWords.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/RecordLines.h"
#include "Analysis/Names/ReferenceCounts.h"
#include "Analysis/Names/WordSwitch.h"
#include "GlobalWriteCheck.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// An atomic word of a record, and what the unit's operations do to it.
struct WordUse {
  /// Where they are written: instances of a template are one function.
  llvm::SmallDenseSet<SourceLocation, 4> Functions;
  const Access *First = nullptr;
  bool IsInLoop = false;
  /// It is only added to, and nobody looks at the sum on the spot.
  bool OnlyCounts = true;

  unsigned weight() const {
    return unsigned(2 * Functions.size()) + 2 * IsInLoop + OnlyCounts;
  }
};

/// A count of references belongs to who copies, and what goes wrong is rare.
bool isCountedSeldom(const FieldDecl &Word) {
  return isReferenceCountName(Word.getName()) ||
         llvm::any_of(wordsOf(Word.getName()), [](llvm::StringRef Part) {
           return WordSwitch<bool>(Part)
               .Cases({"ref", "refs", "refcnt", "references", "error", "errors",
                       "err", "errs", "fail", "failed", "failure", "failures",
                       "dropped", "warnings", "id", "ids"},
                      true)
               .Cases({"state", "status", "flags", "flag", "stop", "stopped",
                       "running", "closed", "done", "ready", "initialized"},
                      true)
               .Default(false);
         });
}

/// Without the scopes that it is in; that of a typedef, if it has no other.
std::string ownName(const RecordDecl &Record) {
  const std::string Name = plainName(Record);
  const size_t Scope = Name.rfind("::");
  return Scope == std::string::npos ? Name : Name.substr(Scope + 2);
}

/// A lock's, an atomic's or a count of references' own word, in a class that is
/// one by its name.
bool isPartOfPrimitive(const FieldDecl &Word) {
  const RecordDecl *Record = Word.getParent();
  return soundsLikeLock(Record) ||
         llvm::any_of(wordsOf(ownName(*Record)), [](llvm::StringRef Part) {
           return WordSwitch<bool>(Part)
               .Cases({"atomic", "mutex", "lock", "spinlock", "rwlock", "event",
                       "condition", "cond", "semaphore", "sem", "barrier",
                       "latch", "monitor", "guard"},
                      true)
               .Cases({"ref", "reference", "counted"}, true)
               .Default(false);
         });
}

/// The object's first or last function, or one of its settings'.
bool makesOrEnds(const FunctionDecl &Function) {
  return Function.getIdentifier() &&
         llvm::any_of(wordsOf(Function.getName()), [](llvm::StringRef Word) {
           return WordSwitch<bool>(Word)
               .Cases({"new", "create", "free", "delete", "clear", "close",
                       "open", "set", "start", "join", "wait"},
                      true)
               .Default(false);
         });
}

/// One thread has the object, as it says itself.
bool isThreadsOwn(const RecordDecl &Record) {
  return llvm::any_of(wordsOf(ownName(Record)), [](llvm::StringRef Part) {
    return WordSwitch<bool>(Part)
        .Cases({"thread", "pooled", "worker", "local", "tls", "cpu", "lcore"},
               true)
        .Default(false);
  });
}

/// Its record, or the word itself, is on lines of its own: somebody has thought
/// of them.
bool isIsolated(const FieldDecl &Word, const ASTContext &Unit, uint64_t Line) {
  const RecordDecl *Record = Word.getParent();
  std::optional<RecordLines> Lines =
      Record->isCompleteDefinition() ? RecordLines::build(*Record, Unit, Line)
                                     : std::nullopt;
  return !Lines || Lines->isolatesDeliberately() || Lines->alignment() >= Line;
}

} // namespace

void GlobalWriteCheck::checkLikeliestWord(const UnitAccesses &All,
                                          const TypeKinds &Kinds) {
  HotAccesses Hot(All, Kinds);
  // By where they are declared, as Named has it.
  llvm::MapVector<SourceLocation, WordUse> Words;
  for (const Access &Use : All.all()) {
    const FieldDecl *Word = Use.Object.field();
    if (!Word || !Use.writes() || !Use.Function || Use.Object.Root ||
        Use.Object.Index || Use.Object.IsLocalObject || Use.IsConstruction ||
        Use.IsRare || !(Hot.isAtomic(Use) || Hot.callsAtomicUpdate(Use)))
      continue;
    const AtomicOperation Operation = Hot.operationOf(Use);
    const bool Counts =
        Operation == AtomicOperation::FetchModify || Hot.callsAtomicUpdate(Use);
    if ((!Counts &&
         !(Operation == AtomicOperation::CompareExchange && Use.Loop)) ||
        setsBits(*Use.Site) || isNeutralUpdate(*Use.Site, All.unit()) ||
        // An atomic count behind a lock is one for those with another lock.
        !(Counts ? Hot.isOnOperationPath(Use) : Hot.isHotWrite(Use)) ||
        !All.isUsedHere(*Use.Function) ||
        Kinds.isSynchronization(Word->getType()) || soundsLikeLock(Word) ||
        isPartOfPrimitive(*Word) || isThreadsOwn(*Word->getParent()) ||
        isCountedSeldom(*Word) || common().isAccepted(*Word) ||
        common().isAccepted(*Word->getParent()) ||
        All.isNamedInBrokenCode(*Word) ||
        (Use.Object.Base && isPerThread(*Use.Object.Base)))
      continue;
    WordUse &Known = Words[Word->getLocation()];
    Known.Functions.insert(Use.Function->getLocation());
    Known.IsInLoop |= Use.Loop != nullptr;
    Known.OnlyCounts &= Counts && !Use.IsResultUsed;
    if (!Known.First || (Use.Loop && !Known.First->Loop))
      Known.First = &Use;
  }
  // A header's word would be each of its units' likeliest.
  constexpr size_t FewestOfHeader = 3;
  auto IsHeaders = [&](const Access &Use) {
    const SourceManager &Sources = All.unit().getSourceManager();
    return !Sources.isInMainFile(Sources.getFileLoc(place(Use)));
  };
  const WordUse *Best = nullptr;
  for (const auto &[Location, Use] : Words)
    if (!analyses().Named.contains(Location) &&
        (Use.Functions.size() >= FewestOfHeader || !IsHeaders(*Use.First)) &&
        !isIsolated(*Use.First->Object.field(), All.unit(),
                    common().CacheLineSize) &&
        (!Best || Use.weight() > Best->weight()))
      Best = &Use;
  if (!Best)
    return;
  const FieldDecl &Word = *Best->First->Object.field();
  warn(place(*Best->First),
       {.Subject = Word, .Function = Best->First->Function},
       "'%0' is one atomic word for all threads that have the object, and "
       "%select{'%2' changes it|%1 functions change it, here '%2'}3: each "
       "change moves its cache line to the core that makes it and away from "
       "all others; if several threads often do this to the same object, "
       "%select{change it less often, or for several steps at once|keep one "
       "count per thread, or add up several steps first}4")
      << fieldName(Word) << unsigned(Best->Functions.size())
      << plainName(*Best->First->Function) << (Best->Functions.size() > 1)
      << Best->OnlyCounts;
  diag(Word.getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
      << fieldName(Word);
}

bool GlobalWriteCheck::mayBeLikely(const ValueDecl &Lock,
                                   const TypeKinds &Kinds) {
  const auto *Field = dyn_cast<FieldDecl>(&Lock);
  const auto *Var = dyn_cast<VarDecl>(&Lock);
  if (common().isAccepted(Lock) ||
      analyses().Accesses->isNamedInBrokenCode(Lock) ||
      analyses().Named.contains(Lock.getLocation()) ||
      analyses().ReportedParts.contains({&Lock, nullptr}))
    return false;
  if (Field)
    return isLockField(*Field, Kinds) && !isPartOfPrimitive(*Field) &&
           !isThreadsOwn(*Field->getParent()) &&
           !common().isAccepted(*Field->getParent());
  return Var && Var->hasGlobalStorage() && !isPerThread(*Var) &&
         (InternalLinkage || Var->isExternallyVisible()) &&
         !Var->getType()->isPointerType() && isLockType(Var->getType(), Kinds);
}

void GlobalWriteCheck::checkLikeliestLocks(const UnitAccesses &All,
                                           const TypeKinds &Kinds) {
  // Fewer are what every object with a lock has. One of the whole program is
  // often for what is done now and then.
  constexpr size_t FewestTakers = 4, FewestTakersOfStatic = 5;
  // With more, the unit's other findings go under.
  constexpr size_t MostReports = 2;
  HotAccesses Hot(All, Kinds);
  llvm::SmallPtrSet<const ValueDecl *, 16> Seen;
  llvm::SmallVector<std::pair<const ValueDecl *, LockUse>, 8> Locks;
  for (const Access &Use : All.all()) {
    const ValueDecl *Lock = Use.Object.name();
    if (!Lock || !Use.writes() || Use.Object.Index ||
        !Seen.insert(Lock).second || !mayBeLikely(*Lock, Kinds))
      continue;
    const auto *Field = dyn_cast<FieldDecl>(Lock);
    LockUse Taken = Field ? findUses(*Field, Hot, All.unit())
                          : findUses(*cast<VarDecl>(Lock), Hot, All.unit());
    llvm::erase_if(Taken.Takes, [&](const Access *Take) {
      return makesOrEnds(*Take->Function) || !All.isUsedHere(*Take->Function);
    });
    if (Taken.Takes.size() >= (Field ? FewestTakers : FewestTakersOfStatic))
      Locks.push_back({Lock, std::move(Taken)});
  }
  llvm::stable_sort(Locks, [](const auto &A, const auto &B) {
    return A.second.Takes.size() > B.second.Takes.size();
  });
  for (const auto &[Lock, Taken] :
       llvm::ArrayRef(Locks).take_front(MostReports)) {
    const Access &First = *Taken.Takes.front();
    warn(place(First), {.Subject = *Lock, .Function = First.Function},
         "'%0' is one lock for %select{the whole program|all that threads do "
         "with the object}3, and %1 functions of this unit take it, here "
         "'%2': each call moves its cache line, and those of what it guards, "
         "to the core that runs the call and away from all others; if several "
         "threads often call them%select{| for the same object}3, split what "
         "it guards, or let those that only read do without it")
        << plainName(*Lock) << unsigned(Taken.Takes.size())
        << plainName(*First.Function) << isa<FieldDecl>(Lock);
    diag(Lock->getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << plainName(*Lock);
  }
}

void GlobalWriteCheck::checkRest(ASTContext &Unit) {
  TypeKinds Kinds = typeKinds();
  const UnitAccesses &All = accesses(Unit);
  checkLikeliestWord(All, Kinds);
  checkLikeliestLocks(All, Kinds);
}

} // namespace linesman::tidy
