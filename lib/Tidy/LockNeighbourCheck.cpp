// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock beside the data that it protects is good practice: who has the lock
// has the line. It is bad where others use the line without the lock: a lock
// in a record says that several threads have the object, wherever it is.

#include "LockNeighbourCheck.h"
#include "Analysis/Code/OnlyReturn.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Locks/LockUses.h"
#include "Analysis/Names/PlainName.h"
#include "LineReader.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include <set>

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

class LockNeighbourCheck::UnitReader : LineReader {
public:
  UnitReader(LockNeighbourCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Roles(Hot, Kinds, Unit) {}

  void read() {
    for (const RecordDecl *Record : Accesses.records())
      if (!Check.common().isAccepted(*Record))
        checkRecord(*Record);
  }

private:
  struct Lock {
    FieldSpan Span;
    LockUse Use;
  };

  void checkRecord(const RecordDecl &Record) {
    if (llvm::none_of(Record.fields(), [&](const FieldDecl *Field) {
          return isLockField(*Field, Kinds) || lockIn(*Field);
        }))
      return;
    std::optional<RecordLines> Lines = RecordLines::build(Record, Unit, Line);
    if (!Lines || (Lines->size() <= Line && Lines->alignment() >= Line))
      return;
    llvm::SmallVector<Lock, 2> Locks;
    for (const FieldSpan &Span : Lines->fields())
      if (isLockField(*Span.Field, Kinds) &&
          !Check.common().isAccepted(*Span.Field)) {
        LockUse Use = findUses(*Span.Field, Hot, Unit);
        if (Use.Take)
          Locks.push_back({Span, Use});
      } else if (const FieldDecl *Inner = lockIn(*Span.Field)) {
        LockUse Use = findUsesThrough(*Span.Field, *Inner, Hot, Unit);
        if (Use.Take)
          Locks.push_back({spanOf(*Inner, Span), Use});
      }
    for (const Lock &Mutex : Locks)
      if (!isBusy(Mutex) || (!checkCounts(Mutex, *Lines, Record) &&
                             !checkFields(Mutex, *Lines, Record)))
        checkTested(Mutex, *Lines, Record);
    for (size_t I = 0; I < Locks.size(); ++I)
      for (size_t J = I + 1; J < Locks.size(); ++J)
        checkPair(Locks[I], Locks[J], *Lines, Record);
  }

  /// The lock of a field that is a value together with its lock.
  const FieldDecl *lockIn(const FieldDecl &Holder) const {
    const RecordDecl *Record = Holder.getType()->getAsRecordDecl();
    Record = Record ? Record->getDefinition() : nullptr;
    if (!Record || isLockField(Holder, Kinds) ||
        Kinds.isSynchronization(Holder.getType()) ||
        Check.common().isAccepted(Holder) ||
        Unit.getSourceManager().isInSystemHeader(Record->getLocation()))
      return nullptr;
    const auto Lock = llvm::find_if(Record->fields(), [&](FieldDecl *Field) {
      return isLockField(*Field, Kinds);
    });
    return Lock == Record->field_end() ? nullptr : *Lock;
  }

  /// The lock itself, or what it is a part of.
  static bool isAround(const FieldSpan &Other, const FieldSpan &Lock) {
    return Other.Offset <= Lock.Offset &&
           Other.Offset + Other.Size >= Lock.Offset + Lock.Size;
  }

  FieldSpan spanOf(const FieldDecl &Inner, const FieldSpan &Holder) const {
    std::optional<RecordLines> Lines =
        RecordLines::build(*Inner.getParent(), Unit, Line);
    std::optional<FieldSpan> Span = Lines ? Lines->find(Inner) : std::nullopt;
    return Span ? FieldSpan{&Inner, Holder.Offset + Span->Offset, Span->Size}
                : Holder;
  }

  static constexpr uint64_t WordsOfSpinLock = 16;

  /// Two spin locks beside each other, for two operations: one of which may be
  /// the only place that takes its own.
  static bool areSpinLocks(const Lock &A, const Lock &B) {
    return A.Span.Size <= WordsOfSpinLock && B.Span.Size <= WordsOfSpinLock;
  }

  /// Taken in several places.
  bool isBusy(const Lock &Mutex) const {
    return Check.common().Strict || Mutex.Use.Takers.size() > 1;
  }

  /// And of the sort that is written all the time: by those who spin, by
  /// readers, or placed with lines in mind.
  bool isContended(const Lock &Mutex, const RecordLines &Lines) const {
    return Check.common().Strict || Mutex.Span.Size <= WordsOfSpinLock ||
           !Mutex.Use.ReadTakers.empty() || Lines.isolatesDeliberately();
  }

  /// An object for each request has its lock to itself most of the time: what
  /// tells of the others is static storage, a class that knows its lock, or
  /// fields that were placed with lines in mind.
  bool isReachedByAll(const Lock &Mutex, const RecordLines &Lines) const {
    const Place &Taken = Mutex.Use.Take->Object;
    return Check.common().Strict || Lines.isolatesDeliberately() ||
           Taken.IsThis || (Taken.Root && !Taken.Index);
  }

  /// How often others have to look beside the lock. Who goes through many
  /// objects comes to those that others have.
  unsigned neededStrength(const Lock &Mutex, const Role &Neighbour,
                          const RecordLines &Lines) const {
    if (Lines.isolatesDeliberately())
      return 2;
    const bool IsVisited =
        llvm::any_of(Neighbour.Reads, [&](const Access *Read) {
          return Read->Loop &&
                 !Mutex.Use.Takers.contains(Read->Function->getCanonicalDecl());
        });
    return IsVisited || isReachedByAll(Mutex, Lines) ? 3 : 4;
  }

  /// Or a heap object that several threads have at once: it counts its users
  /// atomically, and its lock lets them in together.
  bool isSharedByReaders(const Lock &Mutex, const RecordLines &Lines) {
    return Mutex.Use.ReadTakers.size() > 1 &&
           llvm::any_of(Lines.fields(), [&](const FieldSpan &Other) {
             return updatersWithout(Other, Mutex).size() > 1;
           });
  }

  /// Functions that update an atomic neighbour and do not take the lock.
  FunctionSet updatersWithout(const FieldSpan &Other, const Lock &Mutex) {
    FunctionSet Updaters;
    if (Other.Field == Mutex.Span.Field || isPaddingField(*Other.Field) ||
        isLockField(*Other.Field, Kinds) ||
        Kinds.isSynchronization(Other.Field->getType()))
      return Updaters;
    const Role &Count = Roles.of(*Other.Field);
    if (!Count.WritesAreAtomic)
      return Updaters;
    for (const FunctionDecl *Function : Count.Updaters)
      if (Count.HotWriters.contains(Function) &&
          !Mutex.Use.Takers.contains(Function))
        Updaters.insert(Function);
    return Updaters;
  }

  /// references++ beside a lock that readers take: neither waits for the other,
  /// and both write the line.
  bool checkCounts(const Lock &Mutex, const RecordLines &Lines,
                   const RecordDecl &Record) {
    if (Mutex.Use.ReadTakers.size() < 2)
      return false;
    for (const FieldSpan &Other : Lines.fields()) {
      const double Fraction = Lines.sharingFraction(Mutex.Span, Other);
      if (Fraction < 0.5 || Check.common().isAccepted(*Other.Field))
        continue;
      const FunctionSet Updaters = updatersWithout(Other, Mutex);
      if (Updaters.size() < 2 || !isNew(Record, Mutex.Span))
        continue;
      const Access &Update = *Roles.of(*Other.Field).Write;
      Check.warn(Check.place(*Mutex.Use.ReadTake),
                 {.Subject = *Mutex.Span.Field,
                  .Function = Mutex.Use.ReadTake->Function,
                  .Neighbour = Other.Field},
                 "'%0' (offset %1) is taken for reading here, in '%2', and "
                 "%select{may share|shares}3 its cache line with '%4' (offset "
                 "%5), which %6 functions update without it: neither waits for "
                 "the other, and both take the line; keep them a line apart")
          << fieldName(*Mutex.Span.Field) << unsigned(Mutex.Span.Offset)
          << plainName(*Mutex.Use.ReadTake->Function) << (Fraction == 1)
          << fieldName(*Other.Field) << unsigned(Other.Offset)
          << unsigned(Updaters.size());
      Check.diag(Check.place(Update), "'%0' is updated here, in '%1'",
                 DiagnosticIDs::Note)
          << fieldName(*Other.Field) << plainName(*Update.Function);
      return true;
    }
    return false;
  }

  bool checkFields(const Lock &Mutex, const RecordLines &Lines,
                   const RecordDecl &Record) {
    std::optional<HotPair> Best;
    bool BestIsWithReaders = false;
    for (const FieldSpan &Other : Lines.fields()) {
      // Of a field of several lines, only an end is near the lock.
      if (isAround(Other, Mutex.Span) || isPaddingField(*Other.Field) ||
          Other.Size > 2 * Line || isLockField(*Other.Field, Kinds) ||
          lockIn(*Other.Field) ||
          Kinds.isSynchronization(Other.Field->getType()) ||
          Accesses.isNamedInBrokenCode(*Other.Field) ||
          Check.common().isAccepted(*Other.Field))
        continue;
      HotPair Pair{Mutex.Span, Other, Lines.sharingFraction(Mutex.Span, Other)};
      if (Pair.Fraction < 0.5 || holdsLocks(*Other.Field) ||
          isSwitchOf(*Other.Field, *Mutex.Span.Field))
        continue;
      const Role &Used = Roles.of(*Other.Field);
      unsigned Strength = Roles.strengthOf(Used, Mutex.Use.Takers, Pair);
      bool IsWithReaders = false;
      // Without the lock, and often.
      if (Strength < neededStrength(Mutex, Used, Lines)) {
        if (!Lines.isolatesDeliberately() ||
            !readersUse(*Other.Field, Mutex.Use.ReadTakers, Pair))
          continue;
        IsWithReaders = true;
      }
      if (!Best || std::make_pair(!IsWithReaders, Pair.Strength) >
                       std::make_pair(!BestIsWithReaders, Best->Strength)) {
        Best = Pair;
        BestIsWithReaders = IsWithReaders;
      }
    }
    if (!Best)
      return checkLine(Mutex, Lines, Record);
    if (!isNew(Record, Mutex.Span))
      return true;
    if (BestIsWithReaders)
      reportReaders(Mutex, *Best);
    else
      reportField(Mutex, *Mutex.Use.Take, *Best, Lines);
    return true;
  }

  /// Fields that nobody changes, each of which few functions read: all of them
  /// come to the lock's line. What only returns a field says nothing of how
  /// often that is asked for.
  bool checkLine(const Lock &Mutex, const RecordLines &Lines,
                 const RecordDecl &Record) {
    HotPair Pair{Mutex.Span, Mutex.Span};
    FunctionSet Readers;
    Role AnyOfThem;
    unsigned Fields = 0;
    for (const FieldSpan &Other : Lines.fields()) {
      const double Fraction = Lines.sharingFraction(Mutex.Span, Other);
      if (isAround(Other, Mutex.Span) || isPaddingField(*Other.Field) ||
          Fraction < 0.5 || !Other.Field->getType()->isScalarType() ||
          isLockField(*Other.Field, Kinds) ||
          Accesses.isNamedInBrokenCode(*Other.Field) ||
          Check.common().isAccepted(*Other.Field) ||
          isSwitchOf(*Other.Field, *Mutex.Span.Field))
        continue;
      const Role &Used = Roles.of(*Other.Field);
      if (!Used.Writers.empty())
        continue;
      bool IsRead = false;
      for (const Access *Read : Used.Reads) {
        const FunctionDecl *Reader = Read->Function->getCanonicalDecl();
        if (Mutex.Use.Takers.contains(Reader) || onlyReturn(*Read->Function) ||
            !Accesses.isUsedHere(*Read->Function))
          continue;
        Readers.insert(Reader);
        IsRead = true;
        AnyOfThem.Reads.push_back(Read);
        if (!Pair.Reader) {
          Pair.Reader = Read;
          Pair.Read = Other;
          Pair.Fraction = Fraction;
        }
      }
      Fields += IsRead;
    }
    Pair.ReadingFunctions = Readers.size();
    if (Fields < 2 ||
        Readers.size() < neededStrength(Mutex, AnyOfThem, Lines) ||
        !isNew(Record, Mutex.Span))
      return false;
    reportLine(Mutex, Pair, Fields);
    return true;
  }

  /// if (level > limit) return; lock(); ...: who takes the lock looks beside it
  /// first, and mostly goes away again, as others do who only look. The one who
  /// takes it is one of those who look.
  void checkTested(const Lock &Mutex, const RecordLines &Lines,
                   const RecordDecl &Record) {
    if (!isReachedByAll(Mutex, Lines))
      return;
    for (const Access *Take : Mutex.Use.Takes)
      if (!Take->Loop)
        checkTested(Mutex, *Take, Lines, Record);
  }

  void checkTested(const Lock &Mutex, const Access &Take,
                   const RecordLines &Lines, const RecordDecl &Record) {
    for (const FieldSpan &Other : Lines.fields()) {
      HotPair Pair{Mutex.Span, Other, Lines.sharingFraction(Mutex.Span, Other)};
      if (Pair.Fraction < 0.5 || isAround(Other, Mutex.Span) ||
          isPaddingField(*Other.Field) ||
          !(Other.Field->getType()->isScalarType() ||
            Kinds.isAtomic(Other.Field->getType())) ||
          isLockField(*Other.Field, Kinds) ||
          Accesses.isNamedInBrokenCode(*Other.Field) ||
          Check.common().isAccepted(*Other.Field))
        continue;
      const Role &Used = Roles.of(*Other.Field);
      if (isOnlySet(Used) && isTestedBefore(*Other.Field, Take) &&
          Roles.strengthOf(Used, Mutex.Use.Takers, Pair) + 1 >=
              neededStrength(Mutex, Used, Lines) &&
          isNew(Record, Mutex.Span))
        return reportField(Mutex, Take, Pair, Lines);
    }
  }

  /// In a condition that decides whether the lock is taken at all.
  bool isTestedBefore(const FieldDecl &Field, const Access &Take) {
    const auto *Body = dyn_cast<CompoundStmt>(Take.Function->getBody());
    if (!Body)
      return false;
    for (const Stmt *S : Body->body()) {
      StmtPath Path;
      if (findPath(*S, *Take.Site, Path))
        return false;
      const auto *If = dyn_cast<IfStmt>(S);
      if (If && leaves(*If) &&
          (asks(*If->getCond(), Field, *Take.Function) ||
           asksByCall(*If->getCond(), Field)))
        return true;
    }
    return false;
  }

  /// Somewhere in \p Condition, which \p Function has, and without a lock.
  bool asks(const Expr &Condition, const FieldDecl &Field,
            const FunctionDecl &Function) {
    return llvm::any_of(Accesses.in(Function), [&](unsigned Index) {
      const Access &Use = Accesses.all()[Index];
      StmtPath Path;
      return Use.Object.field() == &Field && Use.Kind == AccessKind::Read &&
             !Hot.isLocked(Use) && findPath(Condition, *Use.Site, Path);
    });
  }

  /// The same by a method of the object that does nothing else:
  /// `if (!isOn(urgency)) return;`.
  bool asksByCall(const Stmt &Condition, const FieldDecl &Field) {
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(&Condition);
        Call && Call->getMethodDecl() &&
        isa<CXXThisExpr>(
            Call->getImplicitObjectArgument()->IgnoreParenImpCasts())) {
      const FunctionDecl *Method = Call->getMethodDecl()->getDefinition();
      const Expr *Answer = Method ? onlyReturn(*Method) : nullptr;
      if (Answer && asks(*Answer, Field, *Method))
        return true;
    }
    return llvm::any_of(Condition.children(), [&](const Stmt *Child) {
      return Child && asksByCall(*Child, Field);
    });
  }

