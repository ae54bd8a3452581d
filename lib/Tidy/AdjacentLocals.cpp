// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-adjacent-writers where a function starts two threads at locals of
// its own:
//
//     long odd = 0, even = 0;
//     std::thread a([&] { for (...) odd++; });          captured
//     std::thread b(count, std::ref(even));             handed over
//
// The compiler lays out the stack, and puts small variables side by side.

#include "AdjacentWritersCheck.h"
#include "Analysis/Accesses/ObjectWrites.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Threads/EntryPairs.h"
#include "Analysis/Threads/StartCalls.h"
#include "LineReader.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

class AdjacentWritersCheck::LocalReader : LineReader {
public:
  LocalReader(AdjacentWritersCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check) {}

  void read() {
    llvm::MapVector<const FunctionDecl *, std::vector<Thread>> Starters;
    for (const UnitAccesses::CallSite &Site : Accesses.calls()) {
      auto Arguments = startedWith(*Site.Call);
      if (Arguments.empty() || Site.Loop || !Site.Function)
        continue;
      const FunctionDecl *Entry = entryOf(*Arguments.front()), *Body = nullptr;
      if (Entry && Entry->hasBody(Body))
        Starters[Site.Function].push_back(
            readThread(*Site.Call, *Body, Arguments.drop_front()));
    }
    for (const auto &[Function, Threads] : Starters)
      checkFunction(*Function, Threads);
  }

private:
  struct Thread {
    const Expr *Start = nullptr;
    const FunctionDecl *Entry = nullptr;
    /// Locals of whoever starts it that it writes in a loop, and where.
    llvm::MapVector<const VarDecl *, const Expr *> Writes;
    /// Those that it is at in any way.
    llvm::SmallPtrSet<const VarDecl *, 8> Uses;
    /// What a parameter refers or points to.
    llvm::DenseMap<const VarDecl *, const VarDecl *> Handed;
  };

  Thread readThread(const Expr &Start, const FunctionDecl &Entry,
                    llvm::ArrayRef<const Expr *> Arguments) const {
    Thread Result;
    Result.Start = &Start;
    Result.Entry = &Entry;
    for (auto [Parameter, Argument] : llvm::zip(Entry.parameters(), Arguments))
      if (const VarDecl *Local = handedOver(*Argument);
          Local && (Parameter->getType()->isPointerType() ||
                    Parameter->getType()->isReferenceType())) {
        Result.Handed[Parameter] = Local;
        Result.Uses.insert(Local);
      }
    collect(Entry.getBody(), nullptr, Result);
    return Result;
  }

