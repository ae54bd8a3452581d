// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Threads/GivenElements.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Code/StmtPath.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// At the end of \p S, in either branch of an if.
bool returnsAtEnd(const Stmt *S, const Expr &Site) {
  if (const auto *Block = dyn_cast_if_present<CompoundStmt>(S))
    return !Block->body_empty() && returnsAtEnd(Block->body_back(), Site);
  if (const auto *Branch = dyn_cast_if_present<IfStmt>(S))
    return returnsAtEnd(Branch->getThen(), Site) ||
           returnsAtEnd(Branch->getElse(), Site);
  const auto *Return = dyn_cast_if_present<ReturnStmt>(S);
  StmtPath Path;
  return Return && findPath(*Return, Site, Path);
}

bool isMutableReference(QualType Type) {
  return Type->isLValueReferenceType() &&
         !Type->getPointeeType().isConstQualified();
}

} // namespace

bool givesOut(const FunctionDecl &Function, const Expr &Site) {
  QualType Type = Function.getReturnType();
  if (!Type->isReferenceType() && !Type->isPointerType())
    return false;
  return !Type->getPointeeType().isConstQualified() &&
         returnsAtEnd(Function.getBody(), Site);
}

std::optional<Access> findHandedOn(const FunctionDecl &Giver,
                                   const UnitAccesses &Accesses) {
  llvm::ArrayRef<CodePlace> Callers = Accesses.callersOf(Giver);
  auto IsGiven = [&](const VarDecl &Var) {
    return Var.getType()->isReferenceType() && !isa<ParmVarDecl>(Var) &&
           Var.hasInit() && !Var.getInit()->isValueDependent() &&
           llvm::any_of(Callers, [&](const CodePlace &Caller) {
             return Caller.Site == Var.getInit()->IgnoreParenCasts();
           });
  };
  for (const UnitAccesses::CallSite &Site : Accesses.calls()) {
    const auto *Call = dyn_cast<CallExpr>(Site.Call);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee || !Site.Loop || isa<CXXOperatorCallExpr>(Call))
      continue;
    for (auto [Parameter, Argument] :
         llvm::zip(Callee->parameters(), Call->arguments())) {
      const VarDecl *Kept = variableOf(*Argument);
      if (!Kept || !isMutableReference(Parameter->getType()) || !IsGiven(*Kept))
        continue;
      Access Handing;
      Handing.Kind = AccessKind::Mutate;
      Handing.Site = Site.Call;
      Handing.Function = Site.Function;
      Handing.Loop = Site.Loop;
      return Handing;
    }
  }
  return std::nullopt;
}

} // namespace linesman::tidy
