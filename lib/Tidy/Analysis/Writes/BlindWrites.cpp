// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Even a failing atomic write takes the line exclusively. A load first leaves
// it with everybody until there is something to do.

#include "Analysis/Writes/BlindWrites.h"
#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/ClockValues.h"
#include "Analysis/Code/Conditions.h"
#include "Analysis/Code/Likelihood.h"
#include "Analysis/Code/LocalValues.h"
#include "Analysis/Code/LoopObject.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Code/WaitingLoops.h"
#include "Analysis/Containers/SlotSearch.h"
#include "Analysis/Locks/LockWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "Analysis/Writes/Extremes.h"
#include "Analysis/Writes/LastUses.h"
#include "Analysis/Writes/LevelFlags.h"
#include "Analysis/Writes/MarkedBits.h"
#include "Analysis/Writes/OnlyValues.h"
#include "Analysis/Writes/RepeatedAnswers.h"
#include "Analysis/Writes/RepeatedStores.h"
#include "Analysis/Writes/SetAgain.h"
#include "Analysis/Writes/SharedFlags.h"
#include "Analysis/Writes/UndoneTries.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// What is set when something happens, and is nearly always set already.
bool isMarkName(StringRef Name, bool IsAtomic) {
  Name = Name.rtrim('_');
  Name.consume_front("is_");
  Name.consume_front("m_");
  // Plainly, "used" is as often said of a place that is taken.
  if (IsAtomic && Name.equals_insensitive("used"))
    return true;
  return WordSwitch<bool>(Name.lower())
      .Cases({"modified", "dirty", "changed", "accessed", "referenced",
              "touched", "visited", "recently_used", "has_writes", "was_used",
              "needs_flush", "needs_sync"},
             true)
      .Default(false);
}

} // namespace

BlindWrite BlindWrites::kindOf(const Access &Use, bool WithStores) {
  if (!Use.writes() || !Use.Function || !Accesses.isUsedHere(*Use.Function))
    return BlindWrite::None;
  auto Kind = [&] {
    const AtomicOperation Operation = Hot.operationOf(Use);
    if ((Operation == AtomicOperation::FetchModify &&
         isNeutralUpdate(*Use.Site, Unit)) ||
        (Operation == AtomicOperation::CompareExchange &&
         expectsWhatItStores(*Use.Site, Unit)))
      return BlindWrite::Neutral;
    if (isBlindSpin(Use) ||
        (isUndoneTry(Use, Accesses) && !isLoadedIn(*Use.Loop, Use)))
      return BlindWrite::Spin;
    if (isBlindCompareExchange(Use))
      return BlindWrite::Exchange;
    if (keepsExtremeBlindly(Use, Hot))
      return BlindWrite::Extreme;
    if (isBlindClaim(Use))
      return BlindWrite::Claim;
    if (isTime(Use))
      return BlindWrite::Time;
    if (storesLastUse(Use, Hot))
      return BlindWrite::LastUse;
    if (isHint(Use))
      return BlindWrite::Hint;
    if (isMark(Use) || marksBit(Use, Hot, Unit) || marksFoundObject(Use, Hot))
      return BlindWrite::Mark;
    if (setsLevelFlag(Use, Hot, Unit))
      return BlindWrite::Level;
    if (repeatsAnswer(Use, Hot))
      return BlindWrite::Answer;
    if (repeatsStore(Use, Hot, Unit))
      return BlindWrite::Repeated;
    if (setsAgain(Use, Hot, Unit))
      return BlindWrite::Store;
    if (storesOnlyValue(Use, Hot, Kinds, Starts))
      return BlindWrite::Store;
    if (setsFlagOfThreads(Use, Hot, Kinds, Starts))
      return BlindWrite::Flag;
    return WithStores && isBlindStore(Use) ? BlindWrite::Store
                                           : BlindWrite::None;
  }();
  if (Kind == BlindWrite::None)
    return Kind;
  // Code that does not compile may store something else. Who waits changes
  // nothing, whatever others do.
  if (!waitsFor(Use, Kind) && Accesses.isNamedInBrokenCode(Use.Object))
    return BlindWrite::None;
  // Waiting is rare where all goes well, and what counts when it does not; a
  // test that is expected to fail is run each time.
  Access Asked = Use;
  if (Kind == BlindWrite::Spin)
    Asked.IsRare = false;
  // A lock that callers hold is about something larger: it keeps writers apart,
  // and not those who read what is beside the mark.
  if (Kind == BlindWrite::Mark)
    return Hot.isOnOperationPath(Use) && !Hot.isLockedHere(Use)
               ? Kind
               : BlindWrite::None;
  // Who waits for others to change the word holds nothing that keeps them from
  // it: `interrupts_lock(); while (!compare_and_swap(&lock->taken, 0, 1));`.
  if (waitsFor(Use, Kind) && Hot.isLockedAroundLoop(Use))
    return Hot.isOnOperationPath(Asked) ? Kind : BlindWrite::None;
  return Hot.isHotWrite(Asked) ? Kind : BlindWrite::None;
}

