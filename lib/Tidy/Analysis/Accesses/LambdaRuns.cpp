// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the unit's calls, once: who calls a lambda, and who is handed one.

#include "Analysis/Accesses/LambdaRuns.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

bool isInStandardNamespace(const Decl &Declaration) {
  for (const DeclContext *Context = Declaration.getDeclContext(); Context;
       Context = Context->getParent())
    if (Context->isStdNamespace())
      return true;
  return false;
}

/// What runs the function that it is handed before it returns, each time: also
/// std::ranges::for_each, which is an object. (Not call_once, async, bind.)
bool isAlgorithm(const CallExpr &Call) {
  const NamedDecl *Named = Call.getDirectCallee();
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call);
      Operator && Operator->getOperator() == OO_Call)
    if (const auto *Object =
            dyn_cast<DeclRefExpr>(Operator->getArg(0)->IgnoreParenImpCasts()))
      Named = Object->getDecl();
  if (!Named || !Named->getIdentifier() || !isInStandardNamespace(*Named))
    return false;
  return WordSwitch<bool>(Named->getName())
      .Cases({"for_each", "for_each_n", "transform", "generate", "generate_n"},
             true)
      .Cases({"accumulate", "reduce", "transform_reduce", "inner_product"},
             true)
      .Cases({"any_of", "all_of", "none_of", "find_if", "find_if_not",
              "count_if", "copy_if", "remove_if", "erase_if", "replace_if"},
             true)
      .Cases({"partition", "stable_partition", "sort", "stable_sort",
              "min_element", "max_element", "lower_bound", "upper_bound"},
             true)
      .Cases({"invoke", "apply", "visit"}, true)
      .Default(false);
}

} // namespace

bool isLambda(const FunctionDecl *Function) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Function);
  return Method && Method->getParent()->isLambda();
}

LambdaRuns::LambdaRuns(const UnitAccesses &Accesses) {
  for (const UnitAccesses::CallSite &Site : Accesses.calls())
    if (Site.Function)
      readArguments(Site, Accesses);
}

void LambdaRuns::readArguments(const UnitAccesses::CallSite &Site,
                               const UnitAccesses &Accesses) {
  const auto *Call = dyn_cast<CallExpr>(Site.Call);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee)
    return;
  // Elsewhere, its parameters are another function's.
  if (isLambda(Callee) &&
      cast<CXXMethodDecl>(Callee)->getParent()->getDeclContext() ==
          Site.Function)
    Places.try_emplace(Callee->getCanonicalDecl(),
                       CodePlace{Site.Function, Call});
  for (const Expr *Argument : Call->arguments()) {
    const auto *Lambda =
        dyn_cast<LambdaExpr>(Argument->IgnoreUnlessSpelledInSource());
    if (!Lambda || !Lambda->getCallOperator())
      continue;
    const FunctionDecl *Operator = Lambda->getCallOperator();
    auto IsCallee = [&](const CodePlace &Caller) {
      return Caller.Function &&
             Caller.Function->getCanonicalDecl() == Callee->getCanonicalDecl();
    };
    if (isAlgorithm(*Call) ||
        llvm::any_of(Accesses.callersOf(*Operator), IsCallee))
      Places.try_emplace(Operator->getCanonicalDecl(),
                         CodePlace{Site.Function, Call});
  }
}

std::optional<CodePlace> LambdaRuns::placeOf(const FunctionDecl &Lambda) const {
  auto Found = Places.find(Lambda.getCanonicalDecl());
  if (Found == Places.end())
    return std::nullopt;
  return Found->second;
}

} // namespace linesman::tidy
