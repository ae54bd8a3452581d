// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asked only about indices of elements that are written, so little is
// remembered.

#include "Analysis/Threads/IndexOrigin.h"
#include "Analysis/Code/LocalValues.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

const FieldDecl *fieldOf(const Expr &E) {
  const auto *Member = dyn_cast<MemberExpr>(E.IgnoreParenCasts());
  return Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
}

/// The last word of a name: "worker_id", "slotIndex", "tid".
bool soundsLikeNumber(llvm::StringRef Name) {
  const auto Words = wordsOf(Name);
  return !Words.empty() && WordSwitch<bool>(Words.back())
                               .Cases({"id", "tid", "idx", "index", "slot",
                                       "number", "num", "no"},
                                      true)
                               .Default(false);
}

/// "thread", "threadNum_", "my_tid", "lcore_id", "procNumber"; not
/// "num_threads", "thread_pc", "proc".
bool soundsLikeThreadNumber(llvm::StringRef Name) {
  // A "proc" alone may be a procedure, and a "processor" an object.
  bool NamesThread = false, NeedsNumber = false;
  for (llvm::StringRef Word : wordsOf(Name)) {
    if (WordSwitch<bool>(Word)
            .Cases({"thread", "thrd", "thr", "worker", "lcore", "cpu", "core",
                    "tid", "threadid", "threadnum", "threadno", "threadidx",
                    "threadindex", "workerid", "lcoreid", "cpuid", "coreid"},
                   true)
            .Cases({"mycpu", "mycore", "mythread", "mytid", "curcpu", "curcore",
                    "curthread", "thiscpu", "thiscore", "thisthread"},
                   true)
            .Default(false))
      NamesThread = true;
    else if (Word == "proc" || Word == "processor")
      NamesThread = NeedsNumber = true;
    else if (WordSwitch<bool>(Word)
                 .Cases({"id", "idx", "index", "number", "num", "no", "nr"},
                        NamesThread)
                 .Default(false))
      NeedsNumber = false;
    else if (!WordSwitch<bool>(Word)
                  .Cases({"m", "my", "own", "self", "this", "cur", "curr",
                          "current", "get", "physical", "logical", "hw", "os",
                          "cached"},
                         !NamesThread)
                  .Default(false))
      return false;
  }
  return NamesThread && !NeedsNumber;
}

} // namespace

/// What the call passes for the parameter at \p Position; null for operators
/// but (), whose object comes first.
static const Expr *passedAt(const CallExpr &Call, unsigned Position) {
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call)) {
    if (Operator->getOperator() != OO_Call)
      return nullptr;
    ++Position;
  }
  return Position < Call.getNumArgs() ? Call.getArg(Position) : nullptr;
}

bool IndexOrigin::isCountedIn(llvm::ArrayRef<unsigned> Indices) const {
  return llvm::any_of(Indices, [&](unsigned Index) {
    const Access &Use = Accesses.all()[Index];
    // `workers[i].id = i` in a loop numbers each of them once.
    return Use.writes() && !Use.IsConstruction &&
           (Use.Kind == AccessKind::Update || (Use.Loop && !Use.Object.Index));
  });
}

bool IndexOrigin::isCursor(const Expr &E, unsigned Depth) const {
  const Expr *Inner = E.IgnoreParenCasts();
  if (Depth > MaxDepth)
    return false;
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
      Unary && Unary->isIncrementDecrementOp())
    return true;
  if (const FieldDecl *Field = fieldOf(*Inner))
    return isCountedIn(Accesses.of(*Field));
  if (const VarDecl *Var = variableOf(*Inner)) {
    if (Var->hasGlobalStorage())
      return isCountedIn(Accesses.of(*Var));
    return !isa<ParmVarDecl>(Var) && Var->hasInit() &&
           !Var->getInit()->isValueDependent() &&
           isCursor(*Var->getInit(), Depth + 1);
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner))
    return Binary->isAssignmentOp() || isCursor(*Binary->getLHS(), Depth + 1) ||
           isCursor(*Binary->getRHS(), Depth + 1);
  return false;
}

