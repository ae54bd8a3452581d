// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation that counts itself into an object and out again:
//
//     entry->readers.fetch_add(1);      ref(queue);
//     ... read ...                      ... wait for an event ...
//     entry->readers.fetch_sub(1);      unref(queue);
//
// Nobody needs the count for the result, and each call writes its line twice.
// An atomic count in an object that was handed in is there for several threads.
// Static objects are reported by their name, whoever counts there.

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Locks/LockWords.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/WordSwitch.h"
#include "GlobalWriteCheck.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

enum class Direction { None, Up, Down };

/// One step of a count, by the function itself or by one that it calls.
struct Step {
  Direction Way = Direction::None;
  AccessPath Count;
  const Expr *Site = nullptr;
  const FieldDecl *Word = nullptr;
};

/// `seen - 1`, also where the difference has a name.
Direction directionOf(const Expr &Installed, unsigned Depth = 0) {
  const Expr *E = Installed.IgnoreParenImpCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E); Ref && Depth == 0)
    if (const auto *Local = dyn_cast<VarDecl>(Ref->getDecl());
        Local && Local->hasLocalStorage() && Local->hasInit() &&
        !Local->getInit()->isValueDependent())
      return directionOf(*Local->getInit(), Depth + 1);
  const auto *Sum = dyn_cast<BinaryOperator>(E);
  if (Sum && Sum->getOpcode() == BO_Add)
    return Direction::Up;
  return Sum && Sum->getOpcode() == BO_Sub ? Direction::Down : Direction::None;
}

class StepReader {
public:
  explicit StepReader(HotAccesses &Hot) : Hot(Hot) {
    for (const UnitAccesses::CallSite &Site : Hot.accesses().calls())
      if (const auto *Call = dyn_cast<CallExpr>(Site.Call);
          Call && Site.Function && !Site.IsRare)
        Calls[Site.Function].push_back(Call);
  }

  llvm::SmallVector<Step, 4> stepsOf(const FunctionDecl &Function) {
    llvm::SmallVector<Step, 4> Steps;
    const UnitAccesses &All = Hot.accesses();
    for (unsigned Index : All.in(Function)) {
      const Access &Use = All.all()[Index];
      const Direction Way = wayOf(Use);
      if (Way != Direction::None && Hot.isHotWrite(Use))
        Steps.push_back(
            {Way,
             countOf(Use, Use.Object.Root ? Use.Object.Root : Use.Object.Base),
             Use.Site, Use.Object.field()});
    }
    for (const CallExpr *Call : Calls.lookup(&Function))
      addCalled(*Call, Steps);
    return Steps;
  }

private:
  static AccessPath countOf(const Access &Use, const ValueDecl *Root) {
    AccessPath Path;
    Path.Root = Root;
    Path.Steps.append(Use.Object.Path.begin(), Use.Object.Path.end());
    return Path;
  }

  /// Of an atomic count in an object, which nothing is decided by at once: who
  /// asks how many there were lets in only so many.
  Direction wayOf(const Access &Use) {
    const FieldDecl *Word = Use.Object.field();
    if (!Word || !Use.writes() || Use.Object.Index ||
        Use.Object.IsLocalObject || Use.IsConstruction || Use.IsRare ||
        soundsLikeLock(Word) || soundsLikeLock(Word->getParent()))
      return Direction::None;
    for (const VarDecl *Var : {Use.Object.Root, Use.Object.Base})
      if (Var && isPerThread(*Var))
        return Direction::None;
    Direction Way = Direction::None;
    if (Hot.callsAtomicUpdate(Use))
      Way = calledWay(Use);
    else if (Hot.operationOf(Use) == AtomicOperation::FetchModify)
      Way = countsUp(*Use.Site)     ? Direction::Up
            : countsDown(*Use.Site) ? Direction::Down
                                    : Direction::None;
    else if (Hot.operationOf(Use) == AtomicOperation::CompareExchange &&
             Use.Loop)
      if (auto Operands = atomicOperands(*Use.Site); Operands.size() > 1)
        Way = directionOf(*Operands[1]);
    return Way == Direction::Up && Use.IsInCondition ? Direction::None : Way;
  }

