// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-adjacent-writers where a function starts two threads at words that
// it has itself: locals, elements and fields of one variable.
//
//     long odd = 0, even = 0, sums[2];
//     std::thread a([&] { for (...) odd++; });           captured
//     std::thread b(count, std::ref(even));              handed over
//     std::thread c(count, std::ref(sums[0]));           an element
//     pthread_create(&d, NULL, count_odd, &both);        a field is used
//
// The compiler lays out the stack, and puts small variables side by side.

#include "AdjacentWritersCheck.h"
#include "Analysis/Accesses/ObjectWrites.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Threads/EntryPairs.h"
#include "Analysis/Threads/StartCalls.h"
#include "LineReader.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/MapVector.h"

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
  /// A variable, or a part of it that the source names.
  struct Word {
    const VarDecl *Var = nullptr;
    QualType Type;
    uint64_t Offset = 0;
    std::string Name;
    /// The last field on the way, if there is one.
    const FieldDecl *Field = nullptr;

    bool isAll() const { return Var && Type == Var->getType(); }
  };

  struct Thread {
    const Expr *Start = nullptr;
    const FunctionDecl *Entry = nullptr;
    /// Words that it writes in a loop, and where.
    std::vector<std::pair<Word, const Expr *>> Writes;
    /// Those that it is at in any way.
    std::vector<Word> Uses;
    /// What a parameter refers or points to.
    llvm::DenseMap<const VarDecl *, Word> Handed;
  };

  uint64_t sizeOf(QualType Type) const {
    return Unit.getTypeSizeInChars(Type).getQuantity();
  }

  Thread readThread(const Expr &Start, const FunctionDecl &Entry,
                    llvm::ArrayRef<const Expr *> Arguments) const {
    Thread Result;
    Result.Start = &Start;
    Result.Entry = &Entry;
    for (auto [Parameter, Argument] :
         llvm::zip(Entry.parameters(), Arguments)) {
      const Expr &Given = bareArgument(*Argument);
      const Word Place =
          Parameter->getType()->isPointerType()     ? pointee(Given, nullptr)
          : Parameter->getType()->isReferenceType() ? object(Given, nullptr)
                                                    : Word();
      if (!Place.Var)
        continue;
      Result.Handed[Parameter] = Place;
      Vars Names = {Parameter};
      if (!usesMembersOnly(Entry.getBody(), Names))
        Result.Uses.push_back(Place);
    }
    collect(Entry.getBody(), nullptr, Result);
    return Result;
  }

  using Vars = llvm::SmallPtrSet<const VarDecl *, 2>;

  /// Nothing is done with what \p Names point to but to name its members
  /// (`struct counts *c = argument; c->odd++;`): they tell what is used.
  static bool usesMembersOnly(const Stmt *S, Vars &Names) {
    if (!S)
      return true;
    if (const auto *Member = dyn_cast<MemberExpr>(S);
        Member && isa<FieldDecl>(Member->getMemberDecl()))
      if (const VarDecl *Base = variableOf(*Member->getBase());
          Base && Names.contains(Base))
        return true;
    if (const auto *Declaration = dyn_cast<DeclStmt>(S);
        Declaration && Declaration->isSingleDecl())
      if (const auto *Local = dyn_cast<VarDecl>(Declaration->getSingleDecl());
          Local && Local->getType()->isPointerType() && Local->hasInit())
        if (const VarDecl *Origin = variableOf(*Local->getInit());
            Origin && Names.contains(Origin)) {
          Names.insert(Local);
          return true;
        }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
          Var && Names.contains(Var))
        return false;
    return llvm::all_of(S->children(), [&](const Stmt *Child) {
      return usesMembersOnly(Child, Names);
    });
  }

  /// The word that an lvalue names, in \p Owner or where that is started.
  Word object(const Expr &E, const Thread *Owner) const {
    const Expr *Inner = E.IgnoreParenCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Inner)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      if (!Var)
        return {};
      if (Owner && Owner->Handed.contains(Var))
        return Var->getType()->isReferenceType() ? Owner->Handed.lookup(Var)
                                                 : Word();
      if (Var->getType()->isReferenceType() ||
          Var->getType()->isIncompleteType() ||
          Var->getType()->isDependentType() ||
          (Owner && Var->hasLocalStorage() &&
           !isCapturedByReference(*Var, *Owner->Entry)))
        return {};
      return {Var, Var->getType(), 0, plainName(*Var), nullptr};
    }
    if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
        Unary && Unary->getOpcode() == UO_Deref)
      return pointee(*Unary->getSubExpr(), Owner);
    if (const auto *Member = dyn_cast<MemberExpr>(Inner)) {
      const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      Word Whole = Field && !Field->isBitField()
                       ? (Member->isArrow() ? pointee(*Member->getBase(), Owner)
                                            : object(*Member->getBase(), Owner))
                       : Word();
      if (!Whole.Var || Field->getType()->isReferenceType() ||
          !hasKnownLayout(*Field->getParent(), Unit))
        return {};
      const ASTRecordLayout &Layout =
          Unit.getASTRecordLayout(Field->getParent());
      Whole.Offset += Layout.getFieldOffset(Field->getFieldIndex()) / 8;
      Whole.Type = Field->getType();
      Whole.Name += "." + Field->getNameAsString();
      Whole.Field = Field;
      return Whole;
    }
    const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Inner);
    Expr::EvalResult Index;
    if (!Subscript ||
        !Subscript->getBase()->IgnoreParenCasts()->getType()->isArrayType() ||
        Subscript->getIdx()->isValueDependent() ||
        !Subscript->getIdx()->EvaluateAsInt(Index, Unit))
      return {};
    Word Whole = object(*Subscript->getBase(), Owner);
    if (!Whole.Var)
      return {};
    const uint64_t Position = Index.Val.getInt().getLimitedValue();
    Whole.Type = Subscript->getType();
    Whole.Offset += Position * sizeOf(Whole.Type);
    Whole.Name += "[" + std::to_string(Position) + "]";
    return Whole;
  }

  /// The word that a pointer points to: an address, a parameter, a local that
  /// is one.
  Word pointee(const Expr &E, const Thread *Owner) const {
    const Expr *Inner = E.IgnoreParenCasts();
    if (const auto *Unary = dyn_cast<UnaryOperator>(Inner))
      return Unary->getOpcode() == UO_AddrOf
                 ? object(*Unary->getSubExpr(), Owner)
                 : Word();
    const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var || !Owner)
      return {};
    // int *n = (int *)argument;
    if (!isa<ParmVarDecl>(Var) && Var->hasInit() &&
        !Var->getInit()->isValueDependent())
      if (const auto *Origin =
              dyn_cast<DeclRefExpr>(Var->getInit()->IgnoreParenCasts()))
        Var = dyn_cast<ParmVarDecl>(Origin->getDecl());
    Word Given = Var ? Owner->Handed.lookup(Var) : Word();
    return Given.Var && Var->getType()->isPointerType() ? Given : Word();
  }

  void collect(const Stmt *S, const Stmt *Loop, Thread &Result) const {
    if (!S)
      return;
    if (isa<WhileStmt, DoStmt, ForStmt, CXXForRangeStmt>(S))
      Loop = S;
    if (auto Write = Loop ? writeOf(*S, Kinds) : std::nullopt;
        Write && Write->Way != ObjectWrite::Call && !waitsForSomebody(Loop))
      if (const Word Place = written(*Write->Site, Result); Place.Var)
        Result.Writes.push_back({Place, Write->Site});
    if (isa<MemberExpr, ArraySubscriptExpr, DeclRefExpr>(S))
      if (const Word Place = object(*cast<Expr>(S), &Result); Place.Var) {
        Result.Uses.push_back(Place);
        return;
      }
    for (const Stmt *Child : S->children())
      collect(Child, Loop, Result);
  }

  Word written(const Expr &Site, const Thread &Owner) const {
    const Expr *Inner = Site.IgnoreParenImpCasts();
    if (const auto *Binary = dyn_cast<BinaryOperator>(Inner))
      return object(*Binary->getLHS(), &Owner);
    if (const auto *Unary = dyn_cast<UnaryOperator>(Inner))
      return object(*Unary->getSubExpr(), &Owner);
    if (const auto *Atomic = dyn_cast<AtomicExpr>(Inner))
      return pointee(*Atomic->getPtr(), &Owner);
    if (const auto *Method = dyn_cast<CXXMemberCallExpr>(Inner))
      return object(*Method->getImplicitObjectArgument(), &Owner);
    const auto *Call = dyn_cast<CallExpr>(Inner);
    if (!Call || Call->getNumArgs() == 0)
      return {};
    const Expr &First = *Call->getArg(0);
    return First.getType()->isPointerType() ? pointee(First, &Owner)
                                            : object(First, &Owner);
  }

  void checkFunction(const FunctionDecl &Function,
                     llvm::ArrayRef<Thread> Threads) {
    for (const Thread &A : Threads)
      for (const Thread &B : Threads) {
        if (&A == &B || waitsBetween(Function, *A.Start, *B.Start))
          continue;
        for (const auto &[Mine, Site] : A.Writes)
          for (const auto &[Theirs, There] : B.Writes)
            if (!isAt(B, Mine) && !isAt(A, Theirs) &&
                areNeighbours(Mine, Theirs))
              return report(A, Mine, *Site, Theirs, *There);
      }
  }

  bool isAt(const Thread &Other, const Word &Place) const {
    return llvm::any_of(Other.Uses, [&](const Word &Use) {
      return Use.Var == Place.Var &&
             Use.Offset < Place.Offset + sizeOf(Place.Type) &&
             Place.Offset < Use.Offset + sizeOf(Use.Type);
    });
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
                 Callee->getIdentifier() &&
                 (Callee->getName().contains_insensitive("join") ||
                  Callee->getName().contains_insensitive("wait")) &&
                 IsBefore(First, *Site.Call) && IsBefore(*Site.Call, Second);
        });
  }

  bool isSmall(const Word &Place) const {
    return (Place.Type->isScalarType() || Kinds.isAtomic(Place.Type)) &&
           sizeOf(Place.Type) * 4 <= Line &&
           !Check.common().isAccepted(*Place.Var) &&
           !(Place.Field &&
             (Check.common().isAccepted(*Place.Field) ||
              Check.analyses().ReportedWords.contains(Place.Field)));
  }

  bool areNeighbours(const Word &A, const Word &B) const {
    if (!isSmall(A) || !isSmall(B))
      return false;
    const bool IsAligned =
        uint64_t(Unit.getDeclAlign(A.Var).getQuantity()) >= Line;
    if (A.Var != B.Var)
      return !IsAligned && isWholeOrShort(A) && isWholeOrShort(B) &&
             A.Var->hasLocalStorage() &&
             uint64_t(Unit.getDeclAlign(B.Var).getQuantity()) < Line &&
             areDeclaredTogether(*A.Var, *B.Var);
    return IsAligned ? A.Offset / Line == B.Offset / Line
                     : distance(A, B) < Line;
  }

  /// A variable, or a part of a record that is half a line at most:
  /// `struct part a = {0}, b = {0};`.
  bool isWholeOrShort(const Word &Place) const {
    return Place.isAll() || (Place.Var->getType()->isRecordType() &&
                             2 * sizeOf(Place.Var->getType()) <= Line);
  }

  static uint64_t distance(const Word &A, const Word &B) {
    return A.Offset < B.Offset ? B.Offset - A.Offset : A.Offset - B.Offset;
  }

  /// In one block, with less than a line between them.
  bool areDeclaredTogether(const VarDecl &A, const VarDecl &B) const {
    if (A.getDeclContext() != B.getDeclContext())
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
        Between += sizeOf(Var->getType());
      }
    }
    return false;
  }

  void report(const Thread &Writer, const Word &Mine, const Expr &Site,
              const Word &Theirs, const Expr &There) {
    Check.warn(
        Unit.getSourceManager().getFileLoc(Site.getBeginLoc()),
        {.Subject = *Mine.Var,
         .Function = Writer.Entry,
         .Neighbour = Theirs.Var},
        "one thread that this file starts writes '%0' here, in a loop, and "
        "another writes '%1' in one; they are %select{%3 bytes apart|small "
        "locals of one function}2, on one cache line as a rule, which each "
        "write takes from the other thread; count in a variable of each "
        "thread's own and store that once, or align both to %4")
        << Mine.Name << Theirs.Name << (Mine.Var != Theirs.Var)
        << unsigned(distance(Mine, Theirs)) << unsigned(Line);
    Check.diag(Unit.getSourceManager().getFileLoc(There.getBeginLoc()),
               "the other thread is at '%0' here", DiagnosticIDs::Note)
        << Theirs.Name;
  }

  AdjacentWritersCheck &Check;
};

void AdjacentWritersCheck::checkLocals(ASTContext &Unit) {
  LocalReader(*this, Unit).read();
}

} // namespace linesman::tidy
