// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait by writing: each waiting core takes the line away from the
// one that will release it.

#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/Conditions.h"
#include "Analysis/Code/LoopObject.h"
#include "Analysis/Code/OnlyReturn.h"
#include "Analysis/Code/WaitingLoops.h"
#include "Analysis/Locks/LockWords.h"
#include "Analysis/Writes/BlindWrites.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

bool BlindWrites::takes(const Access &Use) const {
  AtomicOperation Operation = Hot.operationOf(Use);
  if (Operation == AtomicOperation::TestAndSet)
    return true;
  if (Operation != AtomicOperation::Exchange)
    return false;
  // exchange(nullptr) in a loop takes a queue's elements; a lock is taken by
  // storing something.
  auto Operands = atomicOperands(*Use.Site);
  std::optional<uint64_t> Value =
      Operands.empty() ? std::nullopt : constantOf(Operands[0], Unit);
  return Value && *Value != 0;
}

bool BlindWrites::isBlindSpin(const Access &Use) {
  if (!Use.Loop || !Use.IsResultUsed || !takes(Use))
    return false;
  // Taken means: it gave what was there before, and that was nothing. A
  // condition that is not understood may well wait.
  const std::optional<bool> Waits = goesOnWhile(*Use.Loop, *Use.Site, Unit);
  if (!Waits.value_or(Use.IsInCondition))
    return false;
  const Expr *Object = operatedObject(*Use.Site);
  return Object && isSameOnEveryTurn(*Object, *Use.Loop) &&
         !isLoadedIn(*Use.Loop, Use);
}

bool BlindWrites::takesByComparing(const Access &Use) const {
  if (Hot.operationOf(Use) != AtomicOperation::CompareExchange)
    return false;
  auto Operands = atomicOperands(*Use.Site);
  return Operands.size() > 1 && expectedConstant(*Operands[0]) == 0 &&
         constantOf(Operands[1], Unit).value_or(0) != 0;
}

/// while (!try_lock()) anything(turns): whatever the body looks at may be the
/// lock, and only an idle one is blind.
static bool isIdle(const Stmt &Loop, const Expr &Site) {
  const Stmt *Body = loopBodyOf(Loop);
  if (const auto *Block = dyn_cast_if_present<CompoundStmt>(Body))
    Body = Block->size() == 1    ? Block->body_front()
           : Block->body_empty() ? nullptr
                                 : Block;
  if (!Body || isa<NullStmt>(Body))
    return true;
  const auto *Pause = dyn_cast<CallExpr>(Body);
  return (Pause && llvm::all_of(Pause->arguments(),
                                [](const Expr *Argument) {
                                  return isOwnNumber(*Argument);
                                })) ||
         onlyWaits(Loop, Site);
}

const Access *BlindWrites::spinThrough(const UnitAccesses::CallSite &Call) {
  const auto *Site = dyn_cast<CallExpr>(Call.Call);
  const FunctionDecl *Callee = Site ? Site->getDirectCallee() : nullptr;
  const FunctionDecl *Definition = nullptr;
  if (!Callee || !Call.Loop || !Call.Function || !Callee->hasBody(Definition) ||
      !Accesses.isUsedHere(*Call.Function))
    return nullptr;
  const Expr *Value = onlyReturn(*Definition);
  if (!Value || !isIdle(*Call.Loop, *Site))
    return nullptr;
  const std::optional<bool> GoesOn = goesOnWhile(*Call.Loop, *Site, Unit);
  if (!GoesOn)
    return nullptr;
  const std::optional<NamedResult> Named = findNamedResult(*Value);
  // The test of a name turns what it is a name for.
  const bool IsTurned = Named && isNegatedIn(*Value, *Named->Name, Unit);
  const Expr &Result = Named ? *Named->Value : *Value;
  for (unsigned Index : Accesses.in(*Definition)) {
    const Access &Use = Accesses.all()[Index];
    if (Use.Kind == AccessKind::Read && Use.Object.field() == nullptr &&
        Use.Object.IsThis)
      return nullptr;
    const bool Compares = takesByComparing(Use);
    if (!Use.writes() || !(takes(Use) || Compares) ||
        !contains(Result, *Use.Site))
      continue;
    // An exchange gives what was there, a compare-exchange whether it did.
    const bool IsNegated = isNegatedIn(Result, *Use.Site, Unit) != IsTurned;
    if ((IsNegated != *GoesOn) == Compares)
      return nullptr;
    Access AtCall = Use;
    AtCall.IsRare = false;
    if (Hot.isReadBefore(Use) || !Hot.isOnOperationPath(AtCall))
      return nullptr;
    return &Use;
  }
  return nullptr;
}

