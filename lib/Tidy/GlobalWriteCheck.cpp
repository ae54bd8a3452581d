// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One report a variable, at the first write: the others are the same cause.

#include "GlobalWriteCheck.h"
#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/ClockValues.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Locks/LockWords.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/WordSwitch.h"
#include "Analysis/Threads/IndexOrigin.h"
#include "Analysis/Threads/ObjectThreads.h"
#include "Analysis/Threads/OnceAThread.h"
#include "Analysis/Threads/ThreadStarts.h"
#include "linesman/Facts/NameWords.h"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

GlobalWriteCheck::GlobalWriteCheck(StringRef Name, ClangTidyContext *Context,
                                   std::shared_ptr<UnitAnalyses> Analyses)
    : LinesmanCheck(Name, Context, std::move(Analyses)),
      InternalLinkage(Options.get("InternalLinkage", true)),
      LeavesUnread(Context->isCheckEnabled("linesman-write-only-global")) {}

void GlobalWriteCheck::storeOptions(ClangTidyOptions::OptionMap &Map) {
  LinesmanCheck::storeOptions(Map);
  Options.store(Map, "InternalLinkage", InternalLinkage);
}

namespace {

/// Where the variable's name came from: what a macro declares at each use is
/// one cause, however many variables that makes.
std::string causeOf(const VarDecl &Var, const ASTContext &Unit) {
  SourceLocation Location = Var.getLocation();
  if (!Location.isMacroID())
    return "";
  return Lexer::getImmediateMacroName(Location, Unit.getSourceManager(),
                                      Unit.getLangOpts())
      .str();
}

/// What goes wrong goes wrong now and then: "bind_errors", "dropped", and
/// "yynerrs" of Bison's parsers.
bool countsFailures(const NamedDecl &Named) {
  bool Found = false;
  if (Named.getIdentifier())
    facts::visitWords(Named.getName(), llvm::isAlpha, [&](StringRef Given) {
      const std::string Word = Given.lower();
      Found |= WordSwitch<bool>(Word)
                   .Cases({"error", "err", "fail", "failed", "failure",
                           "failures", "fails", "dropped", "warning",
                           "warnings", "aborted", "aborts", "crashes"},
                          true)
                   .Default(StringRef(Word).ends_with("errors") ||
                            StringRef(Word).ends_with("errs"));
    });
  return Found;
}

class GlobalWrites {
public:
  GlobalWrites(const UnitAccesses &Accesses, const TypeKinds &Kinds,
               const CommonOptions &Common, bool InternalLinkage,
               bool LeavesUnread, const ThreadStarts &Starts,
               const ASTContext &Unit)
      : Kinds(Kinds), Common(Common), InternalLinkage(InternalLinkage),
        LeavesUnread(LeavesUnread), Starts(Starts), Unit(Unit),
        Hot(Accesses, Kinds), Origin(Accesses, Kinds, Starts),
        Once(Accesses, Starts) {}

  /// The writes of each variable; those of variables that one macro declares
  /// are the first one's.
  using SiteMap =
      llvm::MapVector<const VarDecl *, SmallVector<const Access *, 4>>;

  SiteMap find() {
    SiteMap Sites;
    llvm::StringMap<const VarDecl *> OfMacro;
    for (const Access &Use : Hot.accesses().all())
      if (const VarDecl *Var =
              Use.Object.Root ? Use.Object.Root : pointerTo(Use);
          Var && Use.writes() && isCostly(Use) && isReportable(*Var)) {
        if (std::string Macro = causeOf(*Var, Unit); !Macro.empty())
          Var = OfMacro.try_emplace(Macro, Var).first->second;
        Sites[Var].push_back(&Use);
      }
    return Sites;
  }

  /// g_stats, where g_stats->packets is counted atomically, or *g_packets: one
  /// object for all threads, wherever it is.
  const VarDecl *pointerTo(const Access &Use) const {
    const VarDecl *Pointer = Use.Object.Base;
    return Pointer && Pointer->hasGlobalStorage() &&
                   Pointer->getType()->isPointerType() && !Use.Object.Index &&
                   Hot.operationOf(Use) == AtomicOperation::FetchModify
               ? Pointer
               : nullptr;
  }

private:
  /// Asked for each of its writes: generated code has thousands.
  bool isReportable(const VarDecl &Var) {
    auto [Known, IsNew] = Reportable.try_emplace(&Var);
    if (IsNew)
      Known->second = mayReport(Var);
    return Known->second;
  }

