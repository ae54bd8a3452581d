// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index that names the thread says what the author wanted: an element for
// each thread. The stride and the base say whether each got a line as well. One
// report an array.

#include "ThreadSlotCheck.h"
#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Containers/ElementGaps.h"
#include "Analysis/Containers/RowLength.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/RecordLines.h"
#include "Analysis/Names/WordSwitch.h"
#include "Analysis/Threads/GivenElements.h"
#include "Analysis/Threads/GivenWrites.h"
#include "Analysis/Threads/IndexOrigin.h"
#include "Analysis/Threads/ThreadBounds.h"
#include "LineReader.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

/// The element as its author wrote it: `stats[id].hits` is one of stats.
uint64_t sizeOf(QualType Element, const ASTContext &Unit) {
  if (Element.isNull() || Element->isIncompleteType() ||
      Element->isDependentType() || Element->isVoidType() ||
      Element->isFunctionType())
    return 0;
  return Unit.getTypeSizeInChars(Element.getNonReferenceType()).getQuantity();
}

} // namespace

class ThreadSlotCheck::UnitReader : LineReader {
public:
  UnitReader(ThreadSlotCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Starts(Accesses),
        Origin(Accesses, Kinds, Starts), Bounds(Accesses) {}

  void read() {
    for (const Access &Use : Accesses.all())
      if (Use.Object.Index && Use.writes())
        checkWrite(Use);
    for (const ThreadStarts::HandedElement &Handed : Starts.handedElements())
      checkHanded(Handed);
    for (const Access &Use : Accesses.all())
      if (Use.Object.Index && Use.Function) {
        if (Use.Kind == AccessKind::Address)
          checkEntrusted(Use);
        checkGivenOut(Use);
      }
  }

private:
  enum class Crowding { None, Stride, Base, Row };

  /// From the element of one thread to that of the next, in bytes; 0 where that
  /// is not known.
  uint64_t strideOf(const Element &Part, const FunctionDecl *Function) const {
    return Origin.stepOf(*Part.Index, Function).value_or(0) *
           sizeOf(Part.Type, Unit);
  }

  /// How the elements of two threads come to share a line.
  Crowding crowding(const Element &Part, const FunctionDecl *Function) const {
    uint64_t Stride = strideOf(Part, Function);
    if (!Part.Array || Check.common().isAccepted(*Part.Array) ||
        (Part.Array->getType()->isReferenceType() &&
         !isContiguous(Part.Array->getType())))
      return Crowding::None;
    // Without data of its own it neither holds the elements nor points to
    // them: its operator goes to each processor's memory.
    if (const auto *Class =
            Part.Array->getType().getNonReferenceType()->getAsCXXRecordDecl();
        Class && Class->hasDefinition() && Class->isEmpty())
      return Crowding::None;
    // A thread's own array is its own, whatever indexes it.
    if (const auto *Var = dyn_cast<VarDecl>(Part.Array);
        Var && isPerThread(*Var))
      return Crowding::None;
    if (Stride == 0)
      return isRowAsItComes(Part, Function) ? Crowding::Row : Crowding::None;
    auto KeepsApart = [&](auto IsPart) {
      std::optional<uint64_t> Gap =
          gapBetween(Part.Type, Stride, Line, Unit, IsPart);
      return Gap ? std::optional<bool>(keepsApart(*Gap, Part.Type, Line, Unit))
                 : std::nullopt;
    };
    if (Stride % Line != 0)
      return KeepsApart([&](const FieldDecl &F) {
               return isUsed(F);
             }).value_or(false)
                 ? Crowding::None
                 : Crowding::Stride;
    return isOnUnalignedBase(Part) && !KeepsApart([&](const FieldDecl &F) {
                                         return isWritten(F);
                                       }).value_or(true)
               ? Crowding::Base
               : Crowding::None;
  }

  /// One of rows[n * thread + i], where nobody rounded n.
  bool isRowAsItComes(const Element &Part, const FunctionDecl *Function) const {
    const Expr *Length = Origin.rowLengthOf(*Part.Index, Function);
    const uint64_t Size = sizeOf(Part.Type, Unit);
    return Length && Size % Line != 0 &&
           isLengthAsItComes(*Length, Size, Line, Function, Accesses);
  }

  /// Elements of whole lines that may start in the middle of one.
  bool isOnUnalignedBase(const Element &Part) const {
    if (uint64_t(Unit.getTypeAlignInChars(Part.Type).getQuantity()) >= Line ||
        uint64_t(Unit.getDeclAlign(Part.Array).getQuantity()) >= Line)
      return false;
    if (Part.Array->getType()->isPointerType())
      return isFromMalloc(Part.Type);
    const auto *Field = dyn_cast<FieldDecl>(Part.Array);
    if (!Field)
      return true;
    std::optional<RecordLines> Lines =
        RecordLines::build(*Field->getParent(), Unit, Line);
    std::optional<FieldSpan> Span = Lines ? Lines->find(*Field) : std::nullopt;
    return Span && (Lines->alignment() < Line || Span->Offset % Line != 0);
  }

  bool isFromMalloc(QualType Element) const {
    return llvm::any_of(
        Accesses.callCasts(), [&](const UnitAccesses::CallCast &Converted) {
          const auto *Call = dyn_cast<CallExpr>(
              Converted.Cast->getSubExpr()->IgnoreParenImpCasts());
          const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
          return Callee && Callee->getIdentifier() &&
                 (Callee->getName() == "malloc" ||
                  Callee->getName() == "calloc" ||
                  Callee->getName() == "realloc") &&
                 Unit.hasSameUnqualifiedType(
                     Converted.Cast->getType()->getPointeeType(), Element);
        });
  }

  /// Most of each element's lines are its own.
  bool sharesOnlyEnds(uint64_t Stride) const { return Stride >= 3 * Line; }

  /// Not padding, nor room that nobody touches.
  bool isUsed(const FieldDecl &Field) const {
    return !isPaddingField(Field) &&
           !(Field.getType()->isArrayType() && Accesses.of(Field).empty());
  }
  bool isWritten(const FieldDecl &Field) const {
    return llvm::any_of(Accesses.of(Field), [&](unsigned Index) {
      return Hot.isHotWrite(Accesses.all()[Index]);
    });
  }

  bool isOwners(const Element &Part, const Access &Use) const {
    return Origin.isOwnersNumber(*Part.Index) && isPublished(Use);
  }

  /// Others may set an element, when a thread begins, say. Who counts in it has
  /// it.
  bool isCount(const Access &Use) {
    return Use.Function &&
           (HotAccesses::isPlainCounting(Use) ||
            Hot.operationOf(Use) == AtomicOperation::FetchModify) &&
           Hot.isHotWrite(Use);
  }

  /// A word that its owner writes for others to see: volatile or atomic, and
  /// read by somebody who goes through all the elements.
  bool isPublished(const Access &Use) const {
    const FieldDecl *Field = Use.Object.field();
    if (!Field ||
        !(Field->getType().isVolatileQualified() || Hot.isAtomic(Use)))
      return false;
    return llvm::any_of(Accesses.of(*Field), [&](unsigned Index) {
      const Access &Other = Accesses.all()[Index];
      return Other.Kind == AccessKind::Read && Other.Loop &&
             !(Other.Object.Index &&
               Origin.isOwnersNumber(*Other.Object.Index));
    });
  }

  /// By a task, which ends; or stored by what a thread runs from its start to
  /// its end, such as the sum that it has counted.
  bool isDoneOnce(const Access &Use) const {
    if (Use.Loop || !Use.Function)
      return false;
    if (Starts.isTask(Use.Function))
      return !callsWriter(Use);
    const bool IsEntry =
        Starts.isStarted(Use.Function) ||
        (llvm::is_contained(Starts.entries(),
                            Use.Function->getCanonicalDecl()) &&
         Accesses.callersOf(*Use.Function).empty());
    const AccessKind Kind = Hot.kindOf(Use);
    return IsEntry && (Kind == AccessKind::Write ||
                       (Kind == AccessKind::Mutate && !callsWriter(Use)));
  }

  void checkWrite(const Access &Use) {
    // A part of the thread's own object.
    if (Use.Object.Root && isPerThread(*Use.Object.Root))
      return;
    // The outermost is as much as the thread has to itself.
    const auto Elements = Use.Object.elements();
    bool IsOwners = false;
    const Element *Own = llvm::find_if(Elements, [&](const Element &Part) {
      return Origin.isThreadNumber(*Part.Index, Use.Function);
    });
    // An atomic word that its thread writes, and others now and then.
    if (Own == Elements.end() && Use.Function && Hot.isAtomic(Use))
      Own = llvm::find_if(Elements, [&](const Element &Part) {
        return Origin.isThreadNumberOfSome(*Part.Index, *Use.Function);
      });
    if (Own == Elements.end() && isCount(Use))
      Own = llvm::find_if(Elements, [&](const Element &Part) {
        return Part.Array && Origin.isSlotNumber(*Part.Index, *Use.Function) &&
               Bounds.isSizedByThreads(*Part.Array);
      });
    if (Own == Elements.end()) {
      Own = llvm::find_if(
          Elements, [&](const Element &Part) { return isOwners(Part, Use); });
      IsOwners = true;
    }
    if (Own == Elements.end())
      return;
    Crowding Degree = crowding(*Own, Use.Function);
    if (Degree == Crowding::None || isDoneOnce(Use) ||
        // Who waits sleeps.
        Kinds.kindOf(Own->Type) == TypeKind::Synchronizer ||
        !(Check.isRepeated(Use, Hot) || isHandedToWriter(Use) ||
          callsWriter(Use) || isGivenToBeWritten(Use, *Own)) ||
        // What is filled in once meets the neighbour at the ends, once.
        (Degree == Crowding::Row &&
         !(Use.Loop && Hot.kindOf(Use) == AccessKind::Update) &&
         !isHandedToWriter(Use) && !isGivenToBeWritten(Use, *Own)) ||
        // An array of locks is linesman-lock-neighbour's.
        Check.analyses().ReportedWords.contains(Own->Array) ||
        !Reported.insert(Own->Array->getLocation()).second)
      return;
    if (Degree == Crowding::Row)
      reportRow(Use, *Own);
    else if (Degree == Crowding::Stride && Use.Function &&
             Origin.takesTurns(*Own->Index, *Use.Function))
      reportTurns(Use, *Own);
    else if (Degree == Crowding::Base)
      Check.warn(
          Check.place(Use), {.Subject = *Own->Array, .Function = Use.Function},
          "each %select{thread|owner}4 writes its own element of '%0' "
          "here, and elements are whole lines (%1 bytes), but they are "
          "only aligned to %2: unless the array happens to start at a "
          "multiple of %3, neighbours write the same line; %select{make "
          "the element a record with|give the element type}5 alignas(%3)")
          << plainName(*Own->Array) << unsigned(strideOf(*Own, Use.Function))
          << unsigned(Unit.getTypeAlignInChars(Own->Type).getQuantity())
          << unsigned(Line) << IsOwners << isOwnRecord(Own->Type, Unit);
    else
      Check.warn(
          Check.place(Use), {.Subject = *Own->Array, .Function = Use.Function},
          "each %select{thread|owner}4 writes its own element of '%0' "
          "here, but elements are %1 bytes apart and a cache line has "
          "%2: neighbouring %select{threads|owners}4 write the same "
          "line%select{| where one element ends and the next begins}6; "
          "%select{|keep it in a local variable of the thread and store "
          "that once, or }5%select{make the element a record with|give the "
          "element type}3 alignas(%2)")
          << plainName(*Own->Array) << unsigned(strideOf(*Own, Use.Function))
          << unsigned(Line) << isOwnRecord(Own->Type, Unit) << IsOwners
          << (Use.IsInRegion && Own->Type->isScalarType())
          << sharesOnlyEnds(strideOf(*Own, Use.Function));
    Check.noteElement(*Own, Unit);
  }

  void reportRow(const Access &Use, const Element &Own) {
    Check.warn(
        Check.place(Use), {.Subject = *Own.Array, .Function = Use.Function},
        "each thread updates its own row of '%0' here, and how many elements "
        "of %1 bytes a row has, only the running program knows: unless that "
        "makes whole lines, neighbouring threads write the same line at the "
        "ends of their rows, and everywhere in short ones; round the length "
        "up to a multiple of %2 bytes, and align the first row to %2")
        << plainName(*Own.Array) << unsigned(sizeOf(Own.Type, Unit))
        << unsigned(Line);
    Check.noteElement(Own, Unit);
  }

  void reportTurns(const Access &Use, const Element &Own) {
    Check.warn(
        Check.place(Use), {.Subject = *Own.Array, .Function = Use.Function},
        "threads take turns at the elements of '%0' here, which are %1 bytes "
        "apart, and a cache line has %2: neighbouring elements are different "
        "threads', which write the same line; give each thread a part of "
        "neighbouring elements")
        << plainName(*Own.Array) << unsigned(strideOf(Own, Use.Function))
        << unsigned(Line);
    Check.noteElement(Own, Unit);
  }

  /// visit(&walks[thread]) in a region, handle(sessions[thread]) in a thread's
  /// loop: what is called writes it again and again.
  bool isHandedToWriter(const Access &Use) const {
    const auto *Call = dyn_cast<CallExpr>(Use.Site->IgnoreParens());
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee ||
        !(Use.isOnceAThread() || (Use.Loop && Hot.isOnOperationPath(Use))) ||
        Use.Kind != AccessKind::Mutate ||
        (Use.Object.field() && Use.Object.field() != Use.Object.Array))
      return false;
    const FunctionDecl *Definition = Callee->getDefinition();
    for (unsigned I = 0; Definition && I != Call->getNumArgs(); ++I)
      if (StmtPath Path; I < Definition->getNumParams() &&
                         findPath(*Call->getArg(I), *Use.Object.Index, Path))
        return Starts.isWrittenByThreads(
            {Call->getArg(I), Use.Object, Definition->getParamDecl(I)});
    return false;
  }

