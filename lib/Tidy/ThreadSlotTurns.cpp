// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-thread-slot where the turns of a parallel loop have the elements:
//
//     #pragma omp parallel for schedule(dynamic)
//     for (i...)                       whoever is free takes the next turn
//       for (j...) sums[i] += at(i, j);          a store for each addition
//
// Neighbouring turns run at the same time, and their elements are on one line.
// With schedule(static) each thread has many neighbouring turns, and only the
// first and the last of them meet another thread's.

#include "Analysis/Code/Conditions.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Threads/ShortTurns.h"
#include "LineReader.h"
#include "ThreadSlotCheck.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/OpenMPClause.h"
#include "clang/Basic/OpenMPKinds.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

std::optional<uint64_t> numberOf(const Expr &E, const ASTContext &Unit) {
  Expr::EvalResult Value;
  if (E.isValueDependent() || !E.EvaluateAsInt(Value, Unit) ||
      Value.Val.getInt().isNegative())
    return std::nullopt;
  return Value.Val.getInt().getLimitedValue();
}

/// How far one turn is from the next: 3 for `3 * i + 1`. Nothing where an index
/// has another part that is no constant.
std::optional<uint64_t> stepOf(const Expr &Index, const VarDecl &Counter,
                               const ASTContext &Unit) {
  const Expr *E = Index.IgnoreParenImpCasts();
  if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
    return stepOf(*Cast->getSubExpr(), Counter, Unit);
  if (variableOf(*E) == &Counter)
    return 1;
  const auto *Binary = dyn_cast<BinaryOperator>(E);
  if (!Binary ||
      (Binary->getOpcode() != BO_Mul && Binary->getOpcode() != BO_Add))
    return std::nullopt;
  const Expr *Turn = Binary->getLHS(), *Constant = Binary->getRHS();
  if (!mentions(*Turn, Counter))
    std::swap(Turn, Constant);
  const auto Step = stepOf(*Turn, Counter, Unit);
  const auto Number = numberOf(*Constant, Unit);
  if (!Step || !Number)
    return std::nullopt;
  return Binary->getOpcode() == BO_Mul ? *Step * *Number : *Step;
}

/// A part of an array that only one turn has.
struct Part {
  const ValueDecl *Array = nullptr;
  /// From one turn's to the next one's, in bytes; nothing for a matrix, whose
  /// rows only the program that runs knows.
  std::optional<uint64_t> Stride;
  /// In a row of a matrix.
  uint64_t Column = 0;
};

/// A turn's loop, and what of it is one thread's alone.
struct Turn {
  const ForStmt *Loop = nullptr;
  const VarDecl *Counter = nullptr;
  /// Turns that a thread takes at once.
  uint64_t AtOnce = 1;
  const DeclContext *Region = nullptr;
  llvm::DenseSet<const VarDecl *> Privates;
};

const VarDecl *firstSet(const ForStmt &Loop) {
  const Stmt *Init = Loop.getInit();
  if (const auto *Declared = dyn_cast_if_present<DeclStmt>(Init))
    return Declared->isSingleDecl()
               ? dyn_cast<VarDecl>(Declared->getSingleDecl())
               : nullptr;
  const auto *Set = dyn_cast_if_present<BinaryOperator>(Init);
  return Set && Set->isAssignmentOp() ? variableOf(*Set->getLHS()) : nullptr;
}

/// The loop whose turns threads take a few at a time.
std::optional<Turn> turnOf(const OMPExecutableDirective &Directive,
                           const ASTContext &Unit) {
  const auto *Loop = dyn_cast<OMPLoopDirective>(&Directive);
  const auto *Schedule = Directive.getSingleClause<OMPScheduleClause>();
  if (!Loop || !Schedule || Loop->getLoopsNumber() != 1 ||
      !isOpenMPWorksharingDirective(Directive.getDirectiveKind()))
    return std::nullopt;
  Turn Result;
  Result.Loop = dyn_cast_if_present<ForStmt>(
      withoutCapture(Directive.getAssociatedStmt()));
  Result.Counter = Result.Loop ? firstSet(*Result.Loop) : nullptr;
  const Expr *Chunk = Schedule->getChunkSize();
  const bool IsDynamic = Schedule->getScheduleKind() == OMPC_SCHEDULE_dynamic;
  if (!Result.Counter ||
      !(IsDynamic ||
        (Schedule->getScheduleKind() == OMPC_SCHEDULE_static && Chunk)))
    return std::nullopt;
  const auto AtOnce =
      Chunk ? numberOf(*Chunk, Unit) : std::optional<uint64_t>(1);
  if (!AtOnce || *AtOnce == 0)
    return std::nullopt;
  Result.AtOnce = *AtOnce;
  return Result;
}

