// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two parties, each with a word of its own:
//
//     push(): reads head, writes tail          pop(): reads tail, writes head
//
// Counters have different writers too (hits and misses), and are no two
// parties: what tells is that one party looks at the other's word, or that both
// words decide what their writers do next.
//
// Or one function updates a word and then waits for another to change, as in a
// barrier: each that arrives takes the line from all that wait.

#include "AdjacentWritersCheck.h"
#include "Analysis/Code/Fences.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Containers/ListEnds.h"
#include "Analysis/Containers/RingEnds.h"
#include "Analysis/Locks/LockUses.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Writes/FlagAnswers.h"
#include "Analysis/Writes/WriteShares.h"
#include "LineReader.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

/// What is in \p All and not in \p Other.
bool hasOwn(const FunctionSet &All, const FunctionSet &Other) {
  return llvm::any_of(
      All, [&](const FunctionDecl *F) { return !Other.contains(F); });
}

} // namespace

class AdjacentWritersCheck::UnitReader : LineReader {
public:
  UnitReader(AdjacentWritersCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Roles(Hot, Kinds, Unit) {}

  void read() {
    for (const RecordDecl *Record : Accesses.records())
      if (!Check.common().isAccepted(*Record))
        checkRecord(*Record);
    checkStatics();
  }

private:
  /// Written by operations without a lock. An element of an array has an owner,
  /// and both words are the owner's.
  static bool isWritten(const Role &Word) {
    return Word.Write && !Word.HotWriters.empty() && !Word.Write->Object.Index;
  }

  /// Atomically or as a volatile, too.
  static bool isContended(const Role &Word) {
    return isWritten(Word) && Word.WritesAreAtomic;
  }

  /// Code that does not compile names both.
  bool mayHaveOneWriter(const NamedDecl &A, const NamedDecl &B) const {
    return Accesses.isNamedInBrokenCode(A) && Accesses.isNamedInBrokenCode(B);
  }

  /// Helpers that the same functions call are steps of one party.
  bool areStepsOfOne(const FunctionDecl &A, const FunctionDecl &B) const {
    auto IsHelper = [](const FunctionDecl &F) {
      return !isa<CXXMethodDecl>(F) && !F.isExternallyVisible();
    };
    if (!IsHelper(A) || !IsHelper(B))
      return false;
    auto CallersOf = [&](const FunctionDecl &F) {
      FunctionSet Callers;
      for (const CodePlace &Caller : Accesses.callersOf(F))
        if (Caller.Function)
          Callers.insert(Caller.Function->getCanonicalDecl());
      return Callers;
    };
    FunctionSet OfA = CallersOf(A), OfB = CallersOf(B);
    return !OfA.empty() && !OfB.empty() &&
           (!hasOwn(OfA, OfB) || !hasOwn(OfB, OfA));
  }

  /// Each has writers that leave the other alone. Functions that set both at
  /// once, such as clear(), are neither party.
  bool haveOwnWriters(const Role &A, const Role &B) const {
    FunctionSet Common;
    for (const FunctionDecl *F : A.Writers)
      if (B.Writers.contains(F))
        Common.insert(F);
    if (llvm::any_of(Common, [&](const FunctionDecl *F) {
          return A.Readers.contains(F) || B.Readers.contains(F) ||
                 A.Updaters.contains(F) || B.Updaters.contains(F);
        }))
      return false;
    return hasOwn(A.HotWriters, B.Writers) && hasOwn(B.HotWriters, A.Writers) &&
           !areStepsOfOne(*A.Write->Function, *B.Write->Function);
  }

  /// Asks a function that reads the word and writes neither: `full()`.
  bool asksAbout(const FunctionDecl &Asking, const Role &Own,
                 const Role &Word) const {
    auto IsAsking = [&](const CodePlace &Caller) {
      const auto *Method = dyn_cast<CXXMemberCallExpr>(Caller.Site);
      return Caller.Function &&
             Caller.Function->getCanonicalDecl() == &Asking &&
             (!Method ||
              isa<CXXThisExpr>(
                  Method->getImplicitObjectArgument()->IgnoreParenImpCasts()));
    };
    return llvm::any_of(Word.Readers, [&](const FunctionDecl *Reader) {
      return !Word.Writers.contains(Reader) && !Own.Writers.contains(Reader) &&
             llvm::any_of(Accesses.callersOf(*Reader), IsAsking);
    });
  }

  /// A writer of one looks at the other, as a producer looks how far the
  /// consumer is.
  bool looksAt(const Role &Own, const Role &Other) const {
    return llvm::any_of(Own.HotWriters, [&](const FunctionDecl *F) {
      return !Other.Writers.contains(F) &&
             (Other.Readers.contains(F) || asksAbout(*F, Own, Other));
    });
  }

  bool areTwoParties(const Role &A, const Role &B) const {
    if (!haveOwnWriters(A, B) || answerEachOther(A, B, Hot, Unit) ||
        answerEachOther(B, A, Hot, Unit))
      return false;
    // The one that writes plainly is the only one of its side.
    return looksAt(A, B) || looksAt(B, A) ||
           ((A.Steers || !A.WritesAreAtomic) &&
            (B.Steers || !B.WritesAreAtomic));
  }

  /// Each is one party's notes for itself, as far as the record's atomic words
  /// tell the parties: nobody touches both.
  bool areOwnNotes(const FieldDecl &A, const FieldDecl &B,
                   const RecordLines &Lines) {
    const Role OfA = Roles.of(A), OfB = Roles.of(B);
    auto NoneTouches = [](const Role &Own, const Role &Other) {
      return haveNoneInCommon(Own.Writers, Other.Writers) &&
             haveNoneInCommon(Own.Writers, Other.Readers);
    };
    return NoneTouches(OfA, OfB) && NoneTouches(OfB, OfA) &&
           haveNoneInCommon(OfA.Readers, OfB.Readers) &&
           !haveNoneInCommon(OfB.HotWriters, Roles.otherParty(Lines, OfA)) &&
           !haveNoneInCommon(OfA.HotWriters, Roles.otherParty(Lines, OfB));
  }

  /// Each picks elements of one array; or one does, and the other hands out
  /// positions.
  bool areEndsOfRing(const FieldDecl &A, const FieldDecl &B) {
    if (!Ends)
      Ends.emplace(Accesses);
    if (!Ends->pickFromOneArray(A, B) &&
        !(Ends->picks(A) && handsOutPositions(B)) &&
        !(Ends->picks(B) && handsOutPositions(A)))
      return false;
    const Role OfA = Roles.of(A), OfB = Roles.of(B);
    return haveOwnWriters(OfA, OfB);
  }

  /// Plain words, whose order fences keep: each end looks at the other, and
  /// both pick from one array.
  bool areFencedEnds(const FieldDecl &A, const FieldDecl &B) {
    const Role OfA = Roles.of(A), OfB = Roles.of(B);
    auto HasFence = [&](const Role &Own) {
      return llvm::any_of(Own.HotWriters, [&](const FunctionDecl *F) {
        auto [Known, IsNew] = Fenced.try_emplace(F);
        if (IsNew)
          Known->second = hasFence(*F);
        return Known->second;
      });
    };
    if (!haveNoneInCommon(OfA.Writers, OfB.Writers) || !looksAt(OfA, OfB) ||
        !looksAt(OfB, OfA) || !HasFence(OfA) || !HasFence(OfB))
      return false;
    if (!Ends)
      Ends.emplace(Accesses);
    for (const Role *End : {&OfA, &OfB})
      for (const FunctionDecl *F : End->HotWriters)
        Ends->addSums(*F);
    return Ends->pickFromOneArray(A, B);
  }

  /// Plain words, and the elements between them are counted atomically: what
  /// both ends update tells that they are two threads'.
  bool areCountedEnds(const FieldDecl &A, const FieldDecl &B,
                      const RecordLines &Lines) {
    const Role OfA = Roles.of(A), OfB = Roles.of(B);
    if (!haveNoneInCommon(OfA.Writers, OfB.Writers))
      return false;
    auto Counts = [&](const FieldSpan &Span) {
      const Role &Count = Roles.of(*Span.Field);
      auto AreIn = [&](const FunctionSet &Writers) {
        return llvm::all_of(Writers, [&](const FunctionDecl *F) {
          return Count.Updaters.contains(F);
        });
      };
      return Count.WritesAreAtomic && AreIn(OfA.HotWriters) &&
             AreIn(OfB.HotWriters);
    };
    if (llvm::none_of(Lines.fields(), Counts))
      return false;
    if (!Ends)
      Ends.emplace(Accesses);
    return Ends->pickFromOneArray(A, B);
  }

  bool areEndsOfQueue(const FieldDecl &A, const FieldDecl &B) {
    if (areEndsOfRing(A, B) || areHelpedEnds(A, B, Hot) ||
        areHelpedEnds(B, A, Hot))
      return true;
    const Role OfA = Roles.of(A), OfB = Roles.of(B);
    return (areEndsOfList(A, B, Hot) || areEndsOfList(B, A, Hot)) &&
           haveOwnWriters(OfA, OfB);
  }

  /// at = next.fetch_add(1): for more than to test it.
  bool handsOutPositions(const FieldDecl &Field) {
    bool HandsOut = false;
    for (unsigned Index : Accesses.of(Field)) {
      const Access &Use = Accesses.all()[Index];
      if (Use.Object.field() != &Field || !Hot.isHotWrite(Use))
        continue;
      if (Hot.operationOf(Use) != AtomicOperation::FetchModify ||
          !Use.IsResultUsed || Use.IsInCondition)
        return false;
      HandsOut = true;
    }
    return HandsOut;
  }

  /// The owner's end of a deque is written by its push() and pop(), the other
  /// end by those who steal, and by pop() for the last element: padding is not
  /// needed to tell the parties where they compete for elements.
  bool competeForElements(const FieldDecl &A, const FieldDecl &B) {
    const Role OfA = Roles.of(A), OfB = Roles.of(B);
    return (isCompared(A) || isCompared(B)) &&
           hasOwn(OfA.HotWriters, OfB.Writers) &&
           hasOwn(OfB.HotWriters, OfA.Writers) &&
           (looksAt(OfA, OfB) || looksAt(OfB, OfA)) &&
           haveDifferentOwners(A, B, Hot);
  }

  bool isCompared(const FieldDecl &Field) {
    return llvm::any_of(Accesses.of(Field), [&](unsigned Index) {
      const Access &Use = Accesses.all()[Index];
      return Use.Object.field() == &Field && Hot.isHotWrite(Use) &&
             Hot.operationOf(Use) == AtomicOperation::CompareExchange;
    });
  }

  /// A read of \p Awaited in a loop that does nothing but look, in a function
  /// that has updated \p Arrived before.
  const Access *waitBeside(const FieldDecl &Arrived, const FieldDecl &Awaited) {
    const FunctionSet Updaters = Roles.of(Arrived).Updaters;
    for (unsigned Index : Accesses.of(Awaited)) {
      const Access &Use = Accesses.all()[Index];
      if (Use.Kind != AccessKind::Read || !Use.Loop || !Use.IsInCondition ||
          !Hot.isOnOperationPath(Use) || Hot.isLocked(Use) ||
          !Updaters.contains(Use.Function->getCanonicalDecl()))
        continue;
      bool IsBefore = false, OnlyLooks = true;
      for (unsigned Other : Accesses.in(*Use.Function)) {
        const Access &Neighbour = Accesses.all()[Other];
        if (Neighbour.Loop == Use.Loop)
          OnlyLooks &=
              !Neighbour.writes() && Neighbour.Object.field() != &Arrived;
        else if (Other < Index && Neighbour.Object.field() == &Arrived)
          IsBefore |=
              Hot.kindOf(Neighbour) == AccessKind::Update && !Neighbour.Loop;
      }
      if (IsBefore && OnlyLooks)
        return &Use;
    }
    return nullptr;
  }

  void checkRecord(const RecordDecl &Record) {
    llvm::SmallPtrSet<const FieldDecl *, 8> Words;
    for (const FieldDecl *Field : Record.fields())
      if (isCandidate(*Field))
        Words.insert(Field);
    if (Words.size() < 2)
      return;
    std::optional<RecordLines> Lines = RecordLines::build(Record, Unit, Line);
    if (!Lines)
      return;
    const FieldSpan *BestA = nullptr, *BestB = nullptr;
    double Best = 0.5;
    for (const FieldSpan &A : Lines->fields())
      for (const FieldSpan &B : Lines->fieldsNear(A)) {
        if (A.Offset >= B.Offset || !Words.contains(A.Field) ||
            !Words.contains(B.Field) || mayHaveOneWriter(*A.Field, *B.Field))
          continue;
        const double Fraction = Lines->sharingFraction(A, B);
        if (Fraction < Best || (BestA && Fraction == Best))
          continue;
        // A queue's only producer needs no atomics for its own position.
        const bool IsContendedA = isContended(Roles.of(*A.Field)),
                   IsContendedB = isContended(Roles.of(*B.Field));
        const bool AreNotes = !IsContendedA && !IsContendedB &&
                              Lines->isolatesDeliberately() &&
                              areOwnNotes(*A.Field, *B.Field, *Lines);
        const bool AreFenced = !IsContendedA && !IsContendedB && !AreNotes &&
                               (areFencedEnds(*A.Field, *B.Field) ||
                                areCountedEnds(*A.Field, *B.Field, *Lines));
        if (!IsContendedA && !IsContendedB && !AreNotes && !AreFenced)
          continue;
        const bool AreEnds = AreFenced || areEndsOfQueue(*A.Field, *B.Field);
        if (!(IsContendedA && IsContendedB) && !Lines->isolatesDeliberately() &&
            !AreEnds)
          continue;
        // In a record without padding nobody thought of parties.
        if (!AreEnds && !AreNotes &&
            !areTwoParties(Roles.of(*A.Field), Roles.of(*B.Field)) &&
            !(IsContendedA && IsContendedB && Lines->isolatesDeliberately() &&
              haveDifferentOwners(*A.Field, *B.Field, Hot)) &&
            !(IsContendedA && IsContendedB &&
              (competeForElements(*A.Field, *B.Field) ||
               waitBeside(*A.Field, *B.Field) ||
               waitBeside(*B.Field, *A.Field))))
          continue;
        Best = Fraction;
        BestA = &A;
        BestB = &B;
      }
    if (BestA && Reported.insert(templatePattern(Record).getLocation()).second)
      report(*BestA, *BestB, Best);
  }

  bool isCandidate(const FieldDecl &Field) {
    if (Field.isBitField() || isPaddingField(Field) ||
        Field.getType()->isArrayType() || isLockField(Field, Kinds) ||
        Kinds.isSynchronization(Field.getType()) ||
        Check.common().isAccepted(Field) ||
        Check.analyses().ReportedWords.contains(&Field))
      return false;
    const Role &Word = Roles.of(Field);
    return isContended(Word) ||
           (isWritten(Word) &&
            (Field.getType()->isIntegerType() ||
             Field.getType()->isPointerType() || isNode(Field.getType())));
  }

  void report(const FieldSpan &A, const FieldSpan &B, double Fraction) {
    Check.analyses().ReportedWords.insert(A.Field);
    Check.analyses().ReportedWords.insert(B.Field);
    if (!areEndsOfQueue(*A.Field, *B.Field) &&
        !areTwoParties(Roles.of(*A.Field), Roles.of(*B.Field))) {
      if (const Access *Wait = waitBeside(*A.Field, *B.Field))
        return reportWait(A, B, *Wait, Fraction);
      if (const Access *Wait = waitBeside(*B.Field, *A.Field))
        return reportWait(B, A, *Wait, Fraction);
    }
    const Access &First = ownWrite(*A.Field, *B.Field);
    const Access &Second = ownWrite(*B.Field, *A.Field);
    Check.warn(B.Field->getLocation(),
               {.Subject = *B.Field,
                .Function = Second.Function,
                .Neighbour = A.Field},
               "'%0' (offset %1) and '%2' (offset %3) %select{may be|are}4 on "
               "one cache line and have different writers, '%5' and '%6': each "
               "write of one makes the other's next access a miss; keep them a "
               "line apart")
        << fieldName(*A.Field) << unsigned(A.Offset) << fieldName(*B.Field)
        << unsigned(B.Offset) << (Fraction == 1) << plainName(*First.Function)
        << plainName(*Second.Function);
    noteWrite(fieldName(*A.Field), First);
    noteWrite(fieldName(*B.Field), Second);
    Check.noteAlignment(B, Unit);
  }

  void reportWait(const FieldSpan &Arrived, const FieldSpan &Awaited,
                  const Access &Wait, double Fraction) {
    Check.warn(Check.place(Wait),
               {.Subject = *Arrived.Field,
                .Function = Wait.Function,
                .Neighbour = Awaited.Field},
               "'%0' (offset %1) is updated by each thread that comes to '%2', "
               "and '%3' (offset %4), which this loop waits for, %select{may "
               "be|is}5 on its cache line: each update takes the line from all "
               "that wait; keep them a line apart")
        << fieldName(*Arrived.Field) << unsigned(Arrived.Offset)
        << plainName(*Wait.Function) << fieldName(*Awaited.Field)
        << unsigned(Awaited.Offset) << (Fraction == 1);
    Check.noteAlignment(Arrived.Offset < Awaited.Offset ? Awaited : Arrived,
                        Unit);
  }

  /// A write of one by a function that does not write the other, or rarely.
  template <typename T> const Access &ownWrite(const T &One, const T &Other) {
    const Role &Own = Roles.of(One);
    const FunctionSet NotOwn = Roles.of(Other).Writers;
    for (unsigned Index : Accesses.of(One)) {
      const Access &Use = Accesses.all()[Index];
      if (!Hot.isHotWrite(Use))
        continue;
      const FunctionDecl *Function = Use.Function->getCanonicalDecl();
      if (Own.HotWriters.contains(Function) && !NotOwn.contains(Function))
        return Use;
    }
    if constexpr (std::is_same_v<T, FieldDecl>)
      if (const Access *Mostly = ownersWrite(One, Other))
        return *Mostly;
    return *Own.Write;
  }

  const Access *ownersWrite(const FieldDecl &One, const FieldDecl &Other) {
    const WriteShares OfOne = writeSharesOf(One, Hot),
                      OfOther = writeSharesOf(Other, Hot);
    for (unsigned Index : Accesses.of(One)) {
      const Access &Use = Accesses.all()[Index];
      if (!Hot.isHotWrite(Use))
        continue;
      const FunctionDecl *Function = Use.Function->getCanonicalDecl();
      if (OfOne.lookup(Function) > OfOther.lookup(Function))
        return &Use;
    }
    return nullptr;
  }

  void noteWrite(const std::string &Name, const Access &Write) {
    Check.diag(Check.place(Write), "'%0' is written here, in '%1'",
               DiagnosticIDs::Note)
        << Name << plainName(*Write.Function);
  }

  /// The order of definitions is the order in the object file, unless a linker
  /// script or a section of its own says otherwise.
  void checkStatics() {
    const VarDecl *Last = nullptr;
    for (const VarDecl *Var : Accesses.statics()) {
      if (!Var->isThisDeclarationADefinition() || Var->isStaticLocal() ||
          isPerThread(*Var) || Var->getType().isConstQualified() ||
          Var->getType()->isIncompleteType() ||
          !Unit.getSourceManager().isInMainFile(
              Unit.getSourceManager().getExpansionLoc(Var->getLocation())))
        continue;
      if (Last && isWordOf(*Last) && isWordOf(*Var) &&
          Last->hasInit() == Var->hasInit() && !mayHaveOneWriter(*Last, *Var) &&
          areTwoParties(Roles.of(*Last), Roles.of(*Var)) &&
          Reported.insert(Var->getLocation()).second)
        reportStatics(*Last, *Var);
      Last = Var;
    }
  }

  bool isWordOf(const VarDecl &Var) {
    uint64_t Size = Unit.getTypeSizeInChars(Var.getType()).getQuantity();
    return Size * 4 <= Line && !Var.getType()->isArrayType() &&
           uint64_t(Unit.getDeclAlign(&Var).getQuantity()) < Line &&
           !isLockType(Var.getType(), Kinds) &&
           !Kinds.isSynchronization(Var.getType()) &&
           !Check.common().isAccepted(Var) && isContended(Roles.of(Var));
  }

  void reportStatics(const VarDecl &A, const VarDecl &B) {
    Check.analyses().ReportedWords.insert(&A);
    Check.analyses().ReportedWords.insert(&B);
    const Access &First = ownWrite(A, B);
    const Access &Second = ownWrite(B, A);
    Check.warn(B.getLocation(),
               {.Subject = B, .Function = Second.Function, .Neighbour = &A},
               "'%0' and '%1' are defined one after the other, so that they "
               "are on one cache line as a rule, and have different writers, "
               "'%2' and '%3': each write of one makes the other's next access "
               "a miss; align both to %4")
        << plainName(A) << plainName(B) << plainName(*First.Function)
        << plainName(*Second.Function) << unsigned(Line);
    noteWrite(plainName(A), First);
    noteWrite(plainName(B), Second);
  }

  AdjacentWritersCheck &Check;
  FieldRoles Roles;
  /// Whether a function has a fence, once it was asked.
  llvm::DenseMap<const FunctionDecl *, bool> Fenced;
  /// Made for the first pair that may be a ring's.
  std::optional<RingEnds> Ends;
  llvm::SmallSet<SourceLocation, 8> Reported;
};

void AdjacentWritersCheck::checkUnit(ASTContext &Unit) {
  UnitReader(*this, Unit).read();
  checkElements(Unit);
  checkChunks(Unit);
  checkThreads(Unit);
  checkLocals(Unit);
}

} // namespace linesman::tidy