  /// take(&pools[me].free), in an operation of the thread that says who it is.
  bool isGivenToBeWritten(const Access &Use, const Element &Own) {
    return Use.Kind == AccessKind::Mutate && !Use.isOnceAThread() &&
           Kinds.isThreadIdentity(*Own.Index) && Hot.isOnOperationPath(Use) &&
           isWrittenByCallee(Use, *Own.Index, Hot);
  }

  /// slots[thread].add(n), workers[i].run(): a method of the element that
  /// counts in it, or writes it in a loop.
  bool callsWriter(const Access &Use) const {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(Use.Site->IgnoreParens());
    return Call && Call->getMethodDecl() && Use.Kind == AccessKind::Mutate &&
           (!Use.Object.field() || Use.Object.field() == Use.Object.Array) &&
           Hot.isOnOperationPath(Use) && !Use.isOnceAThread() &&
           (!sharesOnlyEnds(sizeOf(Use.Object.ElementType, Unit)) ||
            Starts.isStarted(Use.Function)) &&
           writesOften(*Call->getMethodDecl());
  }

  bool writesOften(const CXXMethodDecl &Method) const {
    const FunctionDecl *Definition = Method.getDefinition();
    return Definition &&
           llvm::any_of(Accesses.in(*Definition), [&](unsigned Index) {
             const Access &Use = Accesses.all()[Index];
             return Use.Object.IsThis && Use.writes() && !Use.IsRare &&
                    (Use.Kind == AccessKind::Update || Use.Loop) &&
                    !Use.Object.IsPointee && !Use.Object.Index;
           });
  }

