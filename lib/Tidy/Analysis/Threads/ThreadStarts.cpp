// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is handed over counts inside loops only.

#include "Analysis/Threads/ThreadStarts.h"
#include "Analysis/Accesses/LambdaRuns.h"
#include "Analysis/Accesses/PlaceResolver.h"
#include "Analysis/Code/LocalValues.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Names/WordSwitch.h"
#include "Analysis/Threads/StartCalls.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// Verbs for what is run later, by somebody else.
bool runsTasks(llvm::StringRef Name) {
  return WordSwitch<bool>(Name)
      .Cases({"async", "submit", "enqueue", "post", "spawn", "schedule",
              "dispatch", "defer", "launch", "execute"},
             true)
      .Cases({"Async", "Submit", "Enqueue", "Post", "Spawn", "Schedule",
              "Dispatch", "Launch", "Execute"},
             true)
      .Cases({"submit_task", "enqueue_task", "push_task", "add_task", "addTask",
              "pushTask", "submitTask", "AddTask", "PushTask"},
             true)
      .Default(false);
}

bool isFuture(QualType Type) {
  const auto *Class = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() &&
         WordSwitch<bool>(Class->getName())
             .Cases({"future", "shared_future", "Future"}, true)
             .Default(false);
}

/// `pool->invoke(f)`: who gives a future for its result runs f elsewhere. What
/// a future itself is given (`then(f)`) waits for it.
bool givesFuture(const CallExpr &Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  return isFuture(Call.getType()) &&
         !(Member && isFuture(Member->getObjectType()));
}

/// p of `*(int *)p` and `((int *)p)[0]`.
const VarDecl *pointerRead(const Expr &E) {
  const Expr *Inner = E.IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
      Unary && Unary->getOpcode() == UO_Deref)
    return variableOf(*Unary->getSubExpr());
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Inner))
    if (const auto *First =
            dyn_cast<IntegerLiteral>(Subscript->getIdx()->IgnoreParenCasts());
        First && First->getValue() == 0)
      return variableOf(*Subscript->getBase());
  return nullptr;
}

const VarDecl *firstVariable(const Stmt *S) {
  if (const auto *Ref = dyn_cast_if_present<DeclRefExpr>(S))
    return dyn_cast<VarDecl>(Ref->getDecl());
  const VarDecl *Found = nullptr;
  if (S)
    for (const Stmt *Child : S->children())
      if (!Found)
        Found = firstVariable(Child);
  return Found;
}

} // namespace

const Expr *rangeOf(const VarDecl &Variable) {
  if (!Variable.isCXXForRangeDecl())
    return nullptr;
  // The iterator, what it begins at, and what that was bound to.
  const VarDecl *Begin = firstVariable(Variable.getInit());
  const VarDecl *Range = Begin ? firstVariable(Begin->getInit()) : nullptr;
  return Range && Range->getType()->isReferenceType() ? Range->getInit()
                                                      : nullptr;
}

bool isContiguous(QualType Type) {
  if (Type.getNonReferenceType()->isArrayType())
    return true;
  const auto *Class = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() && Class->isInStdNamespace() &&
         WordSwitch<bool>(Class->getName())
             .Cases({"vector", "array", "span"}, true)
             .Default(false);
}

ThreadStarts::ThreadStarts(const UnitAccesses &Accesses) : Accesses(Accesses) {
  for (const UnitAccesses::CallSite &Site : Accesses.calls()) {
    llvm::ArrayRef<const Expr *> Arguments = startedWith(*Site.Call);
    if (!Arguments.empty() && Site.Function) {
      Starters.insert(Site.Function->getCanonicalDecl());
      if (const FunctionDecl *Entry = entryOf(*Arguments.front())) {
        Entries.push_back(Entry->getCanonicalDecl());
        if (Site.Loop)
          LoopEntries.insert(Entry->getCanonicalDecl());
      }
    }
    if (const auto *Call = dyn_cast<CallExpr>(Site.Call);
        Call && runsInParallel(*Call))
      for (const Expr *Argument : Call->arguments())
        if (const FunctionDecl *Turn = entryOf(*Argument); isLambda(Turn))
          TurnLambdas.insert(Turn);
    // A single thread has no neighbour of its kind.
    if (!Site.Loop)
      continue;
    readStart(Arguments, Site);
    if (const FunctionDecl *Callee = namedCallee(*Site.Call);
        Callee && (runsTasks(Callee->getName()) ||
                   givesFuture(*cast<CallExpr>(Site.Call))))
      readTask(*cast<CallExpr>(Site.Call), *Site.Loop);
  }
  readRun();
}

void ThreadStarts::readRun() {
  for (const UnitAccesses::CallSite &Site : Accesses.calls()) {
    const auto *Call = dyn_cast<CallExpr>(Site.Call);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (isLambda(Callee) && StartedLambdas.contains(Site.Function) &&
        Callee->getDeclContext()->getParent() != Site.Function)
      RunLambdas.insert(Callee);
  }
}