  static bool leaves(const IfStmt &If) {
    const Stmt *Then = If.getThen();
    if (const auto *Block = dyn_cast<CompoundStmt>(Then))
      Then = Block->body_empty() ? nullptr : Block->body_back();
    return isa_and_nonnull<ReturnStmt>(Then);
  }

  /// An array of locks: whoever "reads" it takes one.
  bool holdsLocks(const FieldDecl &Field) const {
    return llvm::any_of(Accesses.of(Field), [&](unsigned Index) {
      const Place &Object = Accesses.all()[Index].Object;
      return Object.Array == &Field && !Object.ElementType.isNull() &&
             isLockType(Object.ElementType, Kinds);
    });
  }

  /// if (enabled) lock.take(): whoever asks for the field goes on to the lock.
  bool isSwitchOf(const FieldDecl &Field, const FieldDecl &Lock) const {
    return llvm::any_of(Accesses.of(Field), [&](unsigned Index) {
      const Access &Use = Accesses.all()[Index];
      StmtPath Path;
      if (Use.Kind != AccessKind::Read || !Use.IsInCondition ||
          !findPath(*Use.Function->getBody(), *Use.Site, Path))
        return false;
      for (const Stmt *Around : llvm::reverse(Path))
        if (const auto *If = dyn_cast<IfStmt>(Around))
          return !If->getElse() && isAllOf(*If->getThen(), Lock);
      return false;
    });
  }