  void checkHanded(const ThreadStarts::HandedElement &Given) {
    const Element Handed = Given.Object.elements().back();
    if (crowding(Handed, nullptr) != Crowding::Stride ||
        !Starts.isWrittenByThreads(Given) ||
        !Reported.insert(Handed.Array->getLocation()).second)
      return;
    Check.warn(Given.Argument->getBeginLoc(), {*Handed.Array},
               "each thread that this loop starts gets its own element of '%0' "
               "to write, but elements are %1 bytes apart and a cache line has "
               "%2: neighbouring threads write the same line%select{| where "
               "one element ends and the next begins}4; %select{make the "
               "element a record with|give the element type}3 alignas(%2)")
        << plainName(*Handed.Array) << unsigned(strideOf(Handed, nullptr))
        << unsigned(Line) << isOwnRecord(Handed.Type, Unit)
        << sharesOnlyEnds(strideOf(Handed, nullptr));
    Check.noteElement(Handed, Unit);
  }

  /// table[number] = &elements[number], for the number that the caller sets up:
  /// whoever takes the pointer out of the table has the element to itself, and
  /// counts in it.
  void checkEntrusted(const Access &Use) {
    const Element Part = Use.Object.elements().back();
    const auto *Ref = dyn_cast<DeclRefExpr>(Part.Index->IgnoreParenCasts());
    if (!Ref || !isa<ParmVarDecl>(Ref->getDecl()) ||
        !isOwnRecord(Part.Type, Unit) ||
        crowding(Part, Use.Function) != Crowding::Stride)
      return;
    bool IsHanded =
        llvm::any_of(Accesses.in(*Use.Function), [&](unsigned Index) {
          const Access &Other = Accesses.all()[Index];
          if (Other.Kind != AccessKind::Write || !Other.Object.Index ||
              Other.Object.Array == Part.Array ||
              !Other.Object.ElementType->isPointerType())
            return false;
          const auto *Same =
              dyn_cast<DeclRefExpr>(Other.Object.Index->IgnoreParenCasts());
          QualType Pointee = Other.Object.ElementType->getPointeeType();
          return Same && Same->getDecl() == Ref->getDecl() &&
                 (Pointee->isVoidType() ||
                  Unit.hasSameUnqualifiedType(Pointee, Part.Type));
        });
    if (const Access *Counting = IsHanded ? callbackOf(Part.Type) : nullptr)
      reportGiven(Use, Part, *Counting);
  }

