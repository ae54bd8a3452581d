// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Writes/SharedFlags.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/Conditions.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Locks/LockWords.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "Analysis/Writes/RepeatedStores.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// How something ends, which it does once: failed, found, stop, is_ok.
bool saysEnd(const NamedDecl &Named) {
  return Named.getIdentifier() &&
         llvm::any_of(wordsOf(Named.getName()), [](StringRef Word) {
           return WordSwitch<bool>(Word)
               .Cases({"error", "errors", "err", "fail", "failed", "failure",
                       "abort", "aborted", "bad", "broken", "invalid", "oom",
                       "overflow", "exception", "thrown", "warned"},
                      true)
               .Cases({"stop", "stopped", "quit", "exit", "exiting", "cancel",
                       "cancelled", "canceled", "interrupted", "terminate",
                       "terminated", "shutdown", "killed"},
                      true)
               .Cases({"found", "match", "matched", "any", "hit", "ok", "okay",
                       "valid", "success", "status", "result", "ret", "rc",
                       "good", "equal", "same", "correct", "pass", "passed"},
                      true)
               .Default(false);
         });
}

/// Somewhere under \p S the declaration is named, other than where one of
/// \p Stores writes it.
bool asksFor(const Stmt &S, const ValueDecl &Flag,
             llvm::ArrayRef<const Expr *> Stores) {
  if (llvm::is_contained(Stores, &S))
    return false;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(&S))
    return declaresSameEntity(Reference->getDecl(), &Flag);
  if (const auto *Member = dyn_cast<MemberExpr>(&S);
      Member && Member->getMemberDecl() == &Flag)
    return true;
  return llvm::any_of(S.children(), [&](const Stmt *Child) {
    const Stmt *Inner = withoutCapture(Child);
    return Inner && asksFor(*Inner, Flag, Stores);
  });
}

class FlagReader {
public:
  FlagReader(const Access &Use, HotAccesses &Hot, const TypeKinds &Kinds,
             const ThreadStarts &Starts)
      : Use(Use), Hot(Hot), Kinds(Kinds), Starts(Starts),
        Unit(Hot.accesses().unit()), Flag(Use.Object.name()) {}

  bool isSetByThreads() {
    if (!isFlag())
      return false;
    const Stmt *Turn = turnOfThreads();
    if (!Turn || !isOneForAll())
      return false;
    // The loops around it that threads run, too.
    const Stmt *Work = Turn;
    while (const Stmt *Outer = Hot.accesses().outerLoop(*Work))
      Work = Outer;
    if (!isOnlyStored(*Work))
      return false;
    if (isOnEveryTurn(*Turn, *Use.Site))
      return !waitsIn(*Turn);
    return !saysEnd(*Flag) && (isStep() || isAskedAround(*Work));
  }

private:
  bool isFlag() const {
    if (!Flag || Hot.kindOf(Use) != AccessKind::Write || Use.Object.Index ||
        !Use.Object.OuterElements.empty() || Use.IsResultUsed)
      return false;
    const auto Operands = atomicOperands(*Use.Site);
    return !Operands.empty() && constantOf(Operands[0], Unit) &&
           !Operands[0]->getType()->isPointerType() &&
           !Kinds.isSynchronization(Flag->getType()) && !soundsLikeLock(Flag);
  }

  bool isEntry() const { return Starts.isStartedInLoop(*Use.Function); }
  bool isLambdaOfThreads() const {
    return Starts.isStarted(Use.Function) ||
           Starts.isRunByStarted(Use.Function) ||
           Starts.isParallelTurn(Use.Function);
  }

  /// What several threads do again and again, the store with it.
  const Stmt *turnOfThreads() const {
    const bool IsStep = isStepOfThreads();
    if (const Stmt *Loop = turningLoop(Use.Loop, Hot.accesses());
        Loop && (Use.IsInRegion || isEntry() || isLambdaOfThreads() || IsStep))
      return Loop;
    return Starts.isParallelTurn(Use.Function) || IsStep
               ? Use.Function->getBody()
               : nullptr;
  }

  /// A function that threads call on each turn, where the flag is the same.
  bool isStepOfThreads() const {
    return (Use.Object.Root || Use.Object.IsThis) && !Use.IsInRegion &&
           !Hot.accesses().callersOf(*Use.Function).empty() &&
           llvm::any_of(Hot.accesses().calls(),
                        [&](const UnitAccesses::CallSite &Site) {
                          const auto *Call = dyn_cast<CallExpr>(Site.Call);
                          return Call && Site.Function &&
                                 declaresSameEntity(Call->getDirectCallee(),
                                                    Use.Function) &&
                                 isRepeatedByThreads(Site) &&
                                 (Use.Object.Root || isOfThis(*Call));
                        });
  }

  bool isRepeatedByThreads(const UnitAccesses::CallSite &Site) const {
    return Starts.isParallelTurn(Site.Function) ||
           (Site.Loop && (Site.IsInRegion || Starts.isStarted(Site.Function) ||
                          Starts.isStartedInLoop(*Site.Function)));
  }

  static bool isOfThis(const CallExpr &Call) {
    const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
    return Member &&
           isa<CXXThisExpr>(
               Member->getImplicitObjectArgument()->IgnoreParenImpCasts());
  }

