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

bool notifies(const Stmt &S) {
  if (const auto *Call = dyn_cast<CallExpr>(&S))
    if (const FunctionDecl *Callee = Call->getDirectCallee();
        Callee && Callee->getIdentifier())
      for (llvm::StringRef Word :
           {"notify", "signal", "wake", "sem_post", "futex", "broadcast"})
        if (Callee->getName().contains_insensitive(Word))
          return true;
  return llvm::any_of(S.children(), [](const Stmt *Child) {
    return Child && notifies(*Child);
  });
}

/// Whoever comes past the function's early returns comes here.
bool isInNoBranch(const CompoundStmt &Body, const Expr &Site) {
  StmtPath Path;
  return findPath(Body, Site, Path) && llvm::all_of(Path, [](const Stmt *S) {
           return isa<CompoundStmt, Expr>(S) &&
                  !isa<AbstractConditionalOperator, LambdaExpr>(S);
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
  // A setter of a statement or two is called when something happens.
  if (!Value || *Value == 0 || !Body || Body->size() < 3 ||
      !isInNoBranch(*Body, *Touch.Site) || notifies(*Body))
    return false;
  const UnitAccesses &Accesses = Hot.accesses();
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
    // Another who sets it, or the one who looked and puts it back.
    const bool PutsBack =
        Testing.contains(User) && User != Touch.Function->getCanonicalDecl();
    if (!PutsBack && Hot.isOnOperationPath(Use) && User == Touch.Function)
      return false;
    IsPutBack |= PutsBack;
  }
  return IsPutBack;
}

} // namespace linesman::tidy