  /// Data &of(int thread) { return all[thread]; }: who asks for it counts in
  /// it.
  void checkGivenOut(const Access &Use) {
    const Element Part = Use.Object.elements().back();
    if (!Part.Array || Part.Type.isNull() || !isOwnRecord(Part.Type, Unit) ||
        !givesOut(*Use.Function, *Use.Site) ||
        !(Origin.isThreadNumber(*Part.Index, Use.Function) ||
          Origin.isThreadNumberOfSome(*Part.Index, *Use.Function)) ||
        crowding(Part, Use.Function) != Crowding::Stride)
      return;
    if (const Access *Counting = useOf(Part.Type))
      reportGiven(Use, Part, *Counting);
    else if (sharesOnlyEnds(strideOf(Part, Use.Function)))
      // Which part of it is written, nothing here says.
      return;
    else if (std::optional<Access> Handing =
                 findHandedOn(*Use.Function, Accesses))
      reportGiven(Use, Part, *Handing);
  }

  void reportGiven(const Access &Use, const Element &Part,
                   const Access &Counting) {
    if (!Reported.insert(Part.Array->getLocation()).second)
      return;
    Check.warn(
        Check.place(Counting),
        {.Subject = *Part.Array, .Function = Counting.Function},
        "whoever '%0' gives an element of '%1' %select{counts in it here, "
        "in '%2'|hands it on to be written here, in a loop of '%2'}5, "
        "but elements are %3 bytes apart and a cache line has %4: "
        "neighbours that different threads use write the same line; "
        "give the element type alignas(%4)")
        << plainName(*Use.Function) << plainName(*Part.Array)
        << plainName(*Counting.Function)
        << unsigned(strideOf(Part, Use.Function)) << unsigned(Line)
        << (Counting.Kind == AccessKind::Mutate);
    Check.noteElement(Part, Unit);
  }

