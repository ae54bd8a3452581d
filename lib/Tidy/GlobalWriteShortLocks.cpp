// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks that functions take for very little: one for nothing but to read one or
// two words, and one of the whole program for a few statements each.
//
//     { guard g(m); return length; }      { guard g(m); return length == 0; }
//
// Who takes a lock needs its line alone, however short he keeps it. How often
// the functions are called the unit does not tell, and the messages say so.

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Locks/CountingSections.h"
#include "Analysis/Locks/ShortSections.h"
#include "Analysis/Names/PlainName.h"
#include "GlobalWriteCheck.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace linesman::tidy {

namespace {

struct ShortSection {
  const FunctionDecl *Function = nullptr;
  HeldLock Held;
  llvm::SmallVector<const ValueDecl *, 2> Words;
};

using SectionMap =
    llvm::MapVector<const ValueDecl *, llvm::SmallVector<ShortSection, 4>>;

/// A loop of an operation's calls \p Function.
bool isCalledInLoop(const FunctionDecl &Function, HotAccesses &Hot) {
  return llvm::any_of(
      Hot.accesses().calls(), [&](const UnitAccesses::CallSite &Site) {
        const auto *Call = dyn_cast<CallExpr>(Site.Call);
        const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
        return Callee && Site.Loop && Site.Function && !Site.IsRare &&
               Callee->getCanonicalDecl() == Function.getCanonicalDecl() &&
               Hot.isOperation(Site.Function);
      });
}

/// An object's word that operations count in or work on (++, push_back). One
/// that is only given another value, or a bit, now and then is a setting, and a
/// class whose methods all lock asks for its settings so.
bool isWorkedOn(const ValueDecl &Word, HotAccesses &Hot) {
  const auto *Field = dyn_cast<FieldDecl>(&Word);
  if (!Field)
    return true;
  const UnitAccesses &All = Hot.accesses();
  return llvm::any_of(All.of(*Field), [&](unsigned I) {
    const Access &Use = All.all()[I];
    return (Use.Kind == AccessKind::Update || Use.Kind == AccessKind::Mutate) &&
           !Use.IsConstruction && !Use.IsRare && !setsBits(*Use.Site) &&
           Hot.isOnOperationPath(Use);
  });
}

} // namespace

void GlobalWriteCheck::checkWordLocks(const UnitAccesses &All,
                                      const TypeKinds &Kinds) {
  HotAccesses Hot(All, Kinds);
  SectionMap Sections;
  for (const FunctionDecl *Function : All.functions()) {
    if (!Hot.isOperation(Function) || !All.isUsedHere(*Function))
      continue;
    for (LockPlace Place : {LockPlace::Static, LockPlace::Member}) {
      const std::optional<HeldLock> Held = heldLock(*Function, Kinds, Place);
      if (!Held)
        continue;
      llvm::SmallVector<const ValueDecl *, 2> Words = wordsRead(*Held, Place);
      const ValueDecl *Lock = namedIn(*Held->Lock);
      if (!Words.empty() && Lock &&
          (InternalLinkage || Lock->isExternallyVisible()) &&
          !common().isAccepted(*Lock) && !All.isNamedInBrokenCode(*Lock) &&
          llvm::none_of(Words,
                        [&](const ValueDecl *Word) {
                          return common().isAccepted(*Word);
                        }) &&
          (common().Strict || llvm::any_of(Words, [&](const ValueDecl *Word) {
             return isWorkedOn(*Word, Hot);
           })))
        Sections[Lock].push_back({Function, *Held, std::move(Words)});
    }
  }
  for (const auto &[Lock, Readers] : Sections) {
    const auto *Looped = llvm::find_if(Readers, [&](const ShortSection &One) {
      return isCalledInLoop(*One.Function, Hot);
    });
    enum { Once, InLoop, BySeveral } Way = Once;
    if (Readers.size() > 1)
      Way = BySeveral;
    else if (Looped != Readers.end())
      Way = InLoop;
    const ShortSection &First =
        Looped == Readers.end() ? Readers.front() : *Looped;
    // One cause, one finding.
    if (llvm::any_of(First.Words,
                     [&](const ValueDecl *Word) {
                       return analyses().ReportedWords.contains(Word) ||
                              analyses().ReportedParts.contains(
                                  {dyn_cast<VarDecl>(Word), nullptr});
                     }) ||
        !analyses().ReportedParts.insert({Lock, nullptr}).second)
      continue;
    warn(place(*First.Held.Lock),
         {.Subject = *Lock, .Function = First.Function},
         "'%0' takes the lock '%1' for nothing but to read '%2'%select{| and "
         "'%6'}5%select{|, and a loop calls it|, as %4 functions do}3: each "
         "call moves the lock's cache line to the core that runs it and away "
         "from all others, and waits for who has the lock; if it is called "
         "often, make %select{the word atomic and read it|both words atomic "
         "and read them, if they need not agree,}5 without the lock")
        << plainName(*First.Function) << plainName(*Lock)
        << plainName(*First.Words.front()) << int(Way)
        << unsigned(Readers.size()) << (First.Words.size() > 1)
        << plainName(*First.Words.back());
    diag(Lock->getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << plainName(*Lock);
  }
}

void GlobalWriteCheck::checkShortLocks(const UnitAccesses &All,
                                       const TypeKinds &Kinds) {
  // Fewer are often a registration and its end.
  constexpr size_t FewestTakers = 3;
  constexpr size_t MostStatements = 3;
  HotAccesses Hot(All, Kinds);
  SectionMap Sections;
  for (const FunctionDecl *Function : All.functions()) {
    if (!Hot.isOperation(Function) || !All.isUsedHere(*Function))
      continue;
    const std::optional<HeldLock> Held =
        heldLock(*Function, Kinds, LockPlace::Static);
    const auto *Lock =
        Held ? dyn_cast_if_present<VarDecl>(namedIn(*Held->Lock)) : nullptr;
    if (Lock && Held->Body.size() <= MostStatements &&
        llvm::all_of(Held->Body, [](const Stmt *S) { return isShort(*S); }) &&
        (InternalLinkage || Lock->isExternallyVisible()) &&
        !common().isAccepted(*Lock) && !All.isNamedInBrokenCode(*Lock))
      Sections[Lock].push_back({Function, *Held, {}});
  }
  for (const auto &[Lock, Takers] : Sections) {
    const auto *Var = cast<VarDecl>(Lock);
    if (Takers.size() < FewestTakers ||
        !analyses().ReportedParts.insert({Var, nullptr}).second)
      continue;
    const ShortSection &First = Takers.front();
    warn(
        place(*First.Held.Lock), {.Subject = *Var, .Function = First.Function},
        "'%0' is one lock for the whole program, and %1 functions take it for "
        "a few statements each, here '%2': each call moves its cache line, and "
        "those of what it guards, to the core that runs the call and away from "
        "all others; if they are called often, keep one copy per thread or per "
        "core, or split what it guards")
        << plainName(*Var) << unsigned(Takers.size())
        << plainName(*First.Function);
    diag(Var->getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << plainName(*Var);
  }
}

} // namespace linesman::tidy
