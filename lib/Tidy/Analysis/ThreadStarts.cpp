// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only starts inside loops count: a single thread has no neighbour of its kind.

#include "Analysis/ThreadStarts.h"
#include "Analysis/PlaceResolver.h"
#include "Analysis/WordSwitch.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

bool isThreadClass(QualType Type) {
  const auto *Class = Type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!Class || !Class->getIdentifier())
    return false;
  llvm::StringRef Name = Class->getName();
  return Name == "thread" || Name == "jthread" || Name == "Thread" ||
         Name == "QThread";
}

/// std::vector<std::thread> and its kin.
bool holdsThreads(QualType Type) {
  const auto *Special = dyn_cast_if_present<ClassTemplateSpecializationDecl>(
      Type.getNonReferenceType()->getAsCXXRecordDecl());
  return Special && Special->getTemplateArgs().size() != 0 &&
         Special->getTemplateArgs()[0].getKind() == TemplateArgument::Type &&
         isThreadClass(Special->getTemplateArgs()[0].getAsType());
}

const Expr *bare(const Expr *E) {
  for (;;) {
    const Expr *Inner = E->IgnoreParenCasts()->IgnoreUnlessSpelledInSource();
    if (const auto *Call = dyn_cast<CallExpr>(Inner))
      if (const FunctionDecl *Callee = Call->getDirectCallee();
          Callee && Callee->getIdentifier() &&
          (Callee->getName() == "ref" || Callee->getName() == "move") &&
          Call->getNumArgs() == 1) {
        E = Call->getArg(0);
        continue;
      }
    return Inner;
  }
}

/// Verbs for what is run later, by somebody else.
bool runsTasks(llvm::StringRef Name) {
  return WordSwitch<bool>(Name)
      .Cases({"async", "submit", "enqueue", "post", "spawn", "schedule",
              "dispatch", "defer", "launch"},
             true)
      .Cases({"Async", "Submit", "Enqueue", "Post", "Spawn", "Schedule",
              "Dispatch", "Launch"},
             true)
      .Cases({"submit_task", "enqueue_task", "push_task", "add_task", "addTask",
              "pushTask", "submitTask", "AddTask", "PushTask"},
             true)
      .Default(false);
}

const VarDecl *localVariable(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

} // namespace

ThreadStarts::ThreadStarts(const UnitAccesses &Accesses) : Accesses(Accesses) {
  for (const UnitAccesses::CallSite &Each : Accesses.calls()) {
    if (!Each.Loop)
      continue;
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(Each.Call)) {
      if (isThreadClass(Construct->getType()) &&
          !Construct->getConstructor()->isCopyOrMoveConstructor())
        readStart({Construct->getArgs(), Construct->getNumArgs()});
      continue;
    }
    const auto *Call = dyn_cast<CallExpr>(Each.Call);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee || !Callee->getIdentifier())
      continue;
    llvm::StringRef Name = Callee->getName();
    if (runsTasks(Name))
      readTask(*Call);
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
      if ((Name == "emplace_back" || Name == "push_back" ||
           Name == "emplace") &&
          holdsThreads(Member->getImplicitObjectArgument()->getType()))
        readStart({Call->getArgs(), Call->getNumArgs()});
    } else if ((Name == "pthread_create" && Call->getNumArgs() == 4) ||
               (Name == "uv_thread_create" && Call->getNumArgs() == 3) ||
               (Name == "thrd_create" && Call->getNumArgs() == 3)) {
      unsigned Entry = Name == "pthread_create" ? 2 : 1;
      readStart({Call->getArgs() + Entry, 2});
    }
  }
}

void ThreadStarts::readTask(const CallExpr &Call) {
  for (const Expr *Argument : Call.arguments())
    if (const auto *Lambda = dyn_cast<LambdaExpr>(bare(Argument))) {
      StartedLambdas.insert(Lambda->getCallOperator());
      TaskLambdas.insert(Lambda->getCallOperator());
    }
}