void ThreadStarts::readTask(const CallExpr &Call, const Stmt &Loop) {
  for (const Expr *Argument : Call.arguments())
    if (const auto *Lambda = lambdaOf(bareArgument(*Argument))) {
      readLambda(*Lambda, Loop);
      TaskLambdas.insert(Lambda->getCallOperator());
    }
}

void ThreadStarts::readLambda(const LambdaExpr &Lambda, const Stmt &Loop) {
  StartedLambdas.insert(Lambda.getCallOperator());
  const SourceManager &Sources = Accesses.unit().getSourceManager();
  if (!Sources.isBeforeInTranslationUnit(Lambda.getBeginLoc(),
                                         Loop.getBeginLoc()))
    TurnsLambdas.insert(Lambda.getCallOperator());
  readCaptures(Lambda);
}

void ThreadStarts::readCaptures(const LambdaExpr &Lambda) {
  for (const LambdaCapture &Capture : Lambda.captures())
    if (Capture.capturesVariable() && Capture.getCaptureKind() == LCK_ByRef)
      if (const auto *Var = dyn_cast<VarDecl>(Capture.getCapturedVar()))
        readEach(*Var, Lambda);
}

void ThreadStarts::readEach(const VarDecl &Variable, const Expr &Argument) {
  const Expr *Container =
      Variable.getType()->isLValueReferenceType() ? rangeOf(Variable) : nullptr;
  if (!Container || !isContiguous(Container->getType()))
    return;
  Place Object = PlaceResolver().ofObject(*Container);
  const ValueDecl *Name = Object.Path.empty()
                              ? (Object.Root ? Object.Root : Object.Base)
                              : static_cast<const ValueDecl *>(Object.field());
  if (!Name)
    return;
  Object.OuterElements.clear();
  Object.Array = Name;
  Object.Index = Container;
  Object.ElementType = Variable.getType().getNonReferenceType();
  Handed.push_back({&Argument, Object, nullptr});
}

/// `each = slots + i;`, then each: what it was given, and nothing else.
static const Expr *valueOfPointer(const Expr *Argument,
                                  const FunctionDecl *Function) {
  const VarDecl *Local = variableOf(*Argument);
  if (!Local || !Function || !Local->hasLocalStorage() ||
      isa<ParmVarDecl>(Local) || !Local->getType()->isPointerType())
    return Argument;
  auto Values = valuesOf(*Local, *Function);
  if (Local->hasInit())
    Values.append(assignmentsOf(*Local, *Function));
  // for (each = &slots[0]; ...; each++)
  if (Values.size() == 2) {
    auto IsStep = [](const Expr *Value) {
      const auto *Unary = dyn_cast<UnaryOperator>(Value->IgnoreParenCasts());
      return Unary && Unary->isIncrementDecrementOp();
    };
    if (IsStep(Values.front()))
      std::swap(Values.front(), Values.back());
    if (IsStep(Values.back()))
      Values.pop_back();
  }
  return Values.size() == 1 && Values.front()->getType()->isPointerType() &&
                 !isa<CXXNewExpr>(Values.front()->IgnoreParenCasts())
             ? &bareArgument(*Values.front())
             : Argument;
}

/// The arguments of std::bind(work, i), which stand for what is started.
static llvm::ArrayRef<const Expr *>
boundArguments(llvm::ArrayRef<const Expr *> Arguments) {
  const auto *Call = dyn_cast<CallExpr>(&bareArgument(*Arguments.front()));
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() && Callee->getName() == "bind"
             ? llvm::ArrayRef<const Expr *>(Call->getArgs(), Call->getNumArgs())
             : Arguments;
}

void ThreadStarts::readStart(llvm::ArrayRef<const Expr *> Arguments,
                             const UnitAccesses::CallSite &Site) {
  if (Arguments.empty())
    return;
  Arguments = boundArguments(Arguments);
  const FunctionDecl *Entry = nullptr;
  const Expr *First = &bareArgument(*Arguments.front());
  if (const auto *Unary = dyn_cast<UnaryOperator>(First))
    First = Unary->getSubExpr()->IgnoreParenCasts();
  const LambdaExpr *Lambda = lambdaOf(*First);
  if (Lambda) {
    Entry = Lambda->getCallOperator();
    readLambda(*Lambda, *Site.Loop);
  } else if (const auto *Ref = dyn_cast<DeclRefExpr>(First)) {
    Entry = dyn_cast<FunctionDecl>(Ref->getDecl());
  }
  const FunctionDecl *Definition = nullptr;
  if (Entry && Entry->getBody(Definition))
    Entry = Definition;

  // &Pool::run, this: the object comes before the parameters.
  const auto *Method = dyn_cast_if_present<CXXMethodDecl>(Entry);
  const unsigned FirstParameter =
      Method && Method->isInstance() && !Lambda ? 2 : 1;
  auto ParameterAt = [&](unsigned I) -> const ParmVarDecl * {
    return Entry && I >= FirstParameter &&
                   I - FirstParameter < Entry->getNumParams()
               ? Entry->getParamDecl(I - FirstParameter)
               : nullptr;
  };

  PlaceResolver Resolver;
  for (unsigned I = 1; I < Arguments.size(); ++I) {
    const Expr *Argument =
        valueOfPointer(&bareArgument(*Arguments[I]), Site.Function);
    Place Object = Argument->getType()->isPointerType()
                       ? Resolver.ofPointee(*Argument)
                       : Resolver.ofObject(*Argument);
    // `slots[i]` by value is the thread's own copy; by std::ref or & it is not.
    bool IsHanded = Argument->getType()->isPointerType() ||
                    (Argument->isLValue() && Object.Index &&
                     isa<CallExpr>(Arguments[I]->IgnoreImplicit()));
    if (IsHanded && Object.Index && Object.Array)
      Handed.push_back(
          {Arguments[I]->IgnoreImplicit(), Object, ParameterAt(I)});
    if (const ParmVarDecl *Parameter = ParameterAt(I);
        Parameter && Parameter->getType()->isPointerType() &&
        (Object.Index || !Object.Root))
      PointerParameters.insert(Parameter);
    // std::ref(each), &each
    const auto *Address = dyn_cast<UnaryOperator>(Argument);
    if (const VarDecl *Variable =
            variableOf(Address && Address->getOpcode() == UO_AddrOf
                           ? *Address->getSubExpr()
                           : *Argument);
        Variable && (Address || isa<CallExpr>(Arguments[I]->IgnoreImplicit())))
      readEach(*Variable, *Arguments[I]->IgnoreImplicit());
    const VarDecl *Number = variableOf(*Argument);
    if (Number && Number->getType()->isIntegerType() && ParameterAt(I))
      NumberParameters.insert(ParameterAt(I));
  }
}