  bool mayReport(const VarDecl &Var) const {
    if (isPerThread(Var) || Common.isAccepted(Var) ||
        Unit.getSourceManager().isInSystemHeader(Var.getLocation()))
      return false;
    if (!InternalLinkage && !Var.isExternallyVisible())
      return false;
    if (LeavesUnread && GlobalWriteCheck::isNeverRead(Var, Hot.accesses()))
      return false;
    // A word is a lock by its name only.
    return !Kinds.isSynchronization(Var.getType()) && !soundsLikeLock(&Var) &&
           (Common.Strict || !countsFailures(Var));
  }

  bool isCostly(const Access &Use) {
    const FieldDecl *Field = Use.Object.field();
    if (Field && (Kinds.isSynchronization(Field->getType()) ||
                  soundsLikeLock(Field) || Common.isAccepted(*Field) ||
                  (!Common.Strict && countsFailures(*Field))))
      return false;
    for (const Element &Part : Use.Object.elements()) {
      // The elements of a per-thread array are thread-slot's.
      if (Origin.isThreadNumber(*Part.Index, Use.Function))
        return false;
      // Elements of whole lines: somebody gave each user of the array its own,
      // whatever the index is called (redis' io_threads_pending).
      if (!Part.Type.isNull() &&
          Unit.getTypeAlignInChars(Part.Type).getQuantity() >=
              Common.CacheLineSize)
        return false;
    }
    if (!isRepeated(Use) || isFilledInByCallee(Use) ||
        (!Common.Strict && Once.has(Use)))
      return false;
    return (Hot.isHotWrite(Use) || countsObjects(Use)) &&
           !picksOwnElement(Use) &&
           (Hot.accesses().isUsedHere(*Use.Function) || isDefinedHere(Use));
  }

  /// Whose header has the function that writes it: every unit that includes
  /// that may call it, and this one is where the variable is.
  bool isDefinedHere(const Access &Use) const {
    const VarDecl *Definition =
        Use.Object.Root ? Use.Object.Root->getDefinition() : nullptr;
    const SourceManager &Sources = Unit.getSourceManager();
    return Definition &&
           Sources.isInMainFile(Sources.getFileLoc(Definition->getLocation()));
  }

  /// fill(&cache): the function, whose body is here, writes what it is handed
  /// only behind a look at it.
  bool isFilledInByCallee(const Access &Use) const {
    const auto *Call = Use.Kind == AccessKind::Mutate
                           ? dyn_cast<CallExpr>(Use.Site->IgnoreParens())
                           : nullptr;
    const FunctionDecl *Definition = nullptr;
    if (!Call || isa<CXXMemberCallExpr, CXXOperatorCallExpr>(Call) ||
        !Call->getDirectCallee() ||
        !Call->getDirectCallee()->getBody(Definition))
      return false;
    const UnitAccesses &Accesses = Hot.accesses();
    bool IsFilledIn = false;
    for (unsigned Index : Accesses.in(*Definition)) {
      const Access &Inner = Accesses.all()[Index];
      const auto *Parameter =
          dyn_cast_if_present<ParmVarDecl>(Inner.Object.Base);
      if (!Parameter || !Inner.writes() ||
          Parameter->getFunctionScopeIndex() >= Call->getNumArgs())
        continue;
      const auto *Given = dyn_cast<UnaryOperator>(
          Call->getArg(Parameter->getFunctionScopeIndex())->IgnoreParenCasts());
      if (!Given || Given->getOpcode() != UO_AddrOf ||
          namedVariable(*Given->getSubExpr()) != Use.Object.Root)
        continue;
      if (!Inner.IsConditional || !Hot.isReadBefore(Inner))
        return false;
      IsFilledIn = true;
    }
    return IsFilledIn;
  }

  /// own = &all[next++], of a pointer that each thread has: once a thread.
  static bool picksOwnElement(const Access &Use) {
    StmtPath Path;
    if (Use.Loop || !Use.IsResultUsed || !Use.Function->getBody() ||
        !findPath(*Use.Function->getBody(), *Use.Site, Path))
      return false;
    return llvm::any_of(Path, [](const Stmt *Around) {
      const auto *Store = dyn_cast<BinaryOperator>(Around);
      const VarDecl *Own = Store && Store->getOpcode() == BO_Assign
                               ? namedVariable(*Store->getLHS())
                               : nullptr;
      return Own && Own->getType()->isPointerType() && isPerThread(*Own);
    });
  }