  /// Takes or leaves the lock, and notes that at most.
  bool isAllOf(const Stmt &Body, const FieldDecl &Lock) const {
    constexpr size_t LockAndNote = 2;
    const auto *Block = dyn_cast<CompoundStmt>(&Body);
    if (Block && (Block->size() > LockAndNote ||
                  llvm::any_of(Block->body(), [](const Stmt *Part) {
                    return !isa<Expr>(Part);
                  })))
      return false;
    return llvm::any_of(Accesses.of(Lock), [&](unsigned Index) {
      StmtPath Path;
      return findPath(Body, *Accesses.all()[Index].Site, Path);
    });
  }

  /// Those who hold it for reading use the field: others come and go while they
  /// do, and each writes the lock.
  bool readersUse(const FieldDecl &Field, const FunctionSet &ReadTakers,
                  HotPair &Pair) {
    FunctionSet Users;
    for (unsigned Index : Accesses.of(Field)) {
      const Access &Use = Accesses.all()[Index];
      if (!Hot.isOnOperationPath(Use) ||
          !ReadTakers.contains(Use.Function->getCanonicalDecl()))
        continue;
      if (!Pair.Reader)
        Pair.Reader = &Use;
      Users.insert(Use.Function->getCanonicalDecl());
    }
    Pair.ReadingFunctions = Pair.Strength = Users.size();
    return !Users.empty();
  }