/// What is added to, if \p S is an addition.
const Expr *addedTo(const Stmt &S) {
  if (const auto *Unary = dyn_cast<UnaryOperator>(&S))
    return Unary->isIncrementDecrementOp() ? Unary->getSubExpr() : nullptr;
  const auto *Sum = dyn_cast<CompoundAssignOperator>(&S);
  return Sum && (Sum->getOpcode() == BO_AddAssign ||
                 Sum->getOpcode() == BO_SubAssign)
             ? Sum->getLHS()
             : nullptr;
}

/// Set other than where it is declared.
bool isSetAgain(const Stmt &S, const VarDecl &Variable) {
  const auto *Set = dyn_cast<BinaryOperator>(&S);
  const auto *Step = dyn_cast<UnaryOperator>(&S);
  return (Set && Set->isAssignmentOp() &&
          variableOf(*Set->getLHS()) == &Variable) ||
         (Step &&
          (Step->isIncrementDecrementOp() || Step->getOpcode() == UO_AddrOf) &&
          variableOf(*Step->getSubExpr()) == &Variable) ||
         llvm::any_of(S.children(), [&](const Stmt *Child) {
           return Child && isSetAgain(*Child, Variable);
         });
}

class PartReader {
public:
  PartReader(const Turn &Own, const ASTContext &Unit) : Own(Own), Unit(Unit) {}

  /// `sums[i]`, `sums[3 * i + 1]`, `rows[i].sum`, `table[i][2]`, `matrix(i,
  /// 0)`; the same through `double *row = &matrix(i, 0);`.
  std::optional<Part> read(const Expr &Target) const {
    const Expr *E = Target.IgnoreParenImpCasts();
    while (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (Member->isArrow() || isa<CXXThisExpr>(Member->getBase()))
        return std::nullopt;
      E = Member->getBase()->IgnoreParenImpCasts();
    }
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E))
      return ofOperator(*Operator);
    const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E);
    if (!Subscript)
      return std::nullopt;
    const Expr *Base = Subscript->getBase()->IgnoreParenImpCasts();
    // An array in an element: the outer index is the turn's.
    if (const auto *Outer = dyn_cast<ArraySubscriptExpr>(Base);
        Outer && Outer->getType()->isConstantArrayType())
      return read(*Outer);
    if (const VarDecl *Row = variableOf(*Base);
        Row && Row->hasLocalStorage() && Row->getType()->isPointerType())
      if (std::optional<Part> Begun = ofRow(*Row, *Subscript->getIdx()))
        return Begun;
    const auto Step = stepOf(*Subscript->getIdx(), *Own.Counter, Unit);
    const ValueDecl *Array = sharedArray(*Base);
    return Step && Array
               ? std::optional(Part{Array, *Step * sizeOf(E->getType())})
               : std::nullopt;
  }

private:
  uint64_t sizeOf(QualType Type) const {
    Type = Type.getNonReferenceType();
    return Type->isIncompleteType() || Type->isDependentType()
               ? 0
               : Unit.getTypeSizeInChars(Type).getQuantity();
  }

  std::optional<Part> ofOperator(const CXXOperatorCallExpr &Call) const {
    const bool IsSubscript = Call.getOperator() == OO_Subscript;
    if ((!IsSubscript && Call.getOperator() != OO_Call) ||
        Call.getNumArgs() < 2 || !Call.isGLValue())
      return std::nullopt;
    const ValueDecl *Array =
        sharedArray(*Call.getArg(0)->IgnoreParenImpCasts());
    const auto Step = stepOf(*Call.getArg(1), *Own.Counter, Unit);
    if (!Array || !Step)
      return std::nullopt;
    if (Call.getNumArgs() == 2)
      return Part{Array, *Step * sizeOf(Call.getType())};
    const auto Column = numberOf(*Call.getArg(Call.getNumArgs() - 1), Unit);
    return *Step == 1 && Call.getNumArgs() == 3 && Column
               ? std::optional(Part{Array, std::nullopt, *Column})
               : std::nullopt;
  }

  /// \p Row points to the turn's part from its declaration on.
  std::optional<Part> ofRow(const VarDecl &Row, const Expr &Index) const {
    if (!Row.hasInit() || isSetAgain(*Own.Loop, Row))
      return std::nullopt;
    const auto *Address =
        dyn_cast<UnaryOperator>(Row.getInit()->IgnoreParenImpCasts());
    const auto Column = numberOf(Index, Unit);
    if (!Address || Address->getOpcode() != UO_AddrOf || !Column)
      return std::nullopt;
    std::optional<Part> Begun = read(*Address->getSubExpr());
    if (Begun)
      Begun->Column += *Column;
    return Begun;
  }

  /// A variable that all threads have, or the object's own field.
  const ValueDecl *sharedArray(const Expr &Base) const {
    if (const auto *Member = dyn_cast<MemberExpr>(&Base))
      return isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts())
                 ? Member->getMemberDecl()
                 : nullptr;
    const VarDecl *Var = variableOf(Base);
    if (!Var || isPerThread(*Var) ||
        (Var->hasLocalStorage() &&
         (Own.Privates.contains(Var) ||
          (Own.Region && Own.Region->Encloses(Var->getDeclContext())))))
      return nullptr;
    return Var;
  }

  const Turn &Own;
  const ASTContext &Unit;
};

} // namespace