  /// A constructor counts the objects of its class, of which operations make
  /// new ones.
  bool countsObjects(const Access &Use) {
    const auto *Constructor =
        dyn_cast_if_present<CXXConstructorDecl>(Use.Function);
    if (!Constructor || Use.IsConditional || Use.IsResultUsed || Use.IsRare ||
        Hot.operationOf(Use) != AtomicOperation::FetchModify ||
        Hot.isLocked(Use))
      return false;
    const CXXRecordDecl *Class = Constructor->getParent();
    const UnitAccesses &Accesses = Hot.accesses();
    return llvm::any_of(
        Accesses.calls(), [&](const UnitAccesses::CallSite &Site) {
          const auto *New = dyn_cast<CXXNewExpr>(Site.Call);
          return New && Site.Function && !New->isArray() &&
                 New->getAllocatedType()->getAsCXXRecordDecl() == Class &&
                 Hot.isOperation(Site.Function);
        });
  }

  bool isRepeated(const Access &Use) {
    bool IsAtomic = Hot.isAtomic(Use);
    AtomicOperation Operation = Hot.operationOf(Use);
    switch (Hot.kindOf(Use)) {
    case AccessKind::Update:
      switch (Operation) {
      case AtomicOperation::CompareExchange:
        return Common.Strict || isComputedExchange(Use) ||
               countsByExchange(Use);
      // A lock taken by hand, a claimed flag: what redundant-store is for.
      case AtomicOperation::TestAndSet:
      case AtomicOperation::Exchange:
        return Common.Strict;
      case AtomicOperation::FetchModify:
        return Common.Strict || !isTestedUpdate(Use);
      default:
        return IsAtomic || Common.Strict || isPlainCounter(Use) ||
               isOwnNumber(Use);
      }
    case AccessKind::Write:
      if (Common.Strict)
        return true;
      if (isOwnTime(Use))
        return true;
      // The clock itself, and what redundant-store reports.
      if (auto Operands = atomicOperands(*Use.Site);
          !Operands.empty() && clockValueOf(*Operands[0]) == ClockValue::Coarse)
        return false;
      // A flag that is raised once is no traffic: a value that changes, on
      // every way through, or in a loop, is.
      return IsAtomic && (Use.Loop || !Use.IsConditional) &&
             !Hot.isReadBefore(Use) && !storesConstant(Use) && !isSetter(Use) &&
             !Starts.startsThreads(*Use.Function);
    default:
      return false;
    }
  }

  /// fetch_or after a look at the bits, and an update that changes nothing,
  /// which is redundant-store's.
  bool isTestedUpdate(const Access &Use) const {
    if (isNeutralUpdate(*Use.Site, Unit))
      return true;
    if (!setsBits(*Use.Site))
      return false;
    // A bit that is set once is no traffic, as a flag is none.
    if (!Use.Loop && !Use.IsResultUsed)
      return true;
    const UnitAccesses &Accesses = Hot.accesses();
    return llvm::any_of(Accesses.in(*Use.Function), [&](unsigned Index) {
      const Access &Test = Accesses.all()[Index];
      return Test.Kind == AccessKind::Read && Test.IsInCondition &&
             Test.Object.isSameAs(Use.Object);
    });
  }

  /// A loop that installs a computed value: an update by other means, unless
  /// it first looks whether the value has to change. A fine clock's always has.
  bool isComputedExchange(const Access &Use) const {
    if (!Use.Loop)
      return false;
    auto Operands = atomicOperands(*Use.Site);
    if (Operands.size() < 2 || Operands[1]->isValueDependent() ||
        Operands[1]->getType()->isPointerType() ||
        Operands[1]->isEvaluatable(Unit) ||
        Kinds.isThreadIdentity(*Operands[1]))
      return false;
    const VarDecl *Expected = namedVariable(*Operands[0]);
    return Expected &&
           !isComparedIn(*Use.Function->getBody(), *Expected,
                         clockValueOf(*Operands[1]) == ClockValue::Fine);
  }