bool BlindWrites::waitsFor(const Access &Use, BlindWrite Kind) const {
  if (Kind == BlindWrite::Spin)
    return true;
  return Kind == BlindWrite::Exchange && isRepeatedTry(Use);
}

bool BlindWrites::isRepeatedTry(const Access &Use) const {
  return Use.Loop &&
         (Use.IsInCondition || goesOnWhile(*Use.Loop, *Use.Site, Unit)) &&
         isSameOnEveryTurn(*operatedObject(*Use.Site), *Use.Loop);
}

bool BlindWrites::isBlindClaim(const Access &Use) {
  if (Use.Loop || !Use.IsInCondition || !Use.IsResultUsed || !takes(Use) ||
      Use.Object.Index || Use.Object.IsLocalObject || Hot.isReadBefore(Use) ||
      isWholeReadBefore(Use))
    return false;
  // Who tries to take a lock writes when it is free, which is what it wants.
  const ValueDecl *Name = Use.Object.field();
  if (!Name)
    Name = Use.Object.Root;
  if (!Name || soundsLikeLock(Name) || soundsLikeLock(Use.Function) ||
      (Use.Function->getIdentifier() &&
       Use.Function->getName().contains_insensitive("acquire")))
    return false;
  // Set until somebody else is done with it.
  return llvm::any_of(usesOf(Use), [&](unsigned Index) {
    const Access &Other = Accesses.all()[Index];
    if (Other.Function == Use.Function || !Hot.isOnOperationPath(Other))
      return false;
    const AtomicOperation Operation = Hot.operationOf(Other);
    auto Operands = atomicOperands(*Other.Site);
    return Operation == AtomicOperation::Clear ||
           ((Operation == AtomicOperation::Exchange ||
             Operation == AtomicOperation::Store) &&
            !Operands.empty() && constantOf(Operands[0], Unit) == 0);
  });
}

std::optional<uint64_t>
BlindWrites::expectedConstant(const Expr &Expected) const {
  if (const VarDecl *Var = namedVariable(Expected);
      Var && Var->hasLocalStorage() && Var->hasInit())
    return constantOf(Var->getInit(), Unit);
  return constantOf(&Expected, Unit);
}