  bool isNew(const RecordDecl &Record, const FieldSpan &Span) {
    return Reported.insert({templatePattern(Record).getLocation(), Span.Offset})
        .second;
  }

  /// Who only moves the named field still has these beside the lock: words that
  /// change, and that others use without it.
  std::string listOthers(const Lock &Mutex, const HotPair &Pair,
                         const RecordLines &Lines) {
    constexpr unsigned MaxListed = 4;
    std::string Text;
    unsigned Listed = 0;
    for (const FieldSpan &Other : Lines.fields()) {
      if (isAround(Other, Mutex.Span) || Other.Field == Pair.Read.Field ||
          isPaddingField(*Other.Field) || Other.Size > Line ||
          isLockField(*Other.Field, Kinds) ||
          Kinds.isSynchronization(Other.Field->getType()) ||
          Accesses.isNamedInBrokenCode(*Other.Field) ||
          Check.common().isAccepted(*Other.Field) ||
          Lines.sharingFraction(Mutex.Span, Other) < 0.5)
        continue;
      const Role &Used = Roles.of(*Other.Field);
      const bool IsUsedWithout =
          llvm::any_of(Used.Readers, [&](const FunctionDecl *Reader) {
            return !Mutex.Use.Takers.contains(Reader);
          });
      if (Used.Writers.empty() || !IsUsedWithout || ++Listed > MaxListed)
        continue;
      Text += (Text.empty() ? "; also used there without it: '" : ", '") +
              fieldName(*Other.Field) + "' (offset " +
              std::to_string(Other.Offset) + ")";
    }
    return Text;
  }