/// What a call of a library tries to take: `m` of m.try_lock(), of
/// pthread_mutex_trylock(&m), and of a guard that was made for it.
static const Expr *triedLock(const CallExpr &Call, const TypeKinds &Kinds,
                             const SourceManager &Sources) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Sources.isInSystemHeader(Callee->getLocation()) ||
      !hasEffect(Callee, LockEffect::TryAcquire))
    return nullptr;
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const Expr *Tried = Member ? Member->getImplicitObjectArgument()
                      : Call.getNumArgs() == 1 ? Call.getArg(0)
                                               : nullptr;
  if (!Tried)
    return nullptr;
  Tried = Tried->IgnoreParenImpCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(Tried);
      Address && Address->getOpcode() == UO_AddrOf)
    Tried = Address->getSubExpr()->IgnoreParens();
  QualType Type = Tried->getType();
  if (Kinds.kindOf(Type) == TypeKind::LockGuard) {
    const VarDecl *Guard = namedVariable(*Tried);
    const auto *Made =
        Guard && Guard->hasInit()
            ? dyn_cast<CXXConstructExpr>(Guard->getInit()->IgnoreImplicit())
            : nullptr;
    return Made && Made->getNumArgs() != 0
               ? Made->getArg(0)->IgnoreParenImpCasts()
               : nullptr;
  }
  return Kinds.isLock(Type->isPointerType() ? Type->getPointeeType() : Type)
             ? Tried
             : nullptr;
}

namespace {

/// A try to take a library's lock, and whether the value that somebody looks at
/// says the opposite of it.
struct LockTry {
  const CallExpr *Call = nullptr;
  const Expr *Lock = nullptr;
  bool IsTurned = false;
};

/// The try in \p Value, which a function returns.
LockTry findTry(const Stmt &Part, const Expr &Value, const TypeKinds &Kinds,
                const ASTContext &Unit) {
  if (const auto *Call = dyn_cast<CallExpr>(&Part))
    if (const Expr *Lock = triedLock(*Call, Kinds, Unit.getSourceManager()))
      return {Call, Lock, isNegatedIn(Value, *Call, Unit)};
  for (const Stmt *Child : Part.children())
    if (Child)
      if (LockTry Found = findTry(*Child, Value, Kinds, Unit); Found.Lock)
        return Found;
  return {};
}

/// By the call itself, or in a function that is nothing but the try.
LockTry tryOf(const CallExpr &Site, const TypeKinds &Kinds,
              const ASTContext &Unit) {
  if (const Expr *Lock = triedLock(Site, Kinds, Unit.getSourceManager()))
    return {&Site, Lock, false};
  const FunctionDecl *Definition = nullptr;
  const FunctionDecl *Callee = Site.getDirectCallee();
  const Expr *Value =
      Callee && Callee->hasBody(Definition) ? onlyReturn(*Definition) : nullptr;
  return Value ? findTry(*Value, *Value, Kinds, Unit) : LockTry();
}

/// Whoever the call is given is the same on every turn.
bool hasSameObjects(const CallExpr &Site, const Stmt &Loop) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Site);
  return (!Member ||
          isSameOnEveryTurn(*Member->getImplicitObjectArgument(), Loop)) &&
         llvm::all_of(Site.arguments(), [&](const Expr *Argument) {
           return isSameOnEveryTurn(*Argument, Loop);
         });
}

} // namespace

const ValueDecl *BlindWrites::triesInLoop(const UnitAccesses::CallSite &Call) {
  const auto *Site = dyn_cast<CallExpr>(Call.Call);
  if (!Site || !Call.Loop || !Call.Function ||
      !Accesses.isUsedHere(*Call.Function))
    return nullptr;
  const LockTry Try = tryOf(*Site, Kinds, Unit);
  if (!Try.Lock || !hasSameObjects(*Site, *Call.Loop) ||
      !onlyWaits(*Call.Loop, *Site))
    return nullptr;
  // True says that it has the lock, and so does 0 of C's functions.
  const bool IsTaken = Try.Call->getType()->isBooleanType();
  if (goesOnWhile(*Call.Loop, *Site, Unit) != (IsTaken == Try.IsTurned))
    return nullptr;
  Access Taken;
  Taken.Function = Call.Function;
  Taken.Site = Site;
  if (!Hot.isOnOperationPath(Taken))
    return nullptr;
  if (const auto *Member = dyn_cast<MemberExpr>(Try.Lock))
    return Member->getMemberDecl();
  const auto *Reference = dyn_cast<DeclRefExpr>(Try.Lock);
  return Reference ? Reference->getDecl() : nullptr;
}

} // namespace linesman::tidy