  /// count.increment(), by what the method does.
  Direction calledWay(const Access &Use) {
    const FunctionDecl *Callee = nullptr;
    if (const auto *Call = dyn_cast<CallExpr>(Use.Site->IgnoreParens()))
      Callee = Call->getDirectCallee();
    const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
    if (!Definition)
      return Direction::None;
    for (unsigned Index : Hot.accesses().in(*Definition)) {
      const Access &Inner = Hot.accesses().all()[Index];
      if (Inner.writes() && Inner.Atomic == AtomicOperation::FetchModify)
        return countsUp(*Inner.Site)     ? Direction::Up
               : countsDown(*Inner.Site) ? Direction::Down
                                         : Direction::None;
    }
    return Direction::None;
  }

  /// The steps of a function that is called, in the object that it is handed.
  void addCalled(const CallExpr &Call, llvm::SmallVectorImpl<Step> &Steps) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
    if (!Definition || hasEffect(Callee, LockEffect::Acquire) ||
        hasEffect(Callee, LockEffect::TryAcquire) ||
        hasEffect(Callee, LockEffect::Release))
      return;
    for (const auto &[Way, Count, Site, Word] : ownSteps(*Definition)) {
      const Expr *Handed = nullptr;
      if (!Count.Root) {
        if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
          Handed = Member->getImplicitObjectArgument();
      } else if (const auto *Parameter = dyn_cast<ParmVarDecl>(Count.Root)) {
        const unsigned I = Parameter->getFunctionScopeIndex();
        if (I < Call.getNumArgs() && !isa<CXXOperatorCallExpr>(Call))
          Handed = Call.getArg(I);
      }
      if (!Handed)
        continue;
      Handed = Handed->IgnoreParenCasts();
      if (const auto *Address = dyn_cast<UnaryOperator>(Handed);
          Address && Address->getOpcode() == UO_AddrOf)
        Handed = Address->getSubExpr();
      std::optional<AccessPath> Path = pathOf(*Handed);
      const auto *Root =
          Path ? dyn_cast_if_present<VarDecl>(Path->Root) : nullptr;
      if (!Path || (Path->Root && !Root) ||
          (Root && (isPerThread(*Root) || Root->hasGlobalStorage() ||
                    (Root->getType()->isRecordType() &&
                     !Root->getType()->isReferenceType()) ||
                    isMadeHere(*Root))))
        continue;
      Path->Steps.append(Count.Steps.begin(), Count.Steps.end());
      Steps.push_back({Way, *Path, &Call, Word});
    }
  }

  static bool isMadeHere(const VarDecl &Pointer) {
    return Pointer.hasLocalStorage() && !isa<ParmVarDecl>(Pointer) &&
           Pointer.hasInit() &&
           isa<CXXNewExpr>(Pointer.getInit()->IgnoreParenCasts());
  }

  /// push() and pop() count what an object has, and who calls both is not in
  /// it; what does more than to count is somebody's operation, too.
  bool onlyCounts(const FunctionDecl &Function) {
    if (Function.getIdentifier() &&
        llvm::any_of(wordsOf(Function.getName()), [](llvm::StringRef Word) {
          return WordSwitch<bool>(Word)
              .Cases({"push", "pop", "enqueue", "dequeue", "insert", "erase"},
                     true)
              .Default(false);
        }))
      return false;
    // What it hands to others, such as the object to its end, is theirs.
    return llvm::all_of(Hot.accesses().in(Function), [&](unsigned Index) {
      const Access &Use = Hot.accesses().all()[Index];
      return !Use.Object.field() || Use.IsRare || Use.Object.IsLocalObject ||
             (Use.Kind != AccessKind::Write &&
              Use.Kind != AccessKind::Update) ||
             wayOf(Use) != Direction::None;
    });
  }

  /// What the function does on every way through, if nothing but to count.
  llvm::ArrayRef<Step> ownSteps(const FunctionDecl &Function) {
    auto [Known, IsNew] = Own.try_emplace(&Function);
    if (IsNew && onlyCounts(Function))
      for (unsigned Index : Hot.accesses().in(Function)) {
        const Access &Use = Hot.accesses().all()[Index];
        const bool IsAlways = !Use.IsConditional ||
                              Use.Atomic == AtomicOperation::CompareExchange;
        const Direction Way =
            IsAlways && !Use.Object.Root ? wayOf(Use) : Direction::None;
        if (Way != Direction::None && !Hot.isLocked(Use))
          Known->second.push_back({Way, countOf(Use, Use.Object.Base), Use.Site,
                                   Use.Object.field()});
      }
    return Known->second;
  }

  HotAccesses &Hot;
  llvm::DenseMap<const FunctionDecl *, llvm::SmallVector<const CallExpr *, 4>>
      Calls;
  llvm::DenseMap<const FunctionDecl *, llvm::SmallVector<Step, 2>> Own;
};