bool BlindWrites::isBlindCompareExchange(const Access &Use) {
  if (Hot.operationOf(Use) != AtomicOperation::CompareExchange)
    return false;
  auto Operands = atomicOperands(*Use.Site);
  if (Operands.size() < 2 || !isConstantExpectation(*Operands[0], Use))
    return false;
  if (Hot.isReadBefore(Use) || isWholeReadBefore(Use) ||
      (Use.Loop && isLoadedIn(*Use.Loop, Use)))
    return false;
  // The source says that it fails: nothing else need be known.
  if (Use.IsInCondition) {
    StmtPath Path;
    if (const Stmt *Body = Use.Function->getBody();
        Body && findPath(*Body, *Use.Site, Path))
      for (const Stmt *Around : Path)
        if (const auto *Condition =
                dyn_cast_if_present<Expr>(conditionOf(*Around));
            Condition && contains(*Condition, *Use.Site) &&
            expectedOutcome(*Condition, Unit) == false &&
            !isNegatedIn(*Condition, *Use.Site, Unit))
          return true;
  }
  std::optional<uint64_t> Expected = expectedConstant(*Operands[0]);
  std::optional<uint64_t> Desired = constantOf(Operands[1], Unit);
  if (!Expected)
    return false;
  const bool IsInLoop = isRepeatedTry(Use);
  if (*Expected == 0) {
    // Who takes a free lock has to write; who waits for it need not, and who
    // looks for a free place passes those that are taken.
    if (IsInLoop || searchesForFree(Use, Unit))
      return true;
    const ValueDecl *Name = Use.Object.field();
    if (!Name)
      Name = Use.Object.Root ? Use.Object.Root : Use.Object.Base;
    return !soundsLikeLock(Name) && !soundsLikeLock(Use.Function) &&
           !isPutBack(Use, 0);
  }
  // Another number for "free" is one that somebody leaves there.
  if (IsInLoop && Desired != Expected && isLeft(Use, *Expected))
    return true;
  // From one state to the next: that is what a state is for. A request that
  // somebody serves is there now and then.
  return Desired == 0 && Use.IsInCondition && !soundsLikeLock(Use.Function);
}

bool BlindWrites::isTime(const Access &Use) {
  if (Use.Kind != AccessKind::Write || Use.Atomic != AtomicOperation::Store)
    return false;
  // Who keeps the clock has to write it.
  const ValueDecl *Target = Use.Object.field();
  if (!Target)
    Target = Use.Object.Root;
  if (Target && isClockName(*Target))
    return false;
  auto Operands = atomicOperands(*Use.Site);
  return !Operands.empty() && !Hot.isReadBefore(Use) &&
         clockValueOf(*Operands[0]) == ClockValue::Coarse;
}

bool BlindWrites::isHint(const Access &Use) {
  if (Use.Kind != AccessKind::Write || !Use.Loop || !Use.IsConditional ||
      !Use.Object.field() || !isOfSharedRecord(Use))
    return false;
  const auto *Store = dyn_cast<BinaryOperator>(Use.Site->IgnoreParens());
  const auto *For = dyn_cast<ForStmt>(Use.Loop);
  if (!Store || Store->getOpcode() != BO_Assign || !For || !For->getInit())
    return false;
  const VarDecl *Local = namedVariable(*Store->getRHS());
  std::optional<AccessPath> Target = pathOf(*Store->getLHS());
  if (!Local || !Local->hasLocalStorage() || !Target)
    return false;
  // for (i = object->hint; ...): the first turn may find it.
  const Expr *Start = nullptr;
  if (const auto *Assign = dyn_cast<BinaryOperator>(For->getInit());
      Assign && Assign->getOpcode() == BO_Assign &&
      namedVariable(*Assign->getLHS()) == Local)
    Start = Assign->getRHS();
  else if (const auto *Declared = dyn_cast<DeclStmt>(For->getInit());
           Declared && Declared->isSingleDecl() &&
           Declared->getSingleDecl() == Local)
    Start = Local->getInit();
  std::optional<AccessPath> Source = Start ? pathOf(*Start) : std::nullopt;
  return Source && *Source == *Target;
}

bool BlindWrites::isMark(const Access &Use) {
  const FieldDecl *Field = Use.Object.field();
  if (Use.Kind != AccessKind::Write || Use.IsConditional || !Field ||
      Use.Object.Index || !Field->getIdentifier() ||
      !isMarkName(Field->getName(), Hot.isAtomic(Use)) ||
      !(Hot.isAtomic(Use) || isOfSharedRecord(Use)))
    return false;
  auto Operands = atomicOperands(*Use.Site);
  std::optional<uint64_t> Value =
      Operands.empty() ? std::nullopt : constantOf(Operands[0], Unit);
  return Value && *Value != 0 && !Hot.isReadBefore(Use) && isOnlyStoreIn(Use);
}

