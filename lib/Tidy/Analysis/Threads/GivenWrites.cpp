// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Threads/GivenWrites.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Code/UnitCode.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>

using namespace clang;

namespace linesman::tidy {

namespace {

/// Of a function that is no method, or of an object that is called as one.
const FunctionDecl *definitionOf(const CallExpr *Call) {
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  const auto *Method = dyn_cast_if_present<CXXMethodDecl>(Callee);
  return Callee && (!Method || Method->getOverloadedOperator() == OO_Call)
             ? Callee->getDefinition()
             : nullptr;
}

/// The arguments that parameters stand for: the object that is called is none.
llvm::ArrayRef<const Expr *> argumentsOf(const CallExpr &Call) {
  llvm::ArrayRef<const Expr *> All(Call.getArgs(), Call.getNumArgs());
  return isa<CXXOperatorCallExpr>(Call) ? All.drop_front() : All;
}

bool canBeWritten(const ParmVarDecl &Parameter) {
  QualType Type = Parameter.getType();
  return (Type->isReferenceType() || Type->isPointerType()) &&
         !Type->getPointeeType().isConstQualified();
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
         llvm::any_of(
             Accesses.calls(), [&](const UnitAccesses::CallSite &Site) {
               const auto *Call = Site.Function == &Definition
                                      ? dyn_cast<CallExpr>(Site.Call)
                                      : nullptr;
               const FunctionDecl *Callee = definitionOf(Call);
               if (!Callee)
                 return false;
               for (auto [I, Argument] : llvm::enumerate(argumentsOf(*Call)))
                 if (handsOn(*Argument, Parameter) &&
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
  std::optional<unsigned> Position;
  for (auto [I, Argument] : llvm::enumerate(argumentsOf(*Call))) {
    if (I >= Callee->getNumParams() || !canBeWritten(*Callee->getParamDecl(I)))
      continue;
    if (StmtPath Path; findPath(*Argument, Given, Path)) {
      Position = I;
      break;
    }
    // An accessor's body has the index: it can only be the one argument.
    if (Call->getNumArgs() == 1)
      Position = I;
  }
  ParameterSet Asked;
  return Position && writesParameter(*Callee, *Position, Hot, Asked);
}

bool isListOnlyPicked(const Access &Use, const UnitAccesses &Accesses) {
  const auto *List = Use.Object.ElementType->getAsCXXRecordDecl();
  const auto *Call = dyn_cast<CallExpr>(Use.Site->IgnoreParens());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  Callee = Callee ? Callee->getDefinition() : nullptr;
  if (Use.Kind != AccessKind::Mutate || !Callee || !List ||
      !List->isInStdNamespace() || !List->getIdentifier() ||
      List->getName() == "array" || isa<CXXOperatorCallExpr>(Call))
    return false;
  auto IsGiven = [&](const ValueDecl *Named) {
    const auto *Parameter = dyn_cast_if_present<ParmVarDecl>(Named);
    return Parameter && Parameter->getType()->isReferenceType() &&
           Parameter->getType().getNonReferenceType()->getAsCXXRecordDecl() ==
               List;
  };
  return llvm::any_of(Callee->parameters(), IsGiven) &&
         llvm::none_of(Accesses.in(*Callee), [&](unsigned Index) {
           const Access &Inner = Accesses.all()[Index];
           return IsGiven(Inner.Object.Base) && !Inner.Object.Index &&
                  Inner.Kind != AccessKind::Read;
         });
}

/// Calls a method of its own object that may write it, or gives it away.
static bool passesOn(const Stmt &Body) {
  bool Found = false;
  unsigned Named = 0, Used = 0;
  forEachStatement(&Body, [&](const Stmt &Part) {
    Named += isa<CXXThisExpr>(Part);
    Found |= isa<LambdaExpr>(Part);
    const auto *Member = dyn_cast<MemberExpr>(&Part);
    if (!Member || !isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts()))
      return;
    ++Used;
    const auto *Method = dyn_cast<CXXMethodDecl>(Member->getMemberDecl());
    Found |= Method && !Method->isConst() && !Method->isStatic();
  });
  return Found || Named != Used;
}

bool callsReader(const Access &Use, const UnitAccesses &Accesses) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(Use.Site->IgnoreParens());
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  const FunctionDecl *Definition = Method ? Method->getDefinition() : nullptr;
  return Use.Kind == AccessKind::Mutate && Definition &&
         Definition->getBody() && !passesOn(*Definition->getBody()) &&
         llvm::none_of(Accesses.in(*Definition), [&](unsigned Index) {
           const Access &Inner = Accesses.all()[Index];
           return Inner.Object.IsThis && Inner.Kind != AccessKind::Read;
         });
}

} // namespace linesman::tidy