/// The block that \p Site is a statement of.
const Stmt *blockOf(const FunctionDecl &Function, const Expr &Site) {
  StmtPath Path;
  if (!findPath(*Function.getBody(), Site, Path))
    return nullptr;
  for (const Stmt *Around : llvm::reverse(Path))
    if (isa<CompoundStmt>(Around))
      return Around;
  return nullptr;
}

/// The step up that is always taken back: in the same block or one around it,
/// or on several ways out.
const Step *takenBack(llvm::ArrayRef<Step> Steps, const FunctionDecl &Function,
                      const SourceManager &Sources) {
  for (const Step &Up : Steps) {
    if (Up.Way != Direction::Up)
      continue;
    unsigned WaysBack = 0;
    for (const Step &Down : Steps) {
      if (Down.Way != Direction::Down || Down.Count != Up.Count ||
          !Sources.isBeforeInTranslationUnit(Up.Site->getBeginLoc(),
                                             Down.Site->getBeginLoc()))
        continue;
      ++WaysBack;
      StmtPath Path;
      const Stmt *Block = blockOf(Function, *Down.Site);
      if (Block && findPath(*Block, *Up.Site, Path))
        return &Up;
    }
    if (WaysBack > 1)
      return &Up;
  }
  return nullptr;
}

} // namespace

void GlobalWriteCheck::checkUseCounts(const UnitAccesses &All,
                                      const TypeKinds &Kinds) {
  HotAccesses Hot(All, Kinds);
  StepReader Reader(Hot);
  // Each is looked for behind each other one; generated code has thousands.
  constexpr size_t MostSteps = 64;
  for (const FunctionDecl *Function : All.functions()) {
    if (!Hot.isOperation(Function) || !All.isUsedHere(*Function))
      continue;
    const llvm::SmallVector<Step, 4> Steps = Reader.stepsOf(*Function);
    const Step *Up =
        Steps.size() < 2 || Steps.size() > MostSteps
            ? nullptr
            : takenBack(Steps, *Function, All.unit().getSourceManager());
    if (!Up ||
        (Up->Count.Root && isa<VarDecl>(Up->Count.Root) &&
         cast<VarDecl>(Up->Count.Root)->hasGlobalStorage()) ||
        common().isAccepted(*Up->Word) || All.isNamedInBrokenCode(*Up->Word) ||
        !analyses().ReportedWords.insert(Up->Word).second)
      continue;
    warn(place(*Up->Site), {.Subject = *Up->Word, .Function = Function},
         "'%0' counts up in '%1' here and down again before it returns: where "
         "several threads have the object at once, both steps move its cache "
         "line to the core that runs the call and away from all others; keep "
         "the object for several calls, or one count per thread")
        << plainName(*Function) << fieldName(*Up->Word);
    diag(Up->Word->getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << fieldName(*Up->Word);
  }
}

} // namespace linesman::tidy
