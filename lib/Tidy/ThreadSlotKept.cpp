// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-thread-slot where an object keeps the address of its thread's
// element, and writes it without a number:
//
//     Adder(float *sums) : mine(sums + thread_index()) {}
//     return Adder{sums + thread_index()};            to a constructor
//     void add(float x) { *mine += x; }               the owner's writes
//
// Or whoever starts the threads writes it down for each:
//
//     for (...) { workers[i].counts = &counts[i]; start(run, &workers[i]); }
//     run(worker *w): w->counts->hits++;
//
// Or each thread has a pointer of its own to it:
//
//     thread_local Counts *mine = &counts[next++];        mine->hits++;
//     thread_local struct { Counts *counts; } own;        own.counts->hits++;

#include "Analysis/Accesses/ObjectWrites.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Code/UnitCode.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Threads/IndexOrigin.h"
#include "LineReader.h"
#include "ThreadSlotCheck.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

class ThreadSlotCheck::KeptReader : LineReader {
public:
  KeptReader(ThreadSlotCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Starts(Accesses),
        Origin(Accesses, Kinds, Starts) {}

  void read() {
    for (const UnitAccesses::CallSite &Site : Accesses.calls())
      if (const auto *Made = dyn_cast<CXXConstructExpr>(Site.Call))
        checkArguments(*Made, Site.Function);
    for (const FunctionDecl *Function : Accesses.functions())
      if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function))
        for (const CXXCtorInitializer *Initial : Constructor->inits())
          if (const FieldDecl *Field = pointerOf(*Initial))
            checkKept({*Field, *Initial->getInit(), Constructor});
    for (const Access &Use : Accesses.all())
      checkStore(Use);
    for (const VarDecl *Var : Accesses.statics())
      if (isPerThread(*Var) && Var->getType()->isPointerType() &&
          Var->hasInit())
        checkKept({*Var, *Var->getInit(), nullptr, Picker::OwnPointer});
  }