  /// compare_exchange(at, at + 1), once: it counts unless another just has.
  static bool countsByExchange(const Access &Use) {
    auto Operands = atomicOperands(*Use.Site);
    const auto *Sum =
        Operands.size() > 1
            ? dyn_cast<BinaryOperator>(Operands[1]->IgnoreParenImpCasts())
            : nullptr;
    const VarDecl *Expected = Sum && Sum->getOpcode() == BO_Add
                                  ? namedVariable(*Operands[0])
                                  : nullptr;
    return Expected && namedVariable(*Sum->getLHS()) == Expected;
  }

  static bool mentions(const Stmt &S, const VarDecl &Var) {
    if (const auto *Reference = dyn_cast<DeclRefExpr>(&S))
      return Reference->getDecl() == &Var;
    // The exchange's own use of it is no test.
    if (isa<AtomicExpr, CallExpr>(S))
      return false;
    return llvm::any_of(S.children(), [&](const Stmt *Child) {
      return Child && mentions(*Child, Var);
    });
  }

  /// A condition has the variable in it. \p EqualityIsNone: a test for another
  /// value is no test, because it always is another one.
  static bool isComparedIn(const Stmt &S, const VarDecl &Var,
                           bool EqualityIsNone) {
    // The parts of a && are conditions of their own.
    auto IsTest = [&](const Expr *Condition) {
      if (!Condition || !mentions(*Condition, Var))
        return false;
      const auto *Binary =
          dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
      return !Binary || !(Binary->isLogicalOp() ||
                          (EqualityIsNone && Binary->isEqualityOp()));
    };
    if (const auto *If = dyn_cast<IfStmt>(&S); If && IsTest(If->getCond()))
      return true;
    if (const auto *Binary = dyn_cast<BinaryOperator>(&S);
        Binary && Binary->isLogicalOp() &&
        (IsTest(Binary->getLHS()) || IsTest(Binary->getRHS())))
      return true;
    return llvm::any_of(S.children(), [&](const Stmt *Child) {
      return Child && isComparedIn(*Child, Var, EqualityIsNone);
    });
  }

  /// A sequence number in the function that hands them out.
  bool isOwnNumber(const Access &Use) {
    const auto *Unary = dyn_cast<UnaryOperator>(Use.Site->IgnoreParens());
    return Unary && Unary->isIncrementDecrementOp() &&
           (Use.Object.Root->isStaticLocal() || isSampled(Use)) &&
           Use.Object.Path.empty() && !Use.Object.Index &&
           Unary->getType()->isIntegerType() && !isUsedElsewhere(Use) &&
           !Hot.accesses().isNamedInBrokenCode(Use.Object) && hasThreads();
  }

  /// if (++calls % 1000 == 0): a count of one unit's, which it is for.
  bool isSampled(const Access &Use) const {
    if (Use.Object.Root->isExternallyVisible() || !Use.Function)
      return false;
    const Parents Enclosing(*Use.Function);
    const Stmt *Outer = Enclosing.of(*Use.Site);
    while (isa_and_nonnull<ParenExpr, ImplicitCastExpr>(Outer))
      Outer = Enclosing.of(*Outer);
    const auto *Binary = dyn_cast_if_present<BinaryOperator>(Outer);
    return Binary &&
           (Binary->getOpcode() == BO_Rem || Binary->getOpcode() == BO_And);
  }

  /// The time of the last call, kept in the function or for it.
  bool isOwnTime(const Access &Use) {
    const auto *Binary = dyn_cast<BinaryOperator>(Use.Site->IgnoreParens());
    return Binary && Binary->getOpcode() == BO_Assign &&
           isKeptHere(*Use.Object.Root) && !Use.IsConditional &&
           !Hot.isReadBefore(Use) &&
           clockValueOf(*Binary->getRHS()) != ClockValue::None && hasThreads();
  }

  /// Not the clock of the program, which somebody has to keep.
  static bool isKeptHere(const VarDecl &Var) {
    return Var.isStaticLocal() ||
           (!Var.isExternallyVisible() && !isClockName(Var));
  }

  /// Looked at or set in another place: a position, one thread's business.
  bool isUsedElsewhere(const Access &Use) {
    return llvm::any_of(otherThanUpdates(*Use.Object.Root),
                        [&](const Access *Other) {
                          // `return ++n` reads what it has just written.
                          return Other->Site->IgnoreParenImpCasts() !=
                                 Use.Site->IgnoreParenImpCasts();
                        });
  }

