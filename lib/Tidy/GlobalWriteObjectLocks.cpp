// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks of an object that several of its operations take for little, or for
// reading, and locks that a loop takes again on each short turn:
//
//     { guard g(m); queue.push_back(x); }     for (int i : ids) {
//     { guard g(m); sums[id].bytes += n; }      guard g(m); set(i);
//                                             }
//
// That the object has a lock says that several threads use it; how often, the
// unit does not tell, and the messages say so. No layout is a cure.

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Locks/CountingSections.h"
#include "Analysis/Locks/LockUses.h"
#include "Analysis/Locks/ShortSections.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Threads/ShortTurns.h"
#include "GlobalWriteCheck.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace linesman::tidy {

namespace {

struct ObjectSection {
  const FunctionDecl *Function = nullptr;
  HeldLock Held;
  bool OnlyRecords = false;
};

bool isIn(const HeldLock &Held, const Expr &Site) {
  return llvm::any_of(Held.Body, [&](const Stmt *S) {
    StmtPath Path;
    return findPath(*S, Site, Path);
  });
}

/// It counts in the object, or works on one of its members (push_back). What is
/// only given another value is a setting, whose class locks for everything.
bool worksOnObject(const HeldLock &Held, const FunctionDecl &Function,
                   HotAccesses &Hot) {
  return llvm::any_of(Hot.accesses().in(Function), [&](unsigned Index) {
    const Access &Use = Hot.accesses().all()[Index];
    const FieldDecl *Field = Use.Object.field();
    return Field && Field != namedIn(*Held.Lock) &&
           (Use.Kind == AccessKind::Update || Use.Kind == AccessKind::Mutate) &&
           (Use.Object.IsThis || Use.Object.Base) &&
           !Use.Object.IsLocalObject && !Use.IsConstruction && !Use.IsRare &&
           !setsBits(*Use.Site) && isIn(Held, *Use.Site);
  });
}

/// Given another value by the loop.
bool changes(const Stmt &Loop, const VarDecl &Var) {
  const Expr *Target = nullptr;
  if (const auto *Binary = dyn_cast<BinaryOperator>(&Loop))
    Target = Binary->isAssignmentOp() ? Binary->getLHS() : nullptr;
  else if (const auto *Unary = dyn_cast<UnaryOperator>(&Loop))
    Target = Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf
                 ? Unary->getSubExpr()
                 : nullptr;
  return (Target && variableOf(*Target) == &Var) ||
         llvm::any_of(Loop.children(), [&](const Stmt *Child) {
           return Child && changes(*Child, Var);
         });
}

/// Another one on each turn: declared in the loop, changed by it, or what a
/// call or an index gives.
bool isOfTurn(const Stmt &Lock, const Stmt &Loop, const ASTContext &Unit) {
  const auto *Ref = dyn_cast<DeclRefExpr>(&Lock);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (Var && (changes(Loop, *Var) ||
              Unit.getSourceManager().isPointWithin(
                  Var->getLocation(), Loop.getBeginLoc(), Loop.getEndLoc())))
    return true;
  return isa<CallExpr, ArraySubscriptExpr>(Lock) ||
         llvm::any_of(Lock.children(), [&](const Stmt *Child) {
           return Child && isOfTurn(*Child, Loop, Unit);
         });
}

const Stmt *bodyOf(const Stmt &Loop) {
  const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop);
  return Range ? Range->getBody() : cast<ForStmt>(Loop).getBody();
}

/// set_level(): now and then, whoever calls it.
bool isNamedSetter(const FunctionDecl &Function) {
  return Function.getIdentifier() &&
         llvm::any_of(wordsOf(Function.getName()), [](llvm::StringRef Word) {
           return Word.equals_insensitive("set");
         });
}

/// What is written there has been reported, with its lock.
bool holdsReported(const ObjectSection &One, const UnitAccesses &All,
                   const UnitAnalyses &Analyses) {
  return llvm::any_of(All.in(*One.Function), [&](unsigned Index) {
    const Access &Use = All.all()[Index];
    const FieldDecl *Field = Use.Object.field();
    return Use.writes() && isIn(One.Held, *Use.Site) &&
           ((Field && Analyses.ReportedWords.contains(Field)) ||
            Analyses.ReportedParts.contains({Use.Object.Root, Field}));
  });
}

} // namespace

