// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Threads/StartCalls.h"
#include "Analysis/Code/VisibleBody.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

const FunctionDecl *namedCallee(const Expr &Call) {
  const auto *Plain = dyn_cast<CallExpr>(&Call);
  const FunctionDecl *Callee = Plain ? Plain->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() ? Callee : nullptr;
}

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

/// "pool_thread_create", "StartThread"; not "thread_pool_create", which makes
/// something else.
bool soundsLikeStart(llvm::StringRef Name) {
  bool NamesThread = false, Starts = false;
  for (llvm::StringRef Word : wordsOf(Name)) {
    NamesThread |= WordSwitch<bool>(Word)
                       .Cases({"thread", "pthread", "thr", "thrd"}, true)
                       .Default(false);
    Starts |=
        WordSwitch<bool>(Word)
            .Cases({"create", "start", "spawn", "launch", "new", "run"}, true)
            .Default(false);
    if (WordSwitch<bool>(Word)
            .Cases({"key", "specific", "local", "attr", "pool", "exit", "once"},
                   true)
            .Default(false) &&
        NamesThread)
      return false;
  }
  return NamesThread && Starts;
}

/// A function that takes a pointer and nothing else, and what it is given right
/// behind it.
std::optional<unsigned> entryParameter(const FunctionDecl &Callee) {
  if (!soundsLikeStart(Callee.getName()))
    return std::nullopt;
  for (unsigned I = 0; I + 1 < Callee.getNumParams(); ++I) {
    QualType Type = Callee.getParamDecl(I)->getType();
    if (!Type->isFunctionPointerType())
      continue;
    const auto *Entry = Type->getPointeeType()->getAs<FunctionProtoType>();
    if (Entry && Entry->getNumParams() == 1 &&
        Entry->getParamType(0)->isPointerType() &&
        Callee.getParamDecl(I + 1)->getType()->isVoidPointerType())
      return I;
  }
  return std::nullopt;
}

/// The function of a std::async and what it is given; nothing of one that waits
/// until somebody asks for its result.
llvm::ArrayRef<const Expr *> startedByAsync(llvm::ArrayRef<const Expr *> All) {
  if (All.empty() || !All[0]->getType()->isEnumeralType())
    return All;
  const auto *Policy = dyn_cast<DeclRefExpr>(All[0]->IgnoreParenImpCasts());
  if (const auto *Named =
          Policy ? dyn_cast<EnumConstantDecl>(Policy->getDecl()) : nullptr;
      Named && Named->getName() == "deferred")
    return {};
  return All.drop_front();
}

/// A thread class, the systems' functions, and a project's own that are named
/// for it.
llvm::ArrayRef<const Expr *> startedByName(const Expr &Call) {
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(&Call)) {
    if (isThreadClass(Construct->getType()) &&
        !Construct->getConstructor()->isCopyOrMoveConstructor())
      return {Construct->getArgs(), Construct->getNumArgs()};
    return {};
  }
  const FunctionDecl *Callee = namedCallee(Call);
  if (!Callee)
    return {};
  llvm::StringRef Name = Callee->getName();
  const auto &Plain = cast<CallExpr>(Call);
  llvm::ArrayRef<const Expr *> All(Plain.getArgs(), Plain.getNumArgs());
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
    return (Name == "emplace_back" || Name == "push_back" ||
            Name == "emplace") &&
                   holdsThreads(Member->getImplicitObjectArgument()->getType())
               ? All
               : llvm::ArrayRef<const Expr *>();
  if (Name == "async" && Callee->isInStdNamespace())
    return startedByAsync(All);
  if (Name == "pthread_create" && All.size() == 4)
    return All.drop_front(2);
  if ((Name == "uv_thread_create" || Name == "thrd_create") && All.size() == 3)
    return All.drop_front();
  if (std::optional<unsigned> Entry = entryParameter(*Callee);
      Entry && *Entry + 1 < All.size())
    return All.slice(*Entry, 2);
  return {};
}

/// The first of the two arguments that \p Callee, whose body is visible, hands
/// on to a call that starts a thread: the function, and what it is given.
std::optional<unsigned> forwardedEntry(const FunctionDecl &Callee) {
  const FunctionDecl *Definition = nullptr;
  if (!visibleBody(Callee, Definition) ||
      llvm::none_of(Definition->parameters(), [](const ParmVarDecl *Parameter) {
        return Parameter->getType()->isFunctionPointerType();
      }))
    return std::nullopt;
  auto ParameterGiven = [&](const Expr &Argument) -> std::optional<unsigned> {
    const auto *Ref = dyn_cast<DeclRefExpr>(Argument.IgnoreParenCasts());
    const auto *Parameter =
        Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
    return Parameter && Parameter->getDeclContext() == Definition
               ? std::optional(Parameter->getFunctionScopeIndex())
               : std::nullopt;
  };
  auto Find = [&](auto &Self, const Stmt &S) -> std::optional<unsigned> {
    if (const auto *Call = dyn_cast<CallExpr>(&S);
        Call && Call->getDirectCallee() != &Callee)
      if (auto Given = startedByName(*Call); Given.size() == 2) {
        auto Entry = ParameterGiven(*Given[0]),
             Data = ParameterGiven(*Given[1]);
        if (Entry && Data && *Data == *Entry + 1)
          return Entry;
      }
    for (const Stmt *Child : S.children())
      if (Child)
        if (auto Entry = Self(Self, *Child))
          return Entry;
    return std::nullopt;
  };
  return Find(Find, *Definition->getBody());
}

} // namespace

llvm::ArrayRef<const Expr *> startedWith(const Expr &Call) {
  if (auto Given = startedByName(Call); !Given.empty())
    return Given;
  const FunctionDecl *Callee = namedCallee(Call);
  const auto *Plain = dyn_cast<CallExpr>(&Call);
  if (!Callee || isa<CXXMemberCallExpr>(Plain))
    return {};
  std::optional<unsigned> Entry = forwardedEntry(*Callee);
  return Entry && *Entry + 1 < Plain->getNumArgs()
             ? llvm::ArrayRef<const Expr *>(Plain->getArgs(),
                                            Plain->getNumArgs())
                   .slice(*Entry, 2)
             : llvm::ArrayRef<const Expr *>();
}

/// "parallel_for", "ParallelForEach", "parallel_reduce", "parallel_nd": of any
/// library, or the project's own.
static bool soundsLikeParallelLoop(llvm::StringRef Name) {
  bool IsParallel = false, IsLoop = false;
  for (llvm::StringRef Word : wordsOf(Name)) {
    IsParallel |= Word == "parallel";
    IsLoop |= WordSwitch<bool>(Word)
                  .Cases({"for", "foreach", "each", "reduce", "nd"}, true)
                  .Default(false);
  }
  return IsParallel && IsLoop;
}

/// std::execution::par and par_unseq; seq and unseq have one thread.
static bool isParallelPolicy(QualType Type) {
  const auto *Class = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() &&
         (Class->getName() == "parallel_policy" ||
          Class->getName() == "parallel_unsequenced_policy");
}

bool runsInParallel(const CallExpr &Call) {
  const FunctionDecl *Callee = namedCallee(Call);
  if (!Callee)
    return false;
  return soundsLikeParallelLoop(Callee->getName()) ||
         (Callee->isInStdNamespace() && Call.getNumArgs() > 2 &&
          isParallelPolicy(Call.getArg(0)->getType()));
}

} // namespace linesman::tidy