void ThreadStarts::readStart(llvm::ArrayRef<const Expr *> Arguments) {
  if (Arguments.empty())
    return;
  const FunctionDecl *Entry = nullptr;
  const Expr *First = bare(Arguments.front());
  if (const auto *Unary = dyn_cast<UnaryOperator>(First))
    First = Unary->getSubExpr()->IgnoreParenCasts();
  if (const auto *Lambda = dyn_cast<LambdaExpr>(First)) {
    Entry = Lambda->getCallOperator();
    StartedLambdas.insert(Entry);
  } else if (const auto *Ref = dyn_cast<DeclRefExpr>(First)) {
    Entry = dyn_cast<FunctionDecl>(Ref->getDecl());
  }
  const FunctionDecl *Definition = nullptr;
  if (Entry && Entry->getBody(Definition))
    Entry = Definition;

  PlaceResolver Resolver;
  for (unsigned I = 1; I != Arguments.size(); ++I) {
    const Expr *Argument = bare(Arguments[I]);
    Place Object = Argument->getType()->isPointerType()
                       ? Resolver.ofPointee(*Argument)
                       : Resolver.ofObject(*Argument);
    // `slots[i]` by value is the thread's own copy; by std::ref or & it is not.
    bool IsHanded = Argument->getType()->isPointerType() ||
                    (Argument->isLValue() && Object.Index &&
                     isa<CallExpr>(Arguments[I]->IgnoreImplicit()));
    if (IsHanded && Object.Index && Object.Array)
      Handed.push_back({Arguments[I]->IgnoreImplicit(), Object,
                        Entry && I - 1 < Entry->getNumParams()
                            ? Entry->getParamDecl(I - 1)
                            : nullptr});
    if (Entry && I - 1 < Entry->getNumParams() &&
        Entry->getParamDecl(I - 1)->getType()->isPointerType() &&
        (Object.Index || !Object.Root))
      PointerParameters.insert(Entry->getParamDecl(I - 1));
    const VarDecl *Number = localVariable(Argument);
    if (Number && Number->getType()->isIntegerType() && Entry &&
        I - 1 < Entry->getNumParams())
      NumberParameters.insert(Entry->getParamDecl(I - 1));
  }
}

bool ThreadStarts::isThreadNumber(const Expr &Index,
                                  const FunctionDecl *Function) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(Index.IgnoreParenCasts());
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  // `long id = (long)argument;`
  while (Var && !isa<ParmVarDecl>(Var) && Var->hasLocalStorage() &&
         Var->hasInit() && localVariable(Var->getInit()))
    Var = localVariable(Var->getInit());
  if (!Var)
    return false;
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(Var))
    return NumberParameters.contains(Parameter);
  // By copy: by reference, the loop would have moved on.
  return Function && StartedLambdas.contains(Function) &&
         Ref->refersToEnclosingVariableOrCapture() &&
         Var->getType()->isIntegerType();
}

bool ThreadStarts::isOwnArgument(const VarDecl &Pointer,
                                 const FunctionDecl &Function) const {
  const VarDecl *Var = &Pointer;
  // `struct job *j = argument;`
  while (Var && !isa<ParmVarDecl>(Var) && Var->hasLocalStorage() &&
         Var->hasInit())
    Var = localVariable(Var->getInit());
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
        const Access &Each = Accesses.all()[Index];
        if (Each.writes() && !Each.IsConstruction &&
            (Each.Loop || Each.Kind != AccessKind::Write) &&
            // Filled in before the start, by whoever starts.
            !Each.Object.Array && Each.Object.Root == nullptr)
          return true;
      }
    return false;
  }
  if (!Element.Parameter)
    return false;
  const auto *Function =
      cast<FunctionDecl>(Element.Parameter->getDeclContext());
  return llvm::any_of(Accesses.in(*Function), [&](unsigned Index) {
    const Access &Each = Accesses.all()[Index];
    return Each.writes() && (Each.Loop || Each.Kind != AccessKind::Write) &&
           !Each.Object.Root && Each.Object.Path.empty() &&
           Each.Object.Base == Element.Parameter;
  });
}

} // namespace linesman::tidy