/// There are visible callers, and what each of them passes \p Holds: for a
/// parameter, or, without one, for the object of a method.
template <typename Predicate>
bool IndexOrigin::holdsForAll(const ParmVarDecl *Parameter,
                              const FunctionDecl &Function,
                              Predicate Holds) const {
  llvm::ArrayRef<CodePlace> Callers = Accesses.callersOf(Function);
  if (Callers.empty() || Accesses.isAddressTaken(Function))
    return false;
  return llvm::all_of(Callers, [&](const CodePlace &Caller) {
    const auto *Call = dyn_cast_if_present<CallExpr>(Caller.Site);
    if (!Call)
      return false;
    const Expr *Passed = nullptr;
    if (Parameter)
      Passed = passedAt(*Call, Parameter->getFunctionScopeIndex());
    else if (const auto *Method = dyn_cast<CXXMemberCallExpr>(Call))
      Passed = Method->getImplicitObjectArgument();
    return Passed && Holds(*Passed, Caller.Function);
  });
}

bool IndexOrigin::isOwnObject(const Expr &Object, const FunctionDecl *Function,
                              unsigned Depth) const {
  if (Depth > MaxDepth || !Function)
    return false;
  const Expr *Inner = Object.IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
      Unary &&
      (Unary->getOpcode() == UO_AddrOf || Unary->getOpcode() == UO_Deref))
    return isOwnObject(*Unary->getSubExpr(), Function, Depth + 1);
  auto IsPassed = [&](const Expr &Passed, const FunctionDecl *Caller) {
    return isOwnObject(Passed, Caller, Depth + 1);
  };
  if (isa<CXXThisExpr>(Inner))
    return holdsForAll(nullptr, *Function, IsPassed);
  const VarDecl *Var = variableOf(*Inner);
  if (!Var || !Var->hasLocalStorage())
    return false;
  if (Starts.isOwnArgument(*Var, *Function))
    return true;
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(Var))
    return Parameter->getType()->isAnyPointerType() ||
                   Parameter->getType()->isReferenceType()
               ? holdsForAll(Parameter, *Function, IsPassed)
               : false;
  return Var->hasInit() && !Var->getInit()->isValueDependent() &&
         isOwnObject(*Var->getInit(), Function, Depth + 1);
}

bool IndexOrigin::isAskedFor(const Expr &Value,
                             const FunctionDecl &Function) const {
  const Expr *Inner = Value.IgnoreParenCasts();
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner))
    return !Binary->isComparisonOp() && !Binary->isLogicalOp() &&
           (isAskedFor(*Binary->getLHS(), Function) ||
            isAskedFor(*Binary->getRHS(), Function));
  if (const VarDecl *Local = variableOf(*Inner))
    return Local->hasLocalStorage() && !isa<ParmVarDecl>(Local) &&
           Local->hasInit() && !Local->getInit()->isValueDependent() &&
           isa<CallExpr>(Local->getInit()->IgnoreParenCasts()) &&
           isThreadNumber(*Local->getInit(), &Function);
  return isa<CallExpr>(Inner) && isThreadNumber(*Inner, &Function);
}

bool IndexOrigin::isThreadNumberOfSome(const Expr &Index,
                                       const FunctionDecl &Function) const {
  const auto *Parameter = dyn_cast_if_present<ParmVarDecl>(variableOf(Index));
  if (!Parameter || !Parameter->getType()->isIntegerType() ||
      Accesses.isAddressTaken(Function))
    return false;
  unsigned Position = Parameter->getFunctionScopeIndex();
  return llvm::any_of(
      Accesses.callersOf(Function), [&](const CodePlace &Caller) {
        const auto *Call = dyn_cast_if_present<CallExpr>(Caller.Site);
        const Expr *Passed =
            Call && Caller.Function ? passedAt(*Call, Position) : nullptr;
        if (!Passed)
          return false;
        // What it was started with, or asked the system for: not a mere name.
        const Expr &Argument = *Passed;
        const VarDecl *Local = variableOf(Argument);
        const Expr *Value = Local && !isa<ParmVarDecl>(Local) &&
                                    Local->hasInit() &&
                                    !Local->getInit()->isValueDependent()
                                ? Local->getInit()
                                : &Argument;
        return Kinds.isThreadIdentity(*Value) ||
               Starts.isThreadNumber(Argument, Caller.Function) ||
               (Value != &Argument && isAskedFor(*Value, *Caller.Function));
      });
}