bool BlindWrites::isBlindStore(const Access &Use) {
  if (Hot.kindOf(Use) != AccessKind::Write || Use.IsConditional ||
      !(Use.Object.Root || Hot.isAtomic(Use)) || Use.Object.Index)
    return false;
  auto Operands = atomicOperands(*Use.Site);
  return !Operands.empty() && constantOf(Operands[0], Unit) &&
         !Hot.isReadBefore(Use) && isOnlyStoreIn(Use) && !isUpdatedAtAll(Use);
}

bool BlindWrites::isLoadedIn(const Stmt &Loop, const Access &Use) const {
  for (unsigned Index : Accesses.in(*Use.Function)) {
    const Access &Other = Accesses.all()[Index];
    if (Other.Kind != AccessKind::Read || !Other.Object.isSameAs(Use.Object))
      continue;
    for (const Stmt *Around = Other.Loop; Around;
         Around = Accesses.outerLoop(*Around))
      if (Around == &Loop)
        return true;
  }
  return isLoadedByCallIn(Loop, Use);
}

/// while (lock.exchange(1)) { for (...) if (lock.try_lock()) return; }, and
/// try_lock() looks first.
bool BlindWrites::isLoadedByCallIn(const Stmt &Loop, const Access &Use) const {
  const FieldDecl *Field = Use.Object.field();
  if (!Field)
    return false;
  return llvm::any_of(
      Accesses.calls(), [&](const UnitAccesses::CallSite &Site) {
        if (Site.Function != Use.Function || !Site.Loop)
          return false;
        const auto *Call = dyn_cast<CallExpr>(Site.Call);
        const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
        if (!Callee || !contains(Loop, *Call))
          return false;
        // Another object's: its this is not ours.
        const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
        if (Use.Object.IsThis &&
            (!Member ||
             !isa<CXXThisExpr>(
                 Member->getImplicitObjectArgument()->IgnoreParenImpCasts())))
          return false;
        return llvm::any_of(Accesses.in(*Callee), [&](unsigned Index) {
          const Access &Inner = Accesses.all()[Index];
          return Inner.Kind == AccessKind::Read &&
                 Inner.Object.field() == Field;
        });
      });
}

/// `expected = 0;` in the loop.
static bool isReassigned(const VarDecl &Var, const Stmt &S,
                         const ASTContext &Unit) {
  if (const auto *Binary = dyn_cast<BinaryOperator>(&S))
    if (Binary->getOpcode() == BO_Assign &&
        namedVariable(*Binary->getLHS()) == &Var)
      return constantOf(Binary->getRHS(), Unit).has_value();
  return llvm::any_of(S.children(), [&](const Stmt *Child) {
    return Child && isReassigned(Var, *Child, Unit);
  });
}

bool BlindWrites::isConstantExpectation(const Expr &Expected,
                                        const Access &Use) const {
  // By value (the __sync builtins), or a variable by reference or address.
  if (const VarDecl *Var = namedVariable(Expected)) {
    // A copy: what the exchange saw is not in it.
    if (isa<DeclRefExpr>(Expected.IgnoreParenCasts()) && !Expected.isGLValue())
      return Var->hasLocalStorage() && Var->hasInit() &&
             constantOf(Var->getInit(), Unit) &&
             assignmentsOf(*Var, *Use.Function).empty();
    const SourceManager &Sources = Unit.getSourceManager();
    // A failed weak exchange in a loop that starts over from the constant
    // counts; one that goes on with the value it saw has looked.
    return Var->hasLocalStorage() && Var->hasInit() &&
           constantOf(Var->getInit(), Unit) &&
           (!Use.Loop ||
            Sources.isBeforeInTranslationUnit(Use.Loop->getBeginLoc(),
                                              Var->getBeginLoc()) ||
            isReassigned(*Var, *Use.Loop, Unit));
  }
  return constantOf(&Expected, Unit).has_value();
}

llvm::ArrayRef<unsigned> BlindWrites::usesOf(const Access &Use) const {
  if (const FieldDecl *Field = Use.Object.field())
    return Accesses.of(*Field);
  if (Use.Object.Root)
    return Accesses.of(*Use.Object.Root);
  return {};
}