  void reportField(const Lock &Mutex, const Access &Take, const HotPair &Pair,
                   const RecordLines &Lines) {
    Check.warn(Check.place(Take),
               {.Subject = *Mutex.Span.Field,
                .Function = Take.Function,
                .Neighbour = Pair.Read.Field},
               "'%0' (offset %1) is taken here, in '%2', and %select{may "
               "share|shares}3 its cache line with '%4' (offset %5), which %6 "
               "without it: each attempt to take the lock makes their next "
               "access a miss; keep them a line apart%7")
        << fieldName(*Mutex.Span.Field) << unsigned(Mutex.Span.Offset)
        << plainName(*Take.Function) << (Pair.Fraction == 1)
        << fieldName(*Pair.Read.Field) << unsigned(Pair.Read.Offset)
        << (Pair.ReadingFunctions == 1
                ? "'" + plainName(*Pair.Reader->Function) + "' reads"
                : std::to_string(Pair.ReadingFunctions) + " functions read")
        << listOthers(Mutex, Pair, Lines);
    noteUse(Pair);
  }

  void reportLine(const Lock &Mutex, const HotPair &Pair, unsigned Fields) {
    Check.warn(Check.place(*Mutex.Use.Take),
               {.Subject = *Mutex.Span.Field,
                .Function = Mutex.Use.Take->Function,
                .Neighbour = Pair.Read.Field},
               "'%0' (offset %1) is taken here, in '%2', and %select{may "
               "share|shares}3 its cache line with %4 fields that nobody "
               "changes here, such as '%5' (offset %6), and that %7 functions "
               "read without it: each attempt to take the lock makes their "
               "next access a miss; keep them a line apart")
        << fieldName(*Mutex.Span.Field) << unsigned(Mutex.Span.Offset)
        << plainName(*Mutex.Use.Take->Function) << (Pair.Fraction == 1)
        << Fields << fieldName(*Pair.Read.Field) << unsigned(Pair.Read.Offset)
        << Pair.ReadingFunctions;
    noteUse(Pair);
  }