bool IndexOrigin::isHandedOver(const ParmVarDecl &Parameter,
                               const FunctionDecl &Function) const {
  auto IsCounted = [](const VarDecl &Local, const FunctionDecl &Owner) {
    return !assignmentsOf(Local, Owner).empty();
  };
  unsigned Position = Parameter.getFunctionScopeIndex();
  return !IsCounted(Parameter, Function) &&
         llvm::none_of(
             Accesses.callersOf(Function), [&](const CodePlace &Caller) {
               const auto *Call = dyn_cast_if_present<CallExpr>(Caller.Site);
               const Expr *Given = Call && Caller.Function
                                       ? passedAt(*Call, Position)
                                       : nullptr;
               if (!Given)
                 return false;
               const Expr &Argument = *Given;
               const VarDecl *Passed = variableOf(Argument);
               return isCursor(Argument, 0) ||
                      isa<IntegerLiteral>(Argument.IgnoreParenCasts()) ||
                      (Passed && Passed->hasLocalStorage() &&
                       IsCounted(*Passed, *Caller.Function));
             });
}

bool IndexOrigin::isNamedThreadNumber(const ParmVarDecl &Parameter,
                                      const FunctionDecl &Function) const {
  return soundsLikeThreadNumber(Parameter.getName()) &&
         isHandedOver(Parameter, Function);
}

bool IndexOrigin::isSlotNumber(const Expr &Index,
                               const FunctionDecl &Function) const {
  if (isOwnersNumber(Index))
    return true;
  const auto *Parameter = dyn_cast_if_present<ParmVarDecl>(variableOf(Index));
  return Parameter && Parameter->getType()->isIntegerType() &&
         !Parameter->getType()->isEnumeralType() &&
         Parameter->getDeclContext() == &Function &&
         isHandedOver(*Parameter, Function);
}

bool IndexOrigin::isNamedThreadNumber(const MemberExpr &Member) const {
  if (!soundsLikeThreadNumber(Member.getMemberDecl()->getName()))
    return false;
  // Of one object, not of each in turn.
  const Expr *Base = Member.getBase()->IgnoreParenCasts();
  while (const auto *Outer = dyn_cast<MemberExpr>(Base))
    Base = Outer->getBase()->IgnoreParenCasts();
  const VarDecl *Owner = variableOf(*Base);
  return isa<CXXThisExpr>(Base) || (Owner && isa<ParmVarDecl>(Owner));
}

/// pool.currentThreadIndex(): the caller's own, whoever is asked.
static bool asksForOwn(llvm::StringRef Name) {
  return llvm::any_of(wordsOf(Name), [](llvm::StringRef Word) {
    return WordSwitch<bool>(Word)
        .Cases({"my", "own", "self", "this", "cur", "curr", "current"}, true)
        .Default(false);
  });
}

/// lib_get_tid(), omp_my_thread: what a library puts before all its names, and
/// a verb of asking behind it.
static bool soundsLikeNumberOfLibrary(llvm::StringRef Name) {
  const auto [Library, Rest] = Name.split('_');
  return !Library.empty() &&
         WordSwitch<bool>(Rest.split('_').first)
             .Cases({"get", "my", "current", "this", "self", "own"}, true)
             .Default(false) &&
         soundsLikeThreadNumber(Rest);
}

/// get_thread_id(), CurrentCpu(), whose body nobody here sees: no object is
/// asked, so it is the caller's own.
static bool givesThreadNumber(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const auto *Method = dyn_cast_if_present<CXXMethodDecl>(Callee);
  return Callee && Callee->getIdentifier() && Callee->param_empty() &&
         (soundsLikeThreadNumber(Callee->getName()) ||
          soundsLikeNumberOfLibrary(Callee->getName())) &&
         !(Method && Method->isInstance() && !asksForOwn(Callee->getName()));
}

/// What a thread carries with it; a job or a packet may be another thread's.
static bool isThreadState(const VarDecl &Owner) {
  auto SaysState = [](llvm::StringRef Name) {
    return llvm::any_of(wordsOf(Name), [](llvm::StringRef Word) {
      return WordSwitch<bool>(Word)
          .Cases({"state", "context", "ctx", "worker", "thread", "self", "env"},
                 true)
          .Default(false);
    });
  };
  QualType Type = Owner.getType().getNonReferenceType();
  if (Type->isPointerType())
    Type = Type->getPointeeType();
  const RecordDecl *Record = Type->getAsRecordDecl();
  return SaysState(Owner.getName()) ||
         (Record && Record->getIdentifier() && SaysState(Record->getName()));
}

/// state.thread_index(), where state is handed in.
static bool saysThreadNumber(const CallExpr &Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  if (!Method || !Method->getIdentifier() || !Method->isConst() ||
      !Method->param_empty() || !soundsLikeThreadNumber(Method->getName()))
    return false;
  const VarDecl *Owner = variableOf(*Member->getImplicitObjectArgument());
  return Owner && isa<ParmVarDecl>(Owner) && isThreadState(*Owner);
}