bool BlindWrites::isWholeReadBefore(const Access &Use) const {
  for (unsigned Index : Accesses.in(*Use.Function)) {
    const Access &Other = Accesses.all()[Index];
    if (&Other == &Use)
      return false;
    llvm::ArrayRef<const FieldDecl *> Whole = Other.Object.Path;
    if (Other.Kind == AccessKind::Read && !Whole.empty() &&
        Other.Object.Root == Use.Object.Root &&
        Other.Object.Base == Use.Object.Base &&
        Other.Object.IsThis == Use.Object.IsThis &&
        Whole.size() < Use.Object.Path.size() &&
        Whole == llvm::ArrayRef(Use.Object.Path).take_front(Whole.size()))
      return true;
  }
  return false;
}

bool BlindWrites::isPutBack(const Access &Use, uint64_t Value) const {
  return llvm::any_of(usesOf(Use), [&](unsigned Index) {
    const Access &Other = Accesses.all()[Index];
    if (&Other == &Use || !Other.writes() || Other.IsConstruction)
      return false;
    if (Other.Atomic == AtomicOperation::CompareExchange) {
      auto Operands = atomicOperands(*Other.Site);
      return Operands.size() < 2 ||
             constantOf(Operands[1], Unit).value_or(Value) == Value;
    }
    // Another exchange, a call: it may.
    if (Other.Kind != AccessKind::Write)
      return true;
    auto Operands = atomicOperands(*Other.Site);
    return Other.Atomic == AtomicOperation::Clear || Operands.empty() ||
           constantOf(Operands[0], Unit).value_or(Value) == Value;
  });
}

bool BlindWrites::isLeft(const Access &Use, uint64_t Value) const {
  return llvm::any_of(usesOf(Use), [&](unsigned Index) {
    const Access &Other = Accesses.all()[Index];
    if (&Other == &Use || Other.Kind != AccessKind::Write ||
        Other.IsConstruction || Other.Function == Use.Function)
      return false;
    if (const auto *Store =
            dyn_cast<BinaryOperator>(Other.Site->IgnoreParens()))
      return constantOf(Store->getRHS(), Unit) == Value;
    auto Operands = atomicOperands(*Other.Site);
    return Operands.size() == 1 && constantOf(Operands[0], Unit) == Value;
  });
}

bool BlindWrites::isUpdatedAtAll(const Access &Use) const {
  return llvm::any_of(usesOf(Use), [&](unsigned Index) {
    return Accesses.all()[Index].Kind == AccessKind::Update;
  });
}

bool BlindWrites::isOnlyStoreIn(const Access &Use) const {
  return llvm::none_of(Accesses.in(*Use.Function), [&](unsigned Index) {
    const Access &Other = Accesses.all()[Index];
    return &Other != &Use && Other.writes() &&
           Other.Object.isSameAs(Use.Object);
  });
}

bool BlindWrites::isOfSharedRecord(const Access &Touch) const {
  const FieldDecl *Field = Touch.Object.field();
  if (!Field || Touch.Object.IsLocalObject)
    return false;
  // In it, or behind a pointer of it: a lock that is made with the object.
  auto HoldsLock = [&](QualType Type) {
    const RecordDecl *Record = Type->getAsRecordDecl();
    if (!Record || !Record->getDefinition())
      return false;
    return llvm::any_of(
        Record->getDefinition()->fields(),
        [&](const FieldDecl *Part) { return Kinds.isLock(Part->getType()); });
  };
  return llvm::any_of(
      Field->getParent()->fields(), [&](const FieldDecl *Other) {
        QualType Type = Other->getType();
        if (Type->isPointerType()) {
          Type = Type->getPointeeType();
          return Kinds.isLock(Type) || HoldsLock(Type);
        }
        if (Kinds.isAtomic(Type) || Kinds.isLock(Type) || HoldsLock(Type))
          return true;
        return llvm::any_of(Accesses.of(*Other), [&](unsigned Index) {
          const Access &Use = Accesses.all()[Index];
          return Use.Atomic != AtomicOperation::None &&
                 Use.Object.field() == Other;
        });
      });
}

} // namespace linesman::tidy
