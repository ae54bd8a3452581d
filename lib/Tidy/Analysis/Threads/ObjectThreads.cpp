// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Threads/ObjectThreads.h"
#include "Analysis/Code/GivenFunctions.h"
#include "Analysis/Threads/StartCalls.h"
#include "Analysis/Threads/ThreadStarts.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

bool isThis(const Expr &E) {
  return isa<CXXThisExpr>(bareArgument(E).IgnoreParenCasts());
}

/// The call operator of a lambda that has the object of the method around it.
bool capturesThis(const FunctionDecl &Function) {
  const auto *Operator = dyn_cast<CXXMethodDecl>(&Function);
  const CXXRecordDecl *Closure = Operator ? Operator->getParent() : nullptr;
  return Closure && Closure->isLambda() &&
         llvm::any_of(Closure->captures(), [](const LambdaCapture &Capture) {
           return Capture.getCaptureKind() == LCK_This;
         });
}

/// The method of `&Search::run, this`, also inside of std::bind.
const FunctionDecl *methodWithThis(llvm::ArrayRef<const Expr *> Arguments) {
  if (Arguments.size() == 1)
    if (const auto *Bind = dyn_cast<CallExpr>(&bareArgument(*Arguments[0])))
      Arguments = {Bind->getArgs(), Bind->getNumArgs()};
  if (Arguments.size() < 2 || !isThis(*Arguments[1]))
    return nullptr;
  const auto *Address = dyn_cast<UnaryOperator>(&bareArgument(*Arguments[0]));
  const auto *Ref =
      Address && Address->getOpcode() == UO_AddrOf
          ? dyn_cast<DeclRefExpr>(Address->getSubExpr()->IgnoreParens())
          : nullptr;
  return Ref ? dyn_cast<CXXMethodDecl>(Ref->getDecl()) : nullptr;
}

} // namespace

ObjectThreads::ObjectThreads(const UnitAccesses &Accesses,
                             const ThreadStarts &Starts) {
  llvm::SmallVector<const FunctionDecl *, 8> Waiting;
  auto Add = [&](const FunctionDecl &Function, bool IsInLoop) {
    auto [Place, IsNew] =
        Repeated.try_emplace(Function.getCanonicalDecl(), IsInLoop);
    if (IsNew || (IsInLoop && !Place->second)) {
      Place->second |= IsInLoop;
      Waiting.push_back(Function.getCanonicalDecl());
    }
  };
  for (const FunctionDecl *Function : Accesses.functions())
    if (Starts.isStarted(Function) && capturesThis(*Function))
      Add(*Function, /*IsInLoop=*/false);
  for (const UnitAccesses::CallSite &Site : Accesses.calls())
    if (Site.Loop)
      if (const FunctionDecl *Method = methodWithThis(startedWith(*Site.Call)))
        Add(*Method, /*IsInLoop=*/false);
  if (Waiting.empty())
    return;

  // Who calls whom for the same object.
  struct OwnCall {
    const FunctionDecl *Callee;
    bool IsInLoop;
  };
  llvm::DenseMap<const FunctionDecl *, llvm::SmallVector<OwnCall, 2>> Calls;
  for (const UnitAccesses::CallSite &Site : Accesses.calls())
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(Site.Call);
        Call && Site.Function && !Site.IsRare && Call->getMethodDecl() &&
        isThis(*Call->getImplicitObjectArgument()))
      Calls[Site.Function->getCanonicalDecl()].push_back(
          {Call->getMethodDecl(), Site.Loop != nullptr});
  while (!Waiting.empty()) {
    const FunctionDecl *Caller = Waiting.pop_back_val();
    const bool IsInLoop = Repeated.lookup(Caller);
    for (const OwnCall &Call : Calls.lookup(Caller))
      Add(*Call.Callee, IsInLoop || Call.IsInLoop);
  }
}

} // namespace linesman::tidy
