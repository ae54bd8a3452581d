// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Writes/SetAgain.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/StmtPath.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// \p Setter only sets the flag, whatever it is called.
bool notifies(const Stmt &S, const FunctionDecl *Setter = nullptr) {
  if (const auto *Call = dyn_cast<CallExpr>(&S))
    if (const FunctionDecl *Callee = Call->getDirectCallee();
        Callee && Callee->getIdentifier() && Callee != Setter)
      for (llvm::StringRef Word :
           {"notify", "signal", "wake", "sem_post", "futex", "broadcast"})
        if (Callee->getName().contains_insensitive(Word))
          return true;
  return llvm::any_of(S.children(), [&](const Stmt *Child) {
    return Child && notifies(*Child, Setter);
  });
}

/// Whoever comes past the function's early returns comes here.
bool isInNoBranch(const CompoundStmt &Body, const Expr &Site,
                  bool MayBeInLoop = false) {
  StmtPath Path;
  return findPath(Body, Site, Path) && llvm::all_of(Path, [&](const Stmt *S) {
           return (isa<CompoundStmt, Expr>(S) &&
                   !isa<AbstractConditionalOperator, LambdaExpr>(S)) ||
                  (MayBeInLoop && isa<ForStmt, WhileStmt, DoStmt>(S));
         });
}

/// work(item); flag = 1; where the work is done with what the caller has.
bool worksBefore(const CompoundStmt &Body, const FunctionDecl &Function) {
  const auto *First = dyn_cast<Expr>(Body.body_front());
  const auto *Call =
      First ? dyn_cast<CallExpr>(First->IgnoreImplicit()) : nullptr;
  return Call && llvm::any_of(Call->arguments(), [&](const Expr *Argument) {
           const auto *Ref =
               dyn_cast<DeclRefExpr>(Argument->IgnoreParenImpCasts());
           const auto *Parameter =
               Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
           return Parameter && Parameter->getDeclContext() == &Function;
         });
}

/// An operation that sets the flag on every way, itself or through a setter:
/// a setter of a statement or two alone is called when something happens.
bool isSetByOperation(const CompoundStmt &Body, const Access &Touch,
                      HotAccesses &Hot) {
  if (!isInNoBranch(Body, *Touch.Site))
    return false;
  if (Body.size() > 2 ||
      (Body.size() == 2 && worksBefore(Body, *Touch.Function)))
    return true;
  return Body.size() == 1 &&
         llvm::any_of(Hot.accesses().callersOf(*Touch.Function),
                      [&](const CodePlace &Caller) {
                        const auto *Around =
                            Caller.Function ? dyn_cast_if_present<CompoundStmt>(
                                                  Caller.Function->getBody())
                                            : nullptr;
                        const auto *Call =
                            dyn_cast_if_present<Expr>(Caller.Site);
                        if (!Around || !Call || Caller.IsRare ||
                            notifies(*Around, Touch.Function))
                          return false;
                        Access CallAccess;
                        CallAccess.Function = Caller.Function;
                        CallAccess.Site = Call;
                        if (!Hot.isOnOperationPath(CallAccess) ||
                            Hot.isLocked(CallAccess))
                          return false;
                        return Around->size() > 2
                                   ? isInNoBranch(*Around, *Call)
                                   : !isInNoBranch(*Around, *Call) &&
                                         isInNoBranch(*Around, *Call,
                                                      /*MayBeInLoop=*/true);
                      });
}

llvm::ArrayRef<unsigned> usesOf(const Access &Use,
                                const UnitAccesses &Accesses) {
  if (const FieldDecl *Field = Use.Object.field())
    return Accesses.of(*Field);
  if (Use.Object.Root)
    return Accesses.of(*Use.Object.Root);
  return {};
}

} // namespace

/// static volatile bool has_work: for another thread. What a handler of signals
/// sets is for its own.
static bool isVolatileFlag(const Access &Touch, const UnitAccesses &Accesses) {
  const FieldDecl *Field = Touch.Object.field();
  const ValueDecl *Flag =
      Field ? static_cast<const ValueDecl *>(Field) : Touch.Object.Root;
  if (!Flag || !HotAccesses::isVolatile(Touch) ||
      !Flag->getType()->isIntegerType())
    return false;
  const auto *Typedef = Flag->getType()->getAs<TypedefType>();
  return !(Typedef && Typedef->getDecl()->getName() == "sig_atomic_t") &&
         !Accesses.isAddressTaken(*Touch.Function);
}

bool setsAgain(const Access &Touch, HotAccesses &Hot, const ASTContext &Unit) {
  if (Hot.kindOf(Touch) != AccessKind::Write ||
      !(Hot.isAtomic(Touch) || isVolatileFlag(Touch, Hot.accesses())) ||
      Touch.Object.Index || Touch.Object.IsLocalObject ||
      Hot.isReadBefore(Touch))
    return false;
  auto Operands = atomicOperands(*Touch.Site);
  std::optional<uint64_t> Value =
      Operands.empty() ? std::nullopt : constantOf(Operands[0], Unit);
  const auto *Body =
      dyn_cast_if_present<CompoundStmt>(Touch.Function->getBody());
  if (!Value || *Value == 0 || !Body || notifies(*Body) ||
      !isSetByOperation(*Body, Touch, Hot))
    return false;
  const UnitAccesses &Accesses = Hot.accesses();
  const FunctionDecl *Setter = Touch.Function->getCanonicalDecl();
  llvm::SmallPtrSet<const FunctionDecl *, 4> Testing;
  bool IsPutBack = false;
  for (unsigned Index : usesOf(Touch, Accesses)) {
    const Access &Use = Accesses.all()[Index];
    if (!Use.Function || Use.IsConstruction || &Use == &Touch)
      continue;
    const FunctionDecl *User = Use.Function->getCanonicalDecl();
    const AccessKind Kind = Hot.kindOf(Use);
    if (Kind == AccessKind::Read) {
      if (Use.IsInCondition && !Use.Loop)
        Testing.insert(User);
      continue;
    }
    // A third value: a state, which each store moves on (starting, running,
    // stopping).
    if (Kind == AccessKind::Write) {
      auto Stored = atomicOperands(*Use.Site);
      std::optional<uint64_t> Other =
          Stored.empty() ? std::nullopt : constantOf(Stored[0], Unit);
      if (Other && *Other != 0 && *Other != *Value)
        return false;
    }
    // Looked at and put back in one.
    if (Hot.operationOf(Use) == AtomicOperation::Exchange && Use.IsResultUsed) {
      auto Stored = atomicOperands(*Use.Site);
      if (!Stored.empty() && constantOf(Stored[0], Unit) == 0 && User != Setter)
        Testing.insert(User);
    }
    // Another who sets it, or the one who looked and puts it back.
    const bool PutsBack = Testing.contains(User) && User != Setter;
    if (!PutsBack && Hot.isOnOperationPath(Use) && User == Setter)
      return false;
    IsPutBack |= PutsBack;
  }
  return IsPutBack;
}

} // namespace linesman::tidy