bool IndexOrigin::isThreadNumber(const Expr &Index,
                                 const FunctionDecl *Function,
                                 unsigned Depth) const {
  if (Depth > MaxDepth || isCursor(Index, 0))
    return false;
  if (Kinds.isThreadIdentity(Index) || Starts.isThreadNumber(Index, Function))
    return true;
  const Expr *Inner = Index.IgnoreParenCasts();
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner))
    // words[id / 64]: many have that one.
    return !Binary->isComparisonOp() && !Binary->isLogicalOp() &&
           Binary->getOpcode() != BO_Div && Binary->getOpcode() != BO_Shr &&
           (isThreadNumber(*Binary->getLHS(), Function, Depth + 1) ||
            isThreadNumber(*Binary->getRHS(), Function, Depth + 1));
  if (const auto *Call = dyn_cast<CallExpr>(Inner))
    return Call->getType()->isIntegerType() &&
           (givesThreadNumber(*Call) || saysThreadNumber(*Call));
  if (const FieldDecl *Field = fieldOf(*Inner)) {
    const Expr *Object = cast<MemberExpr>(Inner)
                             ->getBase()
                             ->IgnoreUnlessSpelledInSource()
                             ->IgnoreParenCasts();
    if (const auto *Call = dyn_cast<CallExpr>(Object))
      return Field->getType()->isIntegerType() && givesThreadNumber(*Call);
    // What the thread's own argument says.
    return Field->getType()->isIntegerType() &&
           (isOwnObject(*Object, Function, Depth + 1) ||
            isNamedThreadNumber(*cast<MemberExpr>(Inner)));
  }
  const VarDecl *Var = variableOf(*Inner);
  if (!Var || !Function || !Var->hasLocalStorage() ||
      !Var->getType()->isIntegerType())
    return false;
  if (Accesses.isTurnOfThread(*Var, *Function))
    return true;
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(Var))
    return holdsForAll(Parameter, *Function,
                       [&](const Expr &Passed, const FunctionDecl *Caller) {
                         return isThreadNumber(Passed, Caller, Depth + 1);
                       }) ||
           isNamedThreadNumber(*Parameter, *Function);
  const bool IsConstant =
      Var->hasInit() && isa<IntegerLiteral>(Var->getInit()->IgnoreParenCasts());
  const bool IsInitialised = Var->hasInit() && !IsConstant;
  if (IsInitialised && (Var->getInit()->isValueDependent() ||
                        !isThreadNumber(*Var->getInit(), Function, Depth + 1)))
    return false;
  auto [Place, IsNew] = AssignedNumbers.try_emplace(Var, false);
  if (!IsNew)
    return Place->second;
  const auto Values = assignmentsOf(*Var, *Function);
  // Counted on from a thread's number, one by one: a position in the thread's
  // own part of something. Otherwise `int thread = 0;`, and the number where
  // there are threads.
  const bool Answer =
      IsInitialised
          ? llvm::none_of(Values,
                          [](const Expr *Value) {
                            const auto *Step = dyn_cast<UnaryOperator>(Value);
                            return Step && Step->isIncrementDecrementOp();
                          })
          : !Values.empty() && llvm::all_of(Values, [&](const Expr *Value) {
              return isThreadNumber(*Value, Function, Depth + 1);
            });
  return AssignedNumbers[Var] = Answer;
}

bool IndexOrigin::takesTurns(const Expr &Index,
                             const FunctionDecl &Function) const {
  const VarDecl *Var = variableOf(Index);
  return Var && Var->hasLocalStorage() && !isa<ParmVarDecl>(Var) &&
         Var->hasInit() && !Var->getInit()->isValueDependent() &&
         isThreadNumber(*Var->getInit(), &Function) &&
         !assignmentsOf(*Var, Function).empty();
}

bool IndexOrigin::isOwnersNumber(const Expr &Index) const {
  const Expr *Inner = Index.IgnoreParenCasts();
  const FieldDecl *Field = fieldOf(*Inner);
  if (!Field || !Field->getType()->isIntegerType() || Field->isBitField() ||
      !soundsLikeNumber(Field->getName()) || isCursor(*Inner, 0))
    return false;
  const Expr *Base = cast<MemberExpr>(Inner)->getBase()->IgnoreParenCasts();
  if (isa<CXXThisExpr>(Base))
    return true;
  const VarDecl *Owner = variableOf(*Base);
  return Owner && isa<ParmVarDecl>(Owner);
}

} // namespace linesman::tidy