  /// std::ref(local), &local
  static const VarDecl *handedOver(const Expr &Argument) {
    const Expr *Inner = &bareArgument(Argument);
    if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
        Unary && Unary->getOpcode() == UO_AddrOf)
      Inner = Unary->getSubExpr()->IgnoreParenCasts();
    const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
    return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  }

  void collect(const Stmt *S, const Stmt *Loop, Thread &Result) const {
    if (!S)
      return;
    if (isa<WhileStmt, DoStmt, ForStmt, CXXForRangeStmt>(S))
      Loop = S;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
        Result.Uses.insert(Var);
    if (Loop)
      if (auto Write = writeOf(*S, Kinds);
          Write && Write->Way != ObjectWrite::Call)
        if (const VarDecl *Local = wordOf(Write->Part, Result);
            Local && !waitsForSomebody(Loop))
          Result.Writes.insert({Local, Write->Site});
    for (const Stmt *Child : S->children())
      collect(Child, Loop, Result);
  }

  /// The starter's variable that this is all of.
  static const VarDecl *wordOf(const WrittenPart &Part, const Thread &Owner) {
    const auto *Ref = Part.Base && Part.Fields.empty()
                          ? dyn_cast<DeclRefExpr>(Part.Base->IgnoreParenCasts())
                          : nullptr;
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var || !Var->hasLocalStorage())
      return nullptr;
    // int *n = (int *)argument;
    if (Part.IsPointedTo && !isa<ParmVarDecl>(Var) && Var->hasInit() &&
        !Var->getInit()->isValueDependent())
      if (const auto *Origin =
              dyn_cast<DeclRefExpr>(Var->getInit()->IgnoreParenCasts()))
        Var = dyn_cast<ParmVarDecl>(Origin->getDecl());
    if (const VarDecl *Local = Var ? Owner.Handed.lookup(Var) : nullptr)
      return Part.IsPointedTo == Var->getType()->isPointerType() ? Local
                                                                 : nullptr;
    return Var && !Part.IsPointedTo && isCaptured(*Var, *Owner.Entry) ? Var
                                                                      : nullptr;
  }

  static bool isCaptured(const VarDecl &Var, const FunctionDecl &Entry) {
    const auto *Method = dyn_cast<CXXMethodDecl>(&Entry);
    return Method && Method->getParent()->isLambda() &&
           llvm::any_of(Method->getParent()->captures(),
                        [&](const LambdaCapture &Capture) {
                          return Capture.capturesVariable() &&
                                 Capture.getCapturedVar() == &Var &&
                                 Capture.getCaptureKind() == LCK_ByRef;
                        });
  }

  void checkFunction(const FunctionDecl &Function,
                     llvm::ArrayRef<Thread> Threads) {
    for (const Thread &A : Threads)
      for (const Thread &B : Threads) {
        if (&A == &B || waitsBetween(Function, *A.Start, *B.Start))
          continue;
        for (const auto &[Mine, Site] : A.Writes)
          for (const auto &[Theirs, There] : B.Writes)
            if (Mine != Theirs && !B.Uses.contains(Mine) &&
                !A.Uses.contains(Theirs) && areNeighbours(*Mine, *Theirs))
              return report(A, *Mine, *Site, *Theirs, *There);
      }
  }

  /// The first has ended when the second starts.
  bool waitsBetween(const FunctionDecl &Function, const Expr &First,
                    const Expr &Second) const {
    const SourceManager &Sources = Unit.getSourceManager();
    auto IsBefore = [&](const Expr &A, const Expr &B) {
      return Sources.isBeforeInTranslationUnit(A.getBeginLoc(),
                                               B.getBeginLoc());
    };
    if (!IsBefore(First, Second))
      return true;
    return llvm::any_of(
        Accesses.calls(), [&](const UnitAccesses::CallSite &Site) {
          const FunctionDecl *Callee = namedCallee(*Site.Call);
          return Site.Function == &Function && Callee &&
                 (Callee->getName().contains_insensitive("join") ||
                  Callee->getName().contains_insensitive("wait")) &&
                 IsBefore(First, *Site.Call) && IsBefore(*Site.Call, Second);
        });
  }

  bool isWord(const VarDecl &Var) const {
    const QualType Type = Var.getType();
    return (Type->isScalarType() || Kinds.isAtomic(Type)) &&
           Unit.getTypeSizeInChars(Type).getQuantity() * 4 <= int64_t(Line) &&
           uint64_t(Unit.getDeclAlign(&Var).getQuantity()) < Line &&
           !Check.common().isAccepted(Var);
  }

  /// Declared in one block, with less than a line between them.
  bool areNeighbours(const VarDecl &A, const VarDecl &B) const {
    if (!isWord(A) || !isWord(B) || A.getDeclContext() != B.getDeclContext())
      return false;
    uint64_t Between = 0;
    bool IsBetween = false;
    for (const Decl *Sibling : A.getDeclContext()->decls()) {
      const auto *Var = dyn_cast<VarDecl>(Sibling);
      if (!Var || !Var->hasLocalStorage() || isa<ParmVarDecl>(Var))
        continue;
      if (Var == &A || Var == &B) {
        if (IsBetween)
          return Between < Line;
        IsBetween = true;
      } else if (IsBetween && !Var->getType()->isIncompleteType() &&
                 !Var->getType()->isDependentType()) {
        Between += Unit.getTypeSizeInChars(Var->getType()).getQuantity();
      }
    }
    return false;
  }

  void report(const Thread &Writer, const VarDecl &Mine, const Expr &Site,
              const VarDecl &Theirs, const Expr &There) {
    Check.warn(Unit.getSourceManager().getFileLoc(Site.getBeginLoc()),
               {.Subject = Mine, .Function = Writer.Entry, .Beside = &Theirs},
               "one thread that this file starts writes the local '%0' here, "
               "in a loop, and another writes '%1' in one; small locals of "
               "one function are on one cache line as a rule, which each "
               "write takes from the other thread; count in a variable of "
               "each thread's own and store that once, or align both to %2")
        << plainName(Mine) << plainName(Theirs) << unsigned(Line);
    Check.diag(Unit.getSourceManager().getFileLoc(There.getBeginLoc()),
               "the other thread is at '%0' here", DiagnosticIDs::Note)
        << plainName(Theirs);
  }

  AdjacentWritersCheck &Check;
};

void AdjacentWritersCheck::checkLocals(ASTContext &Unit) {
  LocalReader(*this, Unit).read();
}

} // namespace linesman::tidy