bool ThreadStarts::isThreadNumber(const Expr &Index,
                                  const FunctionDecl *Function) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(Index.IgnoreParenCasts());
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  // `long id = (long)argument;`
  while (Var && !isa<ParmVarDecl>(Var) && Var->hasLocalStorage() &&
         Var->hasInit() && variableOf(*Var->getInit()))
    Var = variableOf(*Var->getInit());
  // `int id = *(int *)argument;`
  const Expr *Value = !Var ? &Index
                      : Var->hasLocalStorage() && Var->hasInit()
                          ? Var->getInit()
                          : nullptr;
  if (const VarDecl *Pointer = Value ? pointerRead(*Value) : nullptr)
    return Function && Index.getType()->isIntegerType() &&
           isOwnArgument(*Pointer, *Function);
  if (!Var)
    return false;
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(Var))
    return NumberParameters.contains(Parameter);
  // By copy: by reference, the loop would have moved on.
  return Function && TurnsLambdas.contains(Function) &&
         Ref->refersToEnclosingVariableOrCapture() &&
         Var->getType()->isIntegerType();
}

bool ThreadStarts::isOwnArgument(const VarDecl &Pointer,
                                 const FunctionDecl &Function) const {
  const VarDecl *Var = &Pointer;
  // `struct job *j = argument;`
  while (Var && !isa<ParmVarDecl>(Var) && Var->hasLocalStorage() &&
         Var->hasInit())
    Var = variableOf(*Var->getInit());
  const auto *Parameter = dyn_cast_if_present<ParmVarDecl>(Var);
  return Parameter && PointerParameters.contains(Parameter) &&
         Parameter->getDeclContext() == &Function;
}

bool ThreadStarts::isWrittenByThreads(const HandedElement &Element) const {
  if (const auto *Record = Element.Object.ElementType->getAsRecordDecl()) {
    if (!Record->getDefinition())
      return false;
    for (const FieldDecl *Field : Record->getDefinition()->fields())
      for (unsigned Index : Accesses.of(*Field)) {
        const Access &Use = Accesses.all()[Index];
        if (Use.writes() && !Use.IsConstruction &&
            (Use.Loop || Use.Kind != AccessKind::Write) &&
            // Filled in before the start, by whoever starts. An array that is
            // a part of the record is the thread's, too.
            (!Use.Object.Array || (Use.Object.Array == Field &&
                                   Field->getType()->isConstantArrayType())) &&
            Use.Object.Root == nullptr &&
            !(Use.Function && startsThreads(*Use.Function)))
          return true;
      }
    return false;
  }
  if (!Element.Parameter)
    return false;
  const auto *Function =
      cast<FunctionDecl>(Element.Parameter->getDeclContext());
  return llvm::any_of(Accesses.in(*Function), [&](unsigned Index) {
    const Access &Use = Accesses.all()[Index];
    return Use.writes() && (Use.Loop || Use.Kind != AccessKind::Write) &&
           !Use.Object.Root && Use.Object.Path.empty() &&
           Use.Object.Base == Element.Parameter;
  });
}

bool knowsThreads(const UnitAccesses &All, const TypeKinds &Kinds,
                  const ThreadStarts &Starts) {
  return All.hasAtomics() || !Starts.entries().empty() ||
         llvm::any_of(All.all(), [&](const Access &Use) {
           const ValueDecl *Named = Use.Object.name();
           return Use.IsInRegion ||
                  (Named && Kinds.isSynchronization(Named->getType()));
         });
}

} // namespace linesman::tidy