void GlobalWriteCheck::checkObjectLocks(const UnitAccesses &All,
                                        const TypeKinds &Kinds) {
  // Fewer are often a registration and its end.
  constexpr size_t FewestTakers = 3;
  constexpr size_t FewestRecorders = 2;
  constexpr size_t MostStatements = 4;
  HotAccesses Hot(All, Kinds);
  llvm::MapVector<const FieldDecl *, llvm::SmallVector<ObjectSection, 4>>
      Sections;
  for (const FunctionDecl *Function : All.functions()) {
    if (!Hot.isOperation(Function) || !All.isUsedHere(*Function) ||
        isNamedSetter(*Function))
      continue;
    for (const HeldLock &Held :
         heldLocks(*Function, Kinds, LockPlace::Member)) {
      const auto *Lock = dyn_cast_if_present<FieldDecl>(namedIn(*Held.Lock));
      if (!Lock || Held.Body.size() > MostStatements ||
          !llvm::all_of(Held.Body, [](const Stmt *S) { return isShort(*S); }) ||
          common().isAccepted(*Lock) || All.isNamedInBrokenCode(*Lock) ||
          !worksOnObject(Held, *Function, Hot))
        continue;
      // Instantiations are one function.
      auto &Known = Sections[Lock];
      if (llvm::none_of(Known, [&](const ObjectSection &One) {
            return One.Function->getLocation() == Function->getLocation();
          }))
        Known.push_back({Function, Held, isRecord(Held)});
    }
  }
  for (const auto &[Lock, Takers] : Sections) {
    const auto *Recorder = llvm::find_if(
        Takers, [](const ObjectSection &One) { return One.OnlyRecords; });
    const size_t Recorders = llvm::count_if(
        Takers, [](const ObjectSection &One) { return One.OnlyRecords; });
    const bool OnlyRecords =
        Recorders >= FewestRecorders && Recorders == Takers.size();
    if ((Takers.size() < FewestTakers && !OnlyRecords) ||
        llvm::any_of(Takers,
                     [&](const ObjectSection &One) {
                       return holdsReported(One, All, analyses());
                     }) ||
        !analyses().ReportedParts.insert({Lock, nullptr}).second)
      continue;
    const ObjectSection &First = OnlyRecords ? *Recorder : Takers.front();
    warn(
        place(*First.Held.Lock), {.Subject = *Lock, .Function = First.Function},
        "'%0' is one lock for all that threads do with the object, and %1 "
        "functions take it %select{for a few statements each|only to add up}2, "
        "here '%3': each call moves its cache line, and those of what it "
        "guards, to the core that runs the call and away from all others; if "
        "several threads often call them for the same object, "
        "%select{hand over several at once, or split what it guards|keep one "
        "copy per thread and add them where they are read}2")
        << fieldName(*Lock) << unsigned(Takers.size()) << OnlyRecords
        << plainName(*First.Function);
    diag(Lock->getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << fieldName(*Lock);
  }
}

void GlobalWriteCheck::checkObjectReadLocks(const UnitAccesses &All,
                                            const TypeKinds &Kinds) {
  // As of those with static storage: with fewer readers, or more writers, it is
  // not what threads do all the time.
  constexpr size_t FewestReaders = 3;
  HotAccesses Hot(All, Kinds);
  llvm::SmallPtrSet<const FieldDecl *, 16> Seen;
  for (const Access &Use : All.all()) {
    const FieldDecl *Lock = Use.Object.field();
    if (!Lock || Use.Object.Root || !Use.writes() ||
        !isLockField(*Lock, Kinds) || !Seen.insert(Lock).second ||
        common().isAccepted(*Lock) || All.isNamedInBrokenCode(*Lock))
      continue;
    const LockUse Taken = findUses(*Lock, Hot, All.unit());
    if (Taken.ReadTakers.size() < FewestReaders ||
        Taken.Takers.size() - Taken.ReadTakers.size() > 1 ||
        !analyses().ReportedParts.insert({Lock, nullptr}).second)
      continue;
    const Access &First = *Taken.ReadTake;
    warn(place(First), {.Subject = *Lock, .Function = First.Function},
         "'%0' is one lock for all that threads do with the object, and %1 "
         "functions take it for reading, here '%2': they let each other in, "
         "and each still writes its cache line, which moves to the core that "
         "runs the call and away from all others; if several threads often "
         "call them for the same object, let readers see a snapshot without a "
         "lock, and keep the lock on a line of its own")
        << fieldName(*Lock) << unsigned(Taken.ReadTakers.size())
        << plainName(*First.Function);
    diag(Lock->getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << fieldName(*Lock);
  }
}

void GlobalWriteCheck::checkTurnLocks(const UnitAccesses &All,
                                      const TypeKinds &Kinds) {
  HotAccesses Hot(All, Kinds);
  for (const FunctionDecl *Function : All.functions()) {
    if (!Hot.isOperation(Function) || !All.isUsedHere(*Function))
      continue;
    for (LockPlace Place : {LockPlace::Static, LockPlace::Member})
      for (const HeldLock &Held : heldLocks(*Function, Kinds, Place)) {
        const ValueDecl *Lock = namedIn(*Held.Lock);
        // Who waits for work takes a lock on each turn of a loop without end.
        if (!Lock || !isa_and_nonnull<ForStmt, CXXForRangeStmt>(Held.Loop) ||
            (isa<ForStmt>(Held.Loop) && !cast<ForStmt>(Held.Loop)->getCond()) ||
            isLongTurn(*bodyOf(*Held.Loop)) ||
            isOfTurn(*Held.Lock, *Held.Loop, All.unit()) ||
            !llvm::all_of(Held.Body,
                          [](const Stmt *S) { return isShort(*S); }) ||
            common().isAccepted(*Lock) || All.isNamedInBrokenCode(*Lock) ||
            holdsReported({Function, Held}, All, analyses()) ||
            !analyses().ReportedParts.insert({Lock, nullptr}).second)
          continue;
        warn(place(*Held.Lock), {.Subject = *Lock, .Function = Function},
             "'%0' takes the lock '%1' on each turn of this loop, whose turns "
             "are short: where other threads take it meanwhile, each turn "
             "waits for its cache line; take it once around the loop, or "
             "gather what the turns have and hand it over at once")
            << plainName(*Function) << plainName(*Lock);
        diag(Lock->getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
            << plainName(*Lock);
      }
  }
}

void GlobalWriteCheck::checkHeldLocks(const UnitAccesses &All,
                                      const TypeKinds &Kinds) {
  checkTurnLocks(All, Kinds);
  checkObjectLocks(All, Kinds);
  checkObjectReadLocks(All, Kinds);
}

} // namespace linesman::tidy