  /// The unit knows that there are others: a plain static of a program with one
  /// thread is nobody's business.
  bool hasThreads() const { return Hot.accesses().hasAtomics(); }

  /// void set_limit(int n) { limit.store(n); }: as rare as who calls it.
  static bool isSetter(const Access &Use) {
    const auto *Body = dyn_cast_or_null<CompoundStmt>(Use.Function->getBody());
    auto Operands = atomicOperands(*Use.Site);
    if (!Body || Body->size() > 2 || Operands.empty() ||
        !Use.Function->getIdentifier() ||
        !Use.Function->getName().starts_with_insensitive("set"))
      return false;
    const auto *Reference =
        dyn_cast<DeclRefExpr>(Operands[0]->IgnoreParenImpCasts());
    return Reference && isa<ParmVarDecl>(Reference->getDecl());
  }

  /// ++hits on a variable that is not locked and not atomic: threads would lose
  /// counts, which people accept for statistics, and pay for the line.
  bool isPlainCounter(const Access &Use) {
    const VarDecl &Var = *Use.Object.Root;
    // A position or a nesting level is one thread's business: who counts for
    // statistics does not look at the result on the spot.
    if (!HotAccesses::isPlainCounting(Use) || isCursor(Use) ||
        Hot.accesses().isNamedInBrokenCode(Use.Object))
      return false;
    QualType Type = Var.getType();
    if (Type->isReferenceType() || Type->isIncompleteType())
      return false;
    return Unit.getTypeSizeInChars(Type).getQuantity() <=
           int64_t(HotAccesses::MaxPlainRecordLines * Common.CacheLineSize);
  }

  /// Looked at where it is advanced, or set back: an iteration's state.
  bool isCursor(const Access &Use) {
    return llvm::any_of(
        otherThanUpdates(*Use.Object.Root), [&](const Access *Other) {
          return Other != &Use && Other->Object.isSameAs(Use.Object) &&
                 Other->Function &&
                 (Other->Kind == AccessKind::Write ||
                  Other->Kind == AccessKind::Address ||
                  Other->Kind == AccessKind::Mutate ||
                  (Other->Function == Use.Function &&
                   Other->Kind == AccessKind::Read));
        });
  }

  /// Accesses of \p Var but its updates, of which generated code has thousands.
  ArrayRef<const Access *> otherThanUpdates(const VarDecl &Var) {
    auto [Known, IsNew] = OtherThanUpdates.try_emplace(&Var);
    if (IsNew)
      for (unsigned Index : Hot.accesses().of(Var))
        if (const Access &Use = Hot.accesses().all()[Index];
            Use.Kind != AccessKind::Update)
          Known->second.push_back(&Use);
    return Known->second;
  }

  static bool storesConstant(const Access &Use) {
    auto Operands = atomicOperands(*Use.Site);
    return !Operands.empty() && !Operands[0]->isValueDependent() &&
           Operands[0]->isEvaluatable(Use.Object.Root->getASTContext(),
                                      Expr::SE_NoSideEffects);
  }

  const TypeKinds &Kinds;
  const CommonOptions &Common;
  const bool InternalLinkage;
  const bool LeavesUnread;
  const ThreadStarts &Starts;
  const ASTContext &Unit;
  HotAccesses Hot;
  const IndexOrigin Origin;
  const OnceAThread Once;
  llvm::DenseMap<const VarDecl *, bool> Reportable;
  llvm::DenseMap<const VarDecl *, SmallVector<const Access *, 4>>
      OtherThanUpdates;
};

/// The report goes to the write that runs most, as far as the source tells: in
/// the file at hand, in a loop or on every way through its function.
SmallVector<const Access *, 8> bestFirst(ArrayRef<const Access *> Sites,
                                         const ASTContext &Unit) {
  const SourceManager &Sources = Unit.getSourceManager();
  SmallVector<const Access *, 8> Ordered(Sites);
  auto Rank = [&](const Access *Use) {
    return 2 * Sources.isInMainFile(
                   Sources.getFileLoc(Use->Site->getBeginLoc())) +
           (Use->Loop || !Use->IsConditional);
  };
  auto Best = llvm::max_element(Ordered, [&](const Access *A, const Access *B) {
    return Rank(A) < Rank(B);
  });
  std::rotate(Ordered.begin(), Best, Best + 1);
  return Ordered;
}

/// An element, by an index that the source does not know.
bool isPicked(const Access &Use, const ASTContext &Unit) {
  const Expr *Index = Use.Object.Index;
  return Index && !Index->isValueDependent() &&
         !Index->isEvaluatable(Unit, Expr::SE_NoSideEffects);
}

} // namespace