  /// A plain counter in an object of the type that a function was given, of
  /// those that \p Counts.
  const Access *
  countingOf(QualType Element,
             llvm::function_ref<bool(const Access &)> Counts) const {
    const RecordDecl *Record = Element->getAsRecordDecl()->getDefinition();
    if (!Record)
      return nullptr;
    for (const FieldDecl *Field : Record->fields())
      for (unsigned Index : Accesses.of(*Field)) {
        const Access &Use = Accesses.all()[Index];
        if (Use.Function && HotAccesses::isPlainCounting(Use) &&
            !Use.Object.Root && Counts(Use))
          return &Use;
      }
    return nullptr;
  }

  /// Some function counts in the element that it was given, or writes an atomic
  /// word of it.
  const Access *useOf(QualType Element) const {
    if (const Access *Counting = countingOf(Element, [&](const Access &Use) {
          return !Use.Object.Index && Hot.isHotWrite(Use);
        }))
      return Counting;
    const RecordDecl *Record = Element->getAsRecordDecl()->getDefinition();
    return Record ? atomicUseIn(*Record) : nullptr;
  }

  const Access *atomicUseIn(const RecordDecl &Record,
                            unsigned Depth = 0) const {
    constexpr unsigned MaxDepth = 2;
    for (const FieldDecl *Field : Record.fields()) {
      for (unsigned Index : Accesses.of(*Field)) {
        const Access &Use = Accesses.all()[Index];
        if (Use.Function && Use.Object.field() == Field && Use.writes() &&
            !Use.Object.Index && !Use.Object.Root && Hot.isAtomic(Use) &&
            Hot.isHotWrite(Use))
          return &Use;
      }
      // A lock in it, for one.
      const RecordDecl *Inner = Field->getType()->getAsRecordDecl();
      if (Inner && Inner->getDefinition() && Depth != MaxDepth &&
          isOwnRecord(Field->getType(), Unit))
        if (const Access *Use = atomicUseIn(*Inner->getDefinition(), Depth + 1))
          return Use;
    }
    return nullptr;
  }