  void reportReaders(const Lock &Mutex, const HotPair &Pair) {
    Check.warn(
        Check.place(*Mutex.Use.ReadTake),
        {.Subject = *Mutex.Span.Field,
         .Function = Mutex.Use.ReadTake->Function,
         .Neighbour = Pair.Read.Field},
        "'%0' (offset %1) is taken for reading here, in '%2', and "
        "%select{may share|shares}3 its cache line with '%4' (offset "
        "%5), which its readers use: each new reader writes the lock and "
        "takes the line from those who hold it; put the lock on a line "
        "of its own")
        << fieldName(*Mutex.Span.Field) << unsigned(Mutex.Span.Offset)
        << plainName(*Mutex.Use.ReadTake->Function) << (Pair.Fraction == 1)
        << fieldName(*Pair.Read.Field) << unsigned(Pair.Read.Offset);
    noteUse(Pair);
  }

  void noteUse(const HotPair &Pair) {
    Check.diag(Check.place(*Pair.Reader), "'%0' is used here, in '%1'",
               DiagnosticIDs::Note)
        << fieldName(*Pair.Read.Field) << plainName(*Pair.Reader->Function);
  }

  /// What clears or closes all takes both, and little else does.
  static bool areMostlyApart(const FunctionSet &A, const FunctionSet &B) {
    const size_t InBoth = llvm::count_if(
        A, [&](const FunctionDecl *Taker) { return B.contains(Taker); });
    constexpr size_t FewestOwn = 2;
    return InBoth == 0 || (2 * InBoth <= std::min(A.size(), B.size()) &&
                           std::min(A.size(), B.size()) - InBoth >= FewestOwn);
  }

  void checkPair(const Lock &A, const Lock &B, const RecordLines &Lines,
                 const RecordDecl &Record) {
    double Fraction = Lines.sharingFraction(A.Span, B.Span);
    if (Fraction < 0.5 ||
        !(areSpinLocks(A, B) ||
          (isBusy(A) && isBusy(B) && isContended(A, Lines) &&
           isContended(B, Lines))) ||
        !(isReachedByAll(A, Lines) || isSharedByReaders(A, Lines)) ||
        !(isReachedByAll(B, Lines) || isSharedByReaders(B, Lines)) ||
        !areMostlyApart(A.Use.Takers, B.Use.Takers))
      return;
    const bool IsNever = haveNoneInCommon(A.Use.Takers, B.Use.Takers);
    // Each may have a worse neighbour, which has been said: apart from that one
    // they would still be beside each other.
    if (!ReportedPairs
             .insert({templatePattern(Record).getLocation(), A.Span.Offset,
                      B.Span.Offset})
             .second)
      return;
    Check.warn(
        B.Span.Field->getLocation(),
        {.Subject = *B.Span.Field, .Neighbour = A.Span.Field},
        "'%0' (offset %1) and '%2' (offset %3) %select{may be|are}4 on "
        "one cache line, and %select{most functions that take one do not take "
        "the other|no function takes both}5: who takes one slows down those "
        "who take the other; keep them a line apart")
        << fieldName(*A.Span.Field) << unsigned(A.Span.Offset)
        << fieldName(*B.Span.Field) << unsigned(B.Span.Offset)
        << (Fraction == 1) << IsNever;
    for (const Lock *Mutex : {&A, &B})
      Check.diag(Check.place(*Mutex->Use.Take), "'%0' is taken here, in '%1'",
                 DiagnosticIDs::Note)
          << fieldName(*Mutex->Span.Field)
          << plainName(*Mutex->Use.Take->Function);
  }

  LockNeighbourCheck &Check;
  FieldRoles Roles;
  /// Records and the offsets of their locks.
  std::set<std::pair<SourceLocation, uint64_t>> Reported;
  std::set<std::tuple<SourceLocation, uint64_t, uint64_t>> ReportedPairs;
};

void LockNeighbourCheck::checkUnit(ASTContext &Unit) {
  UnitReader(*this, Unit).read();
  checkArrays(Unit);
  checkWrites(Unit);
}

} // namespace linesman::tidy
