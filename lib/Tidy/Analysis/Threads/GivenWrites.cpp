// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Threads/GivenWrites.h"
#include "Analysis/Code/StmtPath.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// Of a function that is no method.
const FunctionDecl *definitionOf(const CallExpr *Call) {
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && !isa<CXXMethodDecl>(Callee) ? Callee->getDefinition()
                                               : nullptr;
}

/// A part of the object that the parameter points to, not what its members
/// point to.
bool isPartOf(const Place &Object, const ParmVarDecl &Parameter) {
  if (Object.Base != &Parameter || Object.Index || Object.IsPointee)
    return false;
  for (size_t I = 0; I + 1 < Object.Path.size(); ++I)
    if (!Object.Path[I]->getType()->isRecordType())
      return false;
  return true;
}

/// What \p Pointer is the address of; null for any other value.
const Expr *addressed(const Expr &Pointer) {
  const auto *Unary = dyn_cast<UnaryOperator>(Pointer.IgnoreParenCasts());
  return Unary && Unary->getOpcode() == UO_AddrOf
             ? Unary->getSubExpr()->IgnoreParenCasts()
             : nullptr;
}

/// The argument is the parameter, or the address of a part of its object, as a
/// macro may write it: `&(&list->head)->next`.
bool handsOn(const Expr &Argument, const ParmVarDecl &Parameter) {
  const Expr *Pointer = &Argument;
  while (const Expr *Part = addressed(*Pointer)) {
    const auto *Member = dyn_cast<MemberExpr>(Part);
    while (Member && !Member->isArrow())
      Member = dyn_cast<MemberExpr>(Member->getBase()->IgnoreParenCasts());
    if (!Member)
      return false;
    Pointer = Member->getBase();
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(Pointer->IgnoreParenCasts());
  return Ref && Ref->getDecl() == &Parameter;
}

using ParameterSet = llvm::SmallPtrSet<const ParmVarDecl *, 8>;

/// Each parameter is asked once: what calls itself tells nothing more.
bool writesParameter(const FunctionDecl &Definition, unsigned Index,
                     HotAccesses &Hot, ParameterSet &Asked) {
  // A long way from the call, few threads go all of it.
  constexpr unsigned MostParameters = 16;
  if (Index >= Definition.getNumParams() || Asked.size() == MostParameters ||
      !Asked.insert(Definition.getParamDecl(Index)).second)
    return false;
  const ParmVarDecl &Parameter = *Definition.getParamDecl(Index);
  const UnitAccesses &Accesses = Hot.accesses();
  const bool Writes =
      llvm::any_of(Accesses.in(Definition), [&](unsigned Place) {
        const Access &Use = Accesses.all()[Place];
        return Use.writes() && Hot.kindOf(Use) != AccessKind::Mutate &&
               isPartOf(Use.Object, Parameter) && Hot.isOnOperationPath(Use);
      });
  return Writes ||
         llvm::any_of(Accesses.calls(),
                      [&](const UnitAccesses::CallSite &Site) {
                        const auto *Call = Site.Function == &Definition
                                               ? dyn_cast<CallExpr>(Site.Call)
                                               : nullptr;
                        const FunctionDecl *Callee = definitionOf(Call);
                        if (!Callee)
                          return false;
                        for (unsigned I = 0; I != Call->getNumArgs(); ++I)
                          if (handsOn(*Call->getArg(I), Parameter) &&
                              writesParameter(*Callee, I, Hot, Asked))
                            return true;
                        return false;
                      });
}

} // namespace

bool isWrittenByCallee(const Access &Use, const Expr &Given, HotAccesses &Hot) {
  const auto *Call = dyn_cast<CallExpr>(Use.Site->IgnoreParens());
  const FunctionDecl *Callee = definitionOf(Call);
  if (!Callee)
    return false;
  for (unsigned I = 0; I != Call->getNumArgs(); ++I)
    if (StmtPath Path; findPath(*Call->getArg(I), Given, Path)) {
      ParameterSet Asked;
      return writesParameter(*Callee, I, Hot, Asked);
    }
  return false;
}

} // namespace linesman::tidy