  bool isOneForAll() const {
    const Place &Object = Use.Object;
    if (Object.Root)
      return !isPerThread(*Object.Root) && isReadSomewhere(*Object.Root);
    if (Object.IsThis)
      return Use.IsInRegion || isLambdaOfThreads() || isEntry() ||
             isStepOfThreads();
    const VarDecl *Base = Object.Base;
    if (!Base)
      return false;
    if (Use.IsInRegion)
      return !isa<CapturedDecl>(Base->getDeclContext());
    if (isLambdaOfThreads()) {
      // What the loop that starts them declares is another one's each time, and
      // a copy is the thread's own.
      const auto *Method = dyn_cast<CXXMethodDecl>(Use.Function);
      return Method && Method->isConst() &&
             Base->getDeclContext() != Use.Function && !isDeclaredInLoop(*Base);
    }
    return isEntry() && !Object.IsLocalObject && hasOthers(Object);
  }

  /// Otherwise it need not be there at all, which is another check's business.
  bool isReadSomewhere(const VarDecl &Var) const {
    return Var.isExternallyVisible() ||
           llvm::any_of(Hot.accesses().of(Var), [&](unsigned Index) {
             return !Hot.accesses().all()[Index].writes();
           });
  }

  static bool isDeclaredInLoop(const VarDecl &Var) {
    const auto *Function = dyn_cast<FunctionDecl>(Var.getDeclContext());
    const Stmt *Body = Function ? Function->getBody() : nullptr;
    return Body && declaresInLoop(*Body, Var, false);
  }

  static bool declaresInLoop(const Stmt &S, const VarDecl &Var, bool InLoop) {
    if (const auto *Declarations = dyn_cast<DeclStmt>(&S);
        Declarations && InLoop &&
        llvm::is_contained(Declarations->decls(), &Var))
      return true;
    InLoop |= isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
    return llvm::any_of(S.children(), [&](const Stmt *Child) {
      return Child && declaresInLoop(*Child, Var, InLoop);
    });
  }

  /// A record that several threads have: something atomic or a lock is in it.
  bool hasOthers(const Place &Object) const {
    const FieldDecl *Field = Object.field();
    return Field && llvm::any_of(Field->getParent()->fields(),
                                 [&](const FieldDecl *Other) {
                                   return Other != Field &&
                                          (Kinds.isAtomic(Other->getType()) ||
                                           Kinds.isLock(Other->getType()));
                                 });
  }

  /// With one value, and nothing in the threads' code asks for it.
  bool isOnlyStored(const Stmt &Work) const {
    const auto Value = constantOf(atomicOperands(*Use.Site)[0], Unit);
    llvm::SmallVector<const Expr *, 2> Stores;
    for (unsigned Index : Hot.accesses().in(*Use.Function)) {
      const Access &Other = Hot.accesses().all()[Index];
      if (Other.Kind != AccessKind::Write ||
          !Other.Object.isSameAs(Use.Object) || !contains(Work, *Other.Site))
        continue;
      const auto Operands = atomicOperands(*Other.Site);
      if (Operands.empty() || constantOf(Operands[0], Unit) != Value)
        return false;
      Stores.push_back(Other.Site);
    }
    return !asksFor(Work, *Flag, Stores);
  }

  /// In the same branch the thread writes something else: it has come a step
  /// further.
  bool isStep() const {
    StmtPath Path;
    if (!findPath(*Use.Function->getBody(), *Use.Site, Path))
      return false;
    const Stmt *Branch = nullptr;
    for (size_t I = 0; I + 1 < Path.size(); ++I)
      if (isa<IfStmt, SwitchStmt>(Path[I]))
        Branch = Path[I + 1];
    return Branch && writesAnother(*Branch);
  }

  /// An assignment or a method that is not const, to what is no local number.
  bool writesAnother(const Stmt &S) const {
    if (&S == Use.Site)
      return false;
    const Expr *Target = nullptr;
    if (const auto *Binary = dyn_cast<BinaryOperator>(&S);
        Binary && Binary->isAssignmentOp())
      Target = Binary->getLHS();
    else if (const auto *Unary = dyn_cast<UnaryOperator>(&S);
             Unary && Unary->isIncrementDecrementOp())
      Target = Unary->getSubExpr();
    else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&S);
             Operator && Operator->isAssignmentOp())
      Target = Operator->getArg(0);
    else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&S);
             Member && Member->getMethodDecl() &&
             !Member->getMethodDecl()->isConst())
      return true;
    if (Target)
      if (const VarDecl *Local = namedVariable(*Target);
          !Local || !Local->hasLocalStorage())
        return !asksFor(*Target, *Flag, {});
    return llvm::any_of(S.children(), [&](const Stmt *Child) {
      const Stmt *Inner = withoutCapture(Child);
      return Inner && writesAnother(*Inner);
    });
  }

  /// do { ... } while (changed), around the threads.
  bool isAskedAround(const Stmt &Work) const {
    StmtPath Path;
    if (!Use.IsInRegion || !findPath(*Use.Function->getBody(), Work, Path))
      return false;
    Path.pop_back();
    return llvm::any_of(Path, [&](const Stmt *Around) {
      const Stmt *Condition =
          isa<IfStmt>(Around) ? nullptr : conditionOf(*Around);
      return Condition && asksFor(*Condition, *Flag, {});
    });
  }

  const Access &Use;
  HotAccesses &Hot;
  const TypeKinds &Kinds;
  const ThreadStarts &Starts;
  const ASTContext &Unit;
  const ValueDecl *Flag;
};

} // namespace

bool setsFlagOfThreads(const Access &Use, HotAccesses &Hot,
                       const TypeKinds &Kinds, const ThreadStarts &Starts) {
  return FlagReader(Use, Hot, Kinds, Starts).isSetByThreads();
}

} // namespace linesman::tidy