  /// A callback counts in the element that it keeps through an opaque pointer,
  /// `void *queue`.
  const Access *callbackOf(QualType Element) const {
    return countingOf(Element, [&](const Access &Use) {
      return !Use.Object.Array && Accesses.isAddressTaken(*Use.Function) &&
             !Hot.isLocked(Use) &&
             llvm::any_of(Use.Function->parameters(), [](const ParmVarDecl *P) {
               return P->getType()->isVoidPointerType();
             });
    });
  }

  ThreadSlotCheck &Check;
  ThreadStarts Starts;
  IndexOrigin Origin;
  ThreadBounds Bounds;
  llvm::SmallSet<SourceLocation, 8> &Reported = Check.Reported;
};

bool ThreadSlotCheck::isOwnRecord(QualType Element, const ASTContext &Unit) {
  const RecordDecl *Record = Element->getAsRecordDecl();
  return Record &&
         !Unit.getSourceManager().isInSystemHeader(Record->getLocation());
}

void ThreadSlotCheck::checkUnit(ASTContext &Unit) {
  Aligned.clear();
  Reported.clear();
  UnitReader(*this, Unit).read();
  checkAllocations(Unit);
  checkClaims(Unit);
  checkKept(Unit);
  checkPublished(Unit);
  checkTurns(Unit);
  checkWorkers(Unit);
}

/// lists[thread].push_back(x): each call moves the end, which is in the
/// element, wherever the list's own elements are.
static bool movesEnd(const Access &Use) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(Use.Site->IgnoreParens());
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  return Method && Method->getIdentifier() &&
         Method->getParent()->isInStdNamespace() &&
         WordSwitch<bool>(Method->getName())
             .Cases({"push_back", "emplace_back", "pop_back", "push_front",
                     "emplace_front", "pop_front"},
                    true)
             .Cases({"push", "emplace", "pop"}, true)
             .Default(false);
}

bool ThreadSlotCheck::isRepeated(const Access &Use, HotAccesses &Hot) const {
  if (!Hot.isOnOperationPath(Use) || (Use.isOnceAThread() && !common().Strict))
    return false;
  if (Hot.kindOf(Use) == AccessKind::Update || common().Strict || Use.Loop)
    return !isListOnlyPicked(Use, Hot.accesses()) &&
           !callsReader(Use, Hot.accesses());
  if (Hot.kindOf(Use) == AccessKind::Mutate && movesEnd(Use))
    return !Hot.isLockedHere(Use);
  // What a thread stores for others behind a lock that they share: it says so
  // once, as a rule.
  if (Hot.kindOf(Use) == AccessKind::Write && Hot.isLockedHere(Use))
    return false;
  // `slots[id] = new Slot` happens once a thread, and so does what is done to a
  // container or an object of its own: only plain words are per-operation
  // state.
  const FieldDecl *Field = Use.Object.field();
  QualType Type = !Field || Field == Use.Object.Array ? Use.Object.ElementType
                                                      : Field->getType();
  Type = Type.getNonReferenceType();
  return Hot.kindOf(Use) == AccessKind::Write &&
         (Type->isArithmeticType() || Hot.isAtomic(Use));
}

void ThreadSlotCheck::noteElement(const Element &Crowded,
                                  const ASTContext &Unit) {
  diag(Crowded.Array->getLocation(), "'%0' is declared here",
       DiagnosticIDs::Note)
      << plainName(*Crowded.Array);
  const RecordDecl *Record = Crowded.Type->getAsRecordDecl();
  if (!isOwnRecord(Crowded.Type, Unit) || !Record->getDefinition())
    return;
  Record = cast<RecordDecl>(&templatePattern(*Record->getDefinition()));
  DiagnosticBuilder Note =
      diag(Record->getLocation(),
           "aligned to a line, each %select{element|'%1'}0 has its lines to "
           "itself; the type grows, and its ABI changes",
           DiagnosticIDs::Note);
  const std::string Name = plainName(*Record);
  Note << !Name.empty() << Name;
  // `struct alignas(64) Slot` needs a name to stand before, once for all
  // arrays.
  if (Unit.getLangOpts().CPlusPlus11 && Record->getIdentifier() &&
      !Record->getLocation().isMacroID() &&
      Aligned.insert(Record->getLocation()).second)
    Note << FixItHint::CreateInsertion(
        Record->getLocation(),
        "alignas(" + std::to_string(common().CacheLineSize) + ") ");
}

} // namespace linesman::tidy