private:
  /// How it is known that the element is one thread's.
  enum class Picker : uint8_t {
    /// By its number, a thread's.
    ThreadNumber,
    /// By its number, that of the loop which starts the threads.
    StartingLoop,
    /// The pointer is a thread's: whatever its number, others have others.
    OwnPointer,
  };

  /// A pointer that is given the address of an element.
  struct Keeping {
    const ValueDecl &Pointer;
    const Expr &Address;
    /// Null in an initialiser at namespace scope.
    const FunctionDecl *Function = nullptr;
    Picker PickedBy = Picker::ThreadNumber;
    /// Picker::StartingLoop: the loop's.
    const VarDecl *Counter = nullptr;
  };

  static const FieldDecl *pointerOf(const CXXCtorInitializer &Initial) {
    const FieldDecl *Field =
        Initial.isMemberInitializer() ? Initial.getMember() : nullptr;
    return Field && Field->getType()->isPointerType() && Initial.getInit()
               ? Field
               : nullptr;
  }

  /// mine{given}, or mine(given)
  static const Expr &valueOf(const Expr &Initial) {
    const Expr *Inner = Initial.IgnoreParenCasts();
    if (const auto *List = dyn_cast<InitListExpr>(Inner);
        List && List->getNumInits() == 1)
      Inner = List->getInit(0)->IgnoreParenCasts();
    return *Inner;
  }

  /// Adder{sums + thread}, whose constructor keeps what it is given.
  void checkArguments(const CXXConstructExpr &Made,
                      const FunctionDecl *Function) {
    const FunctionDecl *Definition = nullptr;
    if (!Function || !Made.getConstructor()->hasBody(Definition))
      return;
    for (const CXXCtorInitializer *Initial :
         cast<CXXConstructorDecl>(Definition)->inits()) {
      const FieldDecl *Field = pointerOf(*Initial);
      const auto *Ref =
          Field ? dyn_cast<DeclRefExpr>(&valueOf(*Initial->getInit()))
                : nullptr;
      const auto *Given = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
      if (Given && Given->getFunctionScopeIndex() < Made.getNumArgs())
        checkKept(
            {*Field, *Made.getArg(Given->getFunctionScopeIndex()), Function});
    }
  }

  /// object->mine = address, mine = address
  void checkStore(const Access &Use) {
    const ValueDecl *Pointer = Use.Object.name();
    const auto *Store = Use.Kind == AccessKind::Write && Pointer &&
                                Pointer->getType()->isPointerType()
                            ? dyn_cast<BinaryOperator>(Use.Site->IgnoreParens())
                            : nullptr;
    if (!Store || Store->getOpcode() != BO_Assign || !Use.Function)
      return;
    const Expr &Address = *Store->getRHS();
    const bool IsThreads =
        Use.Object.Root && isPerThread(*Use.Object.Root) && !Use.Object.Index;
    if (IsThreads && !Use.Loop) {
      // In a loop it goes through several.
      checkKept({*Pointer, Address, Use.Function, Picker::OwnPointer});
    } else if (Use.Object.field()) {
      const VarDecl *Counter = counterOfStarts(Use);
      checkKept({*Pointer, Address, Use.Function,
                 Counter ? Picker::StartingLoop : Picker::ThreadNumber,
                 Counter});
    }
  }

  /// The i of workers[i].field = ..., where the loop hands &workers[i] to the
  /// thread that it starts. Null for any other store.
  const VarDecl *counterOfStarts(const Access &Store) const {
    const VarDecl *Counter =
        Store.Object.Index ? namedVariable(*Store.Object.Index) : nullptr;
    if (!Counter || !Starts.startsThreads(*Store.Function))
      return nullptr;
    auto IsGiven = [&](const ThreadStarts::HandedElement &Element) {
      return Element.Object.Array == Store.Object.Array &&
             Element.Object.Index &&
             namedVariable(*Element.Object.Index) == Counter;
    };
    return llvm::any_of(Starts.handedElements(), IsGiven) ? Counter : nullptr;
  }

  /// elements + thread, &elements[thread], or a local that is one of them.
  bool isOwnElement(const Expr &Address, const Keeping &Kept,
                    unsigned Depth = 0) const {
    constexpr unsigned MaxDepth = 2;
    const Expr &Inner = valueOf(Address);
    if (Depth == MaxDepth || Inner.isValueDependent())
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&Inner)) {
      const auto *Local = dyn_cast<VarDecl>(Ref->getDecl());
      return Local && Local->hasLocalStorage() && !isa<ParmVarDecl>(Local) &&
             Local->hasInit() &&
             isOwnElement(*Local->getInit(), Kept, Depth + 1);
    }
    if (const auto *Sum = dyn_cast<BinaryOperator>(&Inner))
      return Sum->getOpcode() == BO_Add &&
             Sum->getLHS()->getType()->isPointerType() &&
             isOwnIndex(*Sum->getRHS(), Kept);
    const auto *Unary = dyn_cast<UnaryOperator>(&Inner);
    if (!Unary || Unary->getOpcode() != UO_AddrOf)
      return false;
    const Expr *Named = Unary->getSubExpr()->IgnoreParenCasts();
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Named))
      return isOwnIndex(*Subscript->getIdx(), Kept);
    const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Named);
    return Operator && Operator->getOperator() == OO_Subscript &&
           Operator->getNumArgs() == 2 &&
           isContiguous(Operator->getArg(0)->getType()) &&
           isOwnIndex(*Operator->getArg(1), Kept);
  }

  bool isOwnIndex(const Expr &Index, const Keeping &Kept) const {
    switch (Kept.PickedBy) {
    case Picker::StartingLoop:
      if (namedVariable(Index) == Kept.Counter)
        return true;
      break;
    case Picker::OwnPointer:
      return !Index.isEvaluatable(Unit);
    case Picker::ThreadNumber:
      break;
    }
    return Origin.isThreadNumber(Index, Kept.Function) &&
           Origin.stepOf(Index, Kept.Function) == 1;
  }

  /// A word, or a record of the project's own; no text.
  bool isElement(QualType Type) const {
    if (Type->isIncompleteType() || Type->isDependentType() ||
        Type->isFunctionType() || Type->isPointerType())
      return false;
    return Type->isRecordType()
               ? isOwnRecord(Type, Unit)
               : (Type->isArithmeticType() || Kinds.isAtomic(Type)) &&
                     !Type->isCharType();
  }

  void checkKept(const Keeping &Kept) {
    const ValueDecl &Pointer = Kept.Pointer;
    const QualType Type = Pointer.getType()->getPointeeType();
    if (!isElement(Type) || Check.common().isAccepted(Pointer) ||
        !isOwnElement(Kept.Address, Kept))
      return;
    const uint64_t Stride = Unit.getTypeSizeInChars(Type).getQuantity();
    if (Stride == 0 || Stride % Line == 0)
      return;
    if (isWalked(Pointer))
      return;
    const auto [Writer, Site] = writeThrough(Kept);
    if (!Writer || !Check.Reported.insert(Pointer.getLocation()).second)
      return;
    Check.warn(Unit.getSourceManager().getFileLoc(Site->getExprLoc()),
               {.Subject = Pointer, .Function = Writer},
               "'%0' is the address of a thread's own element, which '%1' "
               "writes here, but elements are %2 bytes apart and a cache line "
               "has %3: neighbouring threads write the same line; keep the "
               "value in %select{the object|a local or thread_local "
               "variable}5 and store it once, or %select{make the element a "
               "record with|give the element type}4 alignas(%3)")
        << nameOf(Pointer) << plainName(*Writer) << unsigned(Stride)
        << unsigned(Line) << Type->isRecordType()
        << (Kept.PickedBy == Picker::OwnPointer);
    Check.diag(Kept.Address.getExprLoc(), "its element is picked here",
               DiagnosticIDs::Note);
  }

  static std::string nameOf(const ValueDecl &Pointer) {
    const auto *Field = dyn_cast<FieldDecl>(&Pointer);
    return Field ? fieldName(*Field) : plainName(Pointer);
  }

  llvm::ArrayRef<unsigned> usesOf(const ValueDecl &Pointer) const {
    if (const auto *Field = dyn_cast<FieldDecl>(&Pointer))
      return Accesses.of(*Field);
    return Accesses.of(cast<VarDecl>(Pointer));
  }

  /// mine++, mine[2]: where it starts is one thread's, and where it goes from
  /// there, others may be.
  bool isWalked(const ValueDecl &Pointer) const {
    return llvm::any_of(usesOf(Pointer), [&](unsigned Index) {
      const Access &Use = Accesses.all()[Index];
      return (Use.Object.Index && Use.Object.Array == &Pointer) ||
             (Use.Object.name() == &Pointer && Use.Kind == AccessKind::Update);
    });
  }

  static bool names(const Stmt &S, const ValueDecl &Pointer) {
    if (const auto *Member = dyn_cast<MemberExpr>(&S))
      return Member->getMemberDecl() == &Pointer;
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    return Ref &&
           Ref->getDecl()->getCanonicalDecl() == Pointer.getCanonicalDecl();
  }

  /// How often: *mine = *mine + x goes on from what is there.
  static unsigned mentions(const Stmt &S, const ValueDecl &Pointer) {
    unsigned Count = names(S, Pointer);
    for (const Stmt *Child : S.children())
      if (Child)
        Count += mentions(*Child, Pointer);
    return Count;
  }

  /// Who writes through the pointer writes the thread's element: the methods of
  /// its object, whoever has the object that a starter filled in, or anybody,
  /// if each thread has its own pointer.
  bool isOwner(const FunctionDecl &Function, const Expr &Named,
               const Keeping &Kept) const {
    const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
    if (Kept.PickedBy == Picker::OwnPointer ||
        (Method && Method->getParent() == Kept.Pointer.getDeclContext()))
      return true;
    const auto *Member = dyn_cast<MemberExpr>(&Named);
    return Kept.PickedBy == Picker::StartingLoop &&
           !Starts.startsThreads(Function) && Member && Member->isArrow() &&
           isa<DeclRefExpr>(Member->getBase()->IgnoreParenImpCasts());
  }

  /// atomic_dec(mine): by a function that is nothing but an atomic operation.
  bool updates(const CallExpr &Call, const ValueDecl &Pointer) const {
    if (Call.getNumArgs() == 0 || isa<CXXMemberCallExpr>(Call) ||
        !names(*Call.getArg(0)->IgnoreParenCasts(), Pointer))
      return false;
    const AtomicOperation Operation = Kinds.operationOf(Call);
    return Operation == AtomicOperation::FetchModify ||
           Operation == AtomicOperation::Exchange;
  }

  /// *mine += x, mine->count++, by an operation.
  std::pair<const FunctionDecl *, const Expr *>
  writeThrough(const Keeping &Kept) const {
    for (const FunctionDecl *Function : Accesses.functions()) {
      if (!Hot.isOperation(Function) || !Accesses.isUsedHere(*Function))
        continue;
      for (const Stmt *Node : UnitCode::read(*Function).Statements) {
        if (const auto *Call = dyn_cast<CallExpr>(Node);
            Call && updates(*Call, Kept.Pointer) &&
            isOwner(*Function, *Call->getArg(0)->IgnoreParenCasts(), Kept))
          return {Function, Call};
        const std::optional<ObjectWrite> Write = writeOf(*Node, Kinds);
        if (!Write || Write->Way == ObjectWrite::Call || !Write->Part.Base ||
            !Write->Part.IsPointedTo)
          continue;
        const Expr &Named = *Write->Part.Base->IgnoreParenCasts();
        // A sum that is ready is stored once.
        if (names(Named, Kept.Pointer) && isOwner(*Function, Named, Kept) &&
            (Write->Way == ObjectWrite::ReadModifyWrite ||
             mentions(*Write->Site, Kept.Pointer) > 1))
          return {Function, Write->Site};
      }
    }
    return {nullptr, nullptr};
  }

  ThreadSlotCheck &Check;
  ThreadStarts Starts;
  IndexOrigin Origin;
};

void ThreadSlotCheck::checkKept(ASTContext &Unit) {
  KeptReader(*this, Unit).read();
}

} // namespace linesman::tidy
