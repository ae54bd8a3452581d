// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Writes/OnlyValues.h"
#include "Analysis/Code/AtomicOperands.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// All who can store to it are in sight: a static member's are its class's.
bool isUnderWatch(const VarDecl &Var) {
  return !Var.isExternallyVisible() || Var.getAccess() == AS_private;
}

std::optional<uint64_t> storedConstant(const Access &Use,
                                       const ASTContext &Unit) {
  auto Operands = atomicOperands(*Use.Site);
  return Operands.empty() ? std::nullopt : constantOf(Operands[0], Unit);
}

/// One call may be the only one that is ever made; a function of one statement
/// is called when something happens.
bool isCalledOften(const FunctionDecl &Function, HotAccesses &Hot) {
  constexpr unsigned LeastCallers = 2;
  const auto *Body = dyn_cast_if_present<CompoundStmt>(Function.getBody());
  if (!Body || Body->size() < 2)
    return false;
  unsigned Callers = 0;
  for (const CodePlace &Caller : Hot.accesses().callersOf(Function)) {
    const auto *Site = dyn_cast_if_present<Expr>(Caller.Site);
    if (!Caller.Function || !Site || Caller.IsRare)
      continue;
    Access Call;
    Call.Function = Caller.Function;
    Call.Site = Site;
    Callers += Hot.isOnOperationPath(Call);
  }
  return Callers >= LeastCallers;
}

} // namespace

bool storesOnlyValue(const Access &Use, HotAccesses &Hot,
                     const TypeKinds &Kinds, const ThreadStarts &Starts) {
  const ASTContext &Unit = Hot.accesses().unit();
  const VarDecl *Var = Use.Object.Root;
  if (Hot.kindOf(Use) != AccessKind::Write || !Var || Use.Object.field() ||
      Use.Object.Index || Use.IsConditional || Use.Loop ||
      !Var->hasGlobalStorage() || !isUnderWatch(*Var) ||
      !Hot.accesses().isWhole() || Hot.isReadBefore(Use))
    return false;
  const std::optional<uint64_t> Value = storedConstant(Use, Unit);
  if (!Value)
    return false;
  bool IsRead = false;
  for (unsigned Index : Hot.accesses().of(*Var)) {
    const Access &Other = Hot.accesses().all()[Index];
    switch (Hot.kindOf(Other)) {
    case AccessKind::Read:
      IsRead |= Other.Function != Use.Function;
      break;
    case AccessKind::Write:
      if (storedConstant(Other, Unit) != Value)
        return false;
      break;
    case AccessKind::Update:
    case AccessKind::Mutate:
    case AccessKind::Address:
      return false;
    }
  }
  return IsRead && isCalledOften(*Use.Function, Hot) &&
         knowsThreads(Hot.accesses(), Kinds, Starts);
}

} // namespace linesman::tidy