void GlobalWriteCheck::checkUnit(ASTContext &Unit) {
  TypeKinds Kinds = typeKinds();
  const UnitAccesses &All = accesses(Unit);
  const ThreadStarts Starts(All);
  const ObjectThreads Threads(All, Starts);
  checkShared(All, Kinds, Starts, Threads);
  checkSumsOfTurns(All, Kinds, Starts);
  checkSectionsOfTurns(All);
  checkCountingLocks(All, Kinds);
  checkLatchLocks(All, Kinds);
  checkReadLocks(All, Kinds, Unit);
  checkDraws(All, Kinds, Starts);
  checkOwnDraws(All, Kinds, Threads);
  GlobalWrites Writes(All, Kinds, common(), InternalLinkage, LeavesUnread,
                      Starts, Unit);
  llvm::SmallPtrSet<const RecordDecl *, 4> Named;
  for (const auto &[Var, Sites] : Writes.find()) {
    if (const RecordDecl *Class =
            Unit.getBaseElementType(Var->getType())->getAsRecordDecl())
      Named.insert(Class);
    SmallVector<const Access *, 8> Ordered = bestFirst(Sites, Unit);
    const Access &First = *Ordered.front();
    const FieldDecl *Field = First.Object.field();
    // One cause, one finding: its neighbour suffers, and the message says this.
    const bool IsBehind = !First.Object.Root;
    if (analyses().ReportedParts.contains({Var, Field}) ||
        (First.Object.Index &&
         analyses().ReportedParts.contains({Var, nullptr})) ||
        (IsBehind && analyses().ReportedWords.contains(Field)))
      continue;
    std::string Name = plainName(*Var);
    if (IsBehind && !Field)
      Name = "*" + Name;
    if (Field)
      Name += ((IsBehind ? "->" : ".") + Field->getName()).str();
    // One copy per thread is for what can be added up. Whether each thread has
    // an element of its own cannot be told, or thread-slot would have.
    enum {
      Stored,
      Counted,
      Installed,
      CountedElement
    } Way = First.Kind == AccessKind::Write                    ? Stored
            : First.Atomic == AtomicOperation::CompareExchange ? Installed
            : isPicked(First, Unit)                            ? CountedElement
                                                               : Counted;
    warn(place(First),
         {.Subject = *Var, .Function = First.Function, .Field = Field},
         "'%0' %select{has static storage|is in one object for all threads}4, "
         "and '%1' %select{stores to it|updates it|updates it|updates "
         "an element of it}2%select{|, in a loop}3: its cache line moves to "
         "the core that runs the call and away from all others; %select{test "
         "before storing, or keep one copy per thread and combine them where "
         "it is read|keep one copy per thread and add them where it is read|"
         "update it less often, and test first whether it has to change|keep "
         "one copy per thread, or give each element lines of its own if it is "
         "one thread's already}2")
        << Name << plainName(*First.Function) << int(Way)
        << (First.Loop != nullptr) << IsBehind;
    noteSites(Ordered);
    noteUses(*First.Function, All);
    std::string Macro = causeOf(*Var, Unit);
    diag(Var->getLocation(), "'%0' is declared here%select{|, by '%2'}1",
         DiagnosticIDs::Note)
        << plainName(*Var) << !Macro.empty() << Macro;
    // That a loop exchanges a value for itself is said with it.
    if (Field)
      analyses().ReportedWords.insert(Field);
    else if (Way == Installed)
      analyses().ReportedWords.insert(Var);
  }
  checkObjects(All, Kinds);
  checkCountClasses(All, Kinds, Named);
  checkCountedObjects(All, Kinds);
  // Of what a lock is taken for, the others say more.
  checkWordLocks(All, Kinds);
  checkShortLocks(All, Kinds);
  checkHeldLocks(All, Kinds);
  checkUnnamedSections(All, Kinds);
  checkUseCounts(All, Kinds);
}

} // namespace linesman::tidy
