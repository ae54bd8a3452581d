// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks with static storage that cost more than they guard: one that is taken
// for nothing but to count, and one that nearly all take for reading. Who takes
// it waits for its line, whoever else has it or not.

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Locks/CountingSections.h"
#include "Analysis/Locks/LockUses.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Writes/Statistics.h"
#include "GlobalWriteCheck.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// The access that \p Counting is, if a variable of the whole program is
/// counted that is only told.
const Access *statisticIn(const Expr &Counting, const FunctionDecl &Function,
                          HotAccesses &Hot) {
  const UnitAccesses &Accesses = Hot.accesses();
  for (unsigned Index : Accesses.in(Function)) {
    const Access &Use = Accesses.all()[Index];
    const VarDecl *Var = Use.Object.Root;
    if (Var && Use.Site->IgnoreParenCasts() == &Counting &&
        HotAccesses::isPlainCounting(Use) && !isPerThread(*Var) &&
        Hot.isOnOperationPath(Use) && isOnlyTold(Use, Accesses))
      return &Use;
  }
  return nullptr;
}

} // namespace

bool GlobalWriteCheck::isNeverRead(const VarDecl &Var,
                                   const UnitAccesses &All) {
  return !Var.isExternallyVisible() && !Var.isStaticLocal() &&
         llvm::all_of(All.of(Var), [&](unsigned Index) {
           const Access &Use = All.all()[Index];
           return Use.Kind == AccessKind::Write ||
                  (Use.Kind == AccessKind::Update && !Use.IsResultUsed);
         });
}

void GlobalWriteCheck::checkCountingLocks(const UnitAccesses &All,
                                          const TypeKinds &Kinds) {
  HotAccesses Hot(All, Kinds);
  llvm::SmallVector<const Access *, 8> Sites, Conditional;
  for (const FunctionDecl *Function : All.functions()) {
    for (const CountingSection &Section :
         countingSections(*Function, Kinds, LockPlace::Static)) {
      llvm::SmallVector<const Access *, 2> Counts;
      for (const Expr *Counting : Section)
        if (const Access *Use = statisticIn(*Counting, *Function, Hot))
          Counts.push_back(Use);
      // A part of what something is decided by.
      if (Counts.size() != Section.size() ||
          common().isAccepted(*Counts.front()->Object.Root) ||
          analyses().ReportedParts.contains(
              {Counts.front()->Object.Root, Counts.front()->Object.field()}) ||
          (LeavesUnread && isNeverRead(*Counts.front()->Object.Root, All)))
        continue;
      const bool IsRare =
          Counts.front()->IsConditional && !Counts.front()->Loop;
      (IsRare ? Conditional : Sites).push_back(Counts.front());
    }
  }
  // What is counted behind a condition may be rare. It is one more place of
  // statistics that are kept without one.
  for (const Access *Use : Conditional)
    if (llvm::any_of(Sites, [&](const Access *Kept) {
          return Kept->Object.Root == Use->Object.Root && !Kept->IsConditional;
        }))
      Sites.push_back(Use);
  // A single one may be the number of something; statistics are kept in many
  // places.
  constexpr size_t FewestPlaces = 2;
  if (Sites.size() < FewestPlaces)
    return;
  std::stable_partition(Sites.begin(), Sites.end(),
                        [](const Access *Use) { return !Use->IsConditional; });
  const Access &First = *Sites.front();
  const FieldDecl *Field = First.Object.field();
  std::string Name = plainName(*First.Object.Root);
  if (Field)
    Name += "." + Field->getName().str();
  // That others take the lock for little is the same cause.
  analyses().ReportedParts.insert({First.Object.Root, Field});
  if (const auto Held = heldLock(*First.Function, Kinds, LockPlace::Static))
    if (const auto *Lock = dyn_cast_if_present<VarDecl>(namedIn(*Held->Lock)))
      analyses().ReportedParts.insert({Lock, nullptr});
  warn(place(First),
       {.Subject = *First.Object.Root,
        .Function = First.Function,
        .Field = Field},
       "'%0' takes a lock of the whole program for nothing but to count in "
       "'%1': the line of the lock and that of the count move to the core that "
       "runs the call and away from all others, and who comes meanwhile waits; "
       "keep one copy per thread and add them where it is read, or count "
       "atomically, without the lock")
      << plainName(*First.Function) << Name;
  noteSites(Sites);
}

void GlobalWriteCheck::checkReadLocks(const UnitAccesses &All,
                                      const TypeKinds &Kinds,
                                      const ASTContext &Unit) {
  // With fewer it is not what the program does all the time.
  constexpr unsigned FewestReaders = 3;
  HotAccesses Hot(All, Kinds);
  for (const VarDecl *Var : All.statics()) {
    if (isPerThread(*Var) || common().isAccepted(*Var) ||
        All.isNamedInBrokenCode(*Var) ||
        !(Kinds.isSynchronization(Var->getType()) ||
          isLockType(Var->getType(), Kinds)))
      continue;
    FunctionSet Readers, Writers;
    llvm::SmallVector<const Access *, 8> Takes;
    for (unsigned Index : All.of(*Var)) {
      const Access &Use = All.all()[Index];
      if (!Use.Function || !Hot.isOnOperationPath(Use))
        continue;
      const FunctionDecl *Function = Use.Function->getCanonicalDecl();
      if (!takesForReading(Use, Unit)) {
        if (!releasesLock(Use))
          Writers.insert(Function);
      } else if (Readers.insert(Function).second && !Use.IsConditional) {
        Takes.push_back(&Use);
      }
    }
    if (Takes.size() < FewestReaders || Writers.size() > 1)
      continue;
    const Access &First = *Takes.front();
    analyses().ReportedParts.insert({Var, nullptr});
    warn(place(First), {.Subject = *Var, .Function = First.Function},
         "'%0' has static storage, and %1 functions take it for reading, here "
         "'%2': they let each other in, and each still writes its cache line, "
         "which moves to the core that runs the call and away from all others; "
         "give each core or thread a lock of its own that writers take all of, "
         "or let readers see a snapshot without a lock")
        << plainName(*Var) << unsigned(Readers.size())
        << plainName(*First.Function);
    diag(Var->getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << plainName(*Var);
  }
}

} // namespace linesman::tidy