class ThreadSlotCheck::TurnReader : LineReader {
public:
  TurnReader(ThreadSlotCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check) {}

  void read() {
    if (Unit.getLangOpts().OpenMP == 0)
      return;
    for (const FunctionDecl *Function : Accesses.functions())
      if (Accesses.isUsedHere(*Function))
        findTurns(*Function->getBody(), *Function, Turn());
  }

private:
  void findTurns(const Stmt &S, const FunctionDecl &Function, Turn Around) {
    if (const auto *Directive = dyn_cast<OMPExecutableDirective>(&S)) {
      addPrivates(*Directive, Around.Privates);
      if (const DeclContext *Own = threadsOwnContext(*Directive))
        Around.Region = Own;
      if (std::optional<Turn> Own = turnOf(*Directive, Unit)) {
        Own->Region = Around.Region;
        Own->Privates = Around.Privates;
        return checkTurn(*Own, Function);
      }
      if (Directive->hasAssociatedStmt())
        findTurns(*withoutCapture(Directive->getAssociatedStmt()), Function,
                  Around);
      return;
    }
    for (const Stmt *Child : S.children())
      if (Child && !isa<LambdaExpr>(Child))
        findTurns(*Child, Function, Around);
  }

  /// An addition in a loop of the turn, each of which is short.
  struct Addition {
    const Expr *Site = nullptr;
    Part Sum;
  };

  void checkTurn(const Turn &Own, const FunctionDecl &Function) {
    llvm::SmallVector<Addition, 4> All;
    findAdditions(*Own.Loop->getBody(), nullptr, PartReader(Own, Unit), All);
    for (const Addition &Found : All) {
      if (Found.Sum.Stride
              ? *Found.Sum.Stride == 0 || *Found.Sum.Stride * Own.AtOnce >= Line
              : !isShortRow(*Found.Sum.Array, All))
        continue;
      if (!Check.common().isAccepted(*Found.Sum.Array) &&
          Check.Reported.insert(Found.Sum.Array->getLocation()).second)
        report(Own, Found, Function);
    }
  }

  /// The turn adds to a few columns, from the first on: the length of a row is
  /// not known, but it looks like that many.
  bool isShortRow(const ValueDecl &Array, llvm::ArrayRef<Addition> All) const {
    constexpr uint64_t Most = 4;
    llvm::SmallSet<uint64_t, 4> Columns;
    for (const Addition &Found : All)
      if (Found.Sum.Array == &Array)
        Columns.insert(Found.Sum.Column);
    return Columns.size() > 1 && Columns.contains(0) &&
           llvm::all_of(Columns, [](uint64_t Column) { return Column < Most; });
  }

  void findAdditions(const Stmt &S, const Stmt *Innermost,
                     const PartReader &Parts,
                     llvm::SmallVectorImpl<Addition> &Found) {
    if (isa<LambdaExpr, OMPExecutableDirective>(&S))
      return;
    if (const Stmt *Body = loopBodyOf(S))
      Innermost = Body;
    else if (const Expr *Target = Innermost ? addedTo(S) : nullptr;
             Target && Target->getType()->isArithmeticType() &&
             !isLongTurn(*Innermost))
      if (std::optional<Part> Sum = Parts.read(*Target))
        Found.push_back({cast<Expr>(&S), *Sum});
    for (const Stmt *Child : S.children())
      if (Child)
        findAdditions(*Child, Innermost, Parts, Found);
  }

  void report(const Turn &Own, const Addition &Found,
              const FunctionDecl &Function) {
    const Part &Sum = Found.Sum;
    Check.warn(Check.place(*Found.Site),
               {.Subject = *Sum.Array, .Function = &Function},
               "each turn adds to its own part of '%0' here, in a loop, and "
               "threads take the turns %select{%1 at a time|one by one}2, but "
               "parts are %select{as short as the few columns that are "
               "used|%4 bytes apart}3 and a cache line has %5: threads that "
               "have neighbouring turns write the same line, unless the "
               "compiler keeps the sum in a register; add up in a local "
               "variable of the turn, and store that once")
        << plainName(*Sum.Array) << unsigned(Own.AtOnce) << (Own.AtOnce == 1)
        << Sum.Stride.has_value() << unsigned(Sum.Stride.value_or(0))
        << unsigned(Line);
    Check.diag(Sum.Array->getLocation(), "'%0' is declared here",
               DiagnosticIDs::Note)
        << plainName(*Sum.Array);
  }

  ThreadSlotCheck &Check;
};

void ThreadSlotCheck::checkTurns(ASTContext &Unit) {
  TurnReader(*this, Unit).read();
}

} // namespace linesman::tidy
