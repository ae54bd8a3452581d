// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By the statements of one block, in their order: what is spread over several
// blocks is more than counting.

#include "Analysis/Locks/CountingSections.h"
#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Code/MacroBlock.h"
#include "Analysis/Locks/LockWords.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// The statement that a macro's block has, if it is one.
const Stmt &withoutMacroBlock(const Stmt &S) {
  const DoStmt *Macro = macroBlock(&S);
  const auto *Block =
      Macro ? dyn_cast<CompoundStmt>(Macro->getBody()) : nullptr;
  return Block && Block->size() == 1 ? *Block->body_front() : S;
}

const Expr *bareExpression(const Stmt &S) {
  const auto *E = dyn_cast<Expr>(&withoutMacroBlock(S));
  if (const auto *Cleanups = dyn_cast_if_present<ExprWithCleanups>(E))
    E = Cleanups->getSubExpr();
  return E ? E->IgnoreParenCasts() : nullptr;
}

/// `m`, `&m`, `state.m`: a variable with static storage, or a part of one.
bool isStaticObject(const Expr &Lock) {
  const Expr *E = Lock.IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && Unary->getOpcode() == UO_AddrOf)
    E = Unary->getSubExpr()->IgnoreParenCasts();
  while (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (Member->isArrow())
      return false;
    E = Member->getBase()->IgnoreParenCasts();
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->hasGlobalStorage() &&
         Var->getTLSKind() == VarDecl::TLS_None;
}

/// `o->m`, `&o->m`, `o.m` of a reference, a method's own `m`: a part of an
/// object that the function was given or found.
bool isMember(const Expr &Lock) {
  const Expr *E = Lock.IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && Unary->getOpcode() == UO_AddrOf)
    E = Unary->getSubExpr()->IgnoreParenCasts();
  const auto *Member = dyn_cast<MemberExpr>(E);
  if (!Member || !isa<FieldDecl>(Member->getMemberDecl()))
    return false;
  const auto *Ref =
      dyn_cast<DeclRefExpr>(Member->getBase()->IgnoreParenCasts());
  return Member->isArrow() ||
         (Ref && Ref->getDecl()->getType()->isReferenceType());
}

/// `m`, `&m`: a variable, also one that a lambda refers to.
bool isVariable(const Expr &Lock) {
  const Expr *E = Lock.IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && Unary->getOpcode() == UO_AddrOf)
    E = Unary->getSubExpr()->IgnoreParenCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref && isa<VarDecl>(Ref->getDecl());
}

bool isAt(const Expr &Lock, LockPlace Place) {
  switch (Place) {
  case LockPlace::Static:
    return isStaticObject(Lock);
  case LockPlace::Member:
    return isMember(Lock);
  case LockPlace::Anywhere:
    return isStaticObject(Lock) || isMember(Lock) || isVariable(Lock);
  }
  llvm_unreachable("no other place");
}

/// The object that a member of it, or of a part of it, is reached through: of
/// `queue->stats.items`, queue.
std::optional<AccessPath> objectAround(const Expr &Member) {
  const Expr *E = Member.IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && Unary->getOpcode() == UO_AddrOf)
    E = Unary->getSubExpr();
  std::optional<AccessPath> Path = pathOf(*E);
  if (!Path || Path->Steps.empty())
    return std::nullopt;
  Path->Steps.pop_back();
  while (!Path->Steps.empty() && Path->Steps.back()->getType()->isRecordType())
    Path->Steps.pop_back();
  return Path;
}

/// What the call of the given effect is on, if that is such a lock: the lock,
/// or the call that hides it. Null for anything else.
const Expr *lockIn(const Stmt &S, LockEffect Effect, LockPlace Place) {
  const Expr *E = bareExpression(S);
  const auto *Call = dyn_cast_if_present<CallExpr>(E);
  if (!Call || !hasEffect(Call->getDirectCallee(), Effect))
    return nullptr;
  if (!isa<CXXMemberCallExpr>(Call) && Call->getNumArgs() == 0)
    return Place == LockPlace::Member ? nullptr : Call;
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  const Expr *Lock =
      Member ? Member->getImplicitObjectArgument() : Call->getArg(0);
  return isAt(*Lock, Place) ? Lock : nullptr;
}

/// The lock that a guard takes which \p S declares.
const Expr *guardedLock(const Stmt &S, const TypeKinds &Kinds,
                        LockPlace Place) {
  const auto *Declaration = dyn_cast<DeclStmt>(&S);
  const auto *Guard = Declaration && Declaration->isSingleDecl()
                          ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                          : nullptr;
  if (!Guard || !Guard->hasInit() || Guard->getInit()->isValueDependent() ||
      Kinds.kindOf(Guard->getType()) != TypeKind::LockGuard)
    return nullptr;
  const auto *Construct =
      dyn_cast<CXXConstructExpr>(Guard->getInit()->IgnoreImplicit());
  return Construct && Construct->getNumArgs() != 0 &&
                 isAt(*Construct->getArg(0), Place)
             ? Construct->getArg(0)
             : nullptr;
}

/// But for an element of a container.
bool callsNothing(const Stmt &S) {
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&S);
  const bool IsElement = Operator && Operator->getOperator() == OO_Subscript;
  return (IsElement || !isa<CallExpr, CXXConstructExpr, CXXNewExpr>(S)) &&
         llvm::all_of(S.children(), [](const Stmt *Child) {
           return !Child || callsNothing(*Child);
         });
}

/// What ++, --, += or -= counts in, or an extreme is kept in; null for anything
/// else.
const Expr *countOf(const Expr &Counting) {
  if (const auto *Unary = dyn_cast<UnaryOperator>(&Counting))
    return Unary->isIncrementDecrementOp() ? Unary->getSubExpr() : nullptr;
  const auto *Binary = dyn_cast<BinaryOperator>(&Counting);
  return Binary &&
                 (Binary->getOpcode() == BO_AddAssign ||
                  Binary->getOpcode() == BO_SubAssign || keepsExtreme(*Binary))
             ? Binary->getLHS()
             : nullptr;
}

const Expr *counting(const Stmt &S) {
  const Expr *E = bareExpression(S);
  const Expr *Count = E ? countOf(*E) : nullptr;
  return Count && Count->getType()->isArithmeticType() &&
                 (keepsExtreme(*E) || callsNothing(*E))
             ? E
             : nullptr;
}

void find(const Stmt &S, const TypeKinds &Kinds, LockPlace Place,
          std::vector<CountingSection> &Sections) {
  if (isa<LambdaExpr>(S))
    return;
  if (const auto *Block = dyn_cast<CompoundStmt>(&S)) {
    // Taken, and nothing but counting since: given up at the first statement of
    // another kind.
    const Expr *Lock = nullptr;
    bool IsGuarded = false;
    CountingSection Open;
    auto Close = [&] {
      auto IsOfLock = [&](const Expr *Count) {
        return objectAround(*countOf(*Count)) == objectAround(*Lock);
      };
      if (!Open.empty() &&
          (Place != LockPlace::Member || llvm::all_of(Open, IsOfLock)))
        Sections.push_back(Open);
    };
    for (const Stmt *Child : Block->body()) {
      if (const Expr *Taken = takenLock(*Child, Kinds, Place)) {
        Lock = Taken;
        IsGuarded = isa<DeclStmt>(*Child);
        Open.clear();
      } else if (Lock && counting(*Child)) {
        Open.push_back(counting(*Child));
      } else {
        if (Lock && !IsGuarded && lockIn(*Child, LockEffect::Release, Place))
          Close();
        Lock = nullptr;
      }
    }
    if (Lock && IsGuarded)
      Close();
  }
  for (const Stmt *Child : S.children())
    if (Child)
      find(*Child, Kinds, Place, Sections);
}

/// The words that a value is made of, and nothing else: of `!closed || used >
/// size / 2` closed, used and size, of `items.size()` items.
bool findWords(const Expr &Value, llvm::SmallVectorImpl<const Expr *> &Words) {
  const Expr *E = Value.IgnoreParenCasts();
  if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(E))
    E = Cleanups->getSubExpr()->IgnoreParenCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && Unary->getOpcode() != UO_Deref &&
      Unary->getOpcode() != UO_AddrOf && !Unary->isIncrementDecrementOp())
    return findWords(*Unary->getSubExpr(), Words);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E);
      Binary && !Binary->isAssignmentOp())
    return findWords(*Binary->getLHS(), Words) &&
           findWords(*Binary->getRHS(), Words);
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    if (!Method || !Method->getIdentifier() || !Method->isConst() ||
        Call->getNumArgs() != 0 ||
        (Method->getName() != "size" && Method->getName() != "empty"))
      return false;
    Words.push_back(Call->getImplicitObjectArgument()->IgnoreParenCasts());
    return true;
  }
  if (isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr,
          CXXNullPtrLiteralExpr>(E))
    return true;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E);
      Ref && isa<EnumConstantDecl, ParmVarDecl>(Ref->getDecl()))
    return true;
  if (!E->getType()->isScalarType())
    return false;
  Words.push_back(E);
  return true;
}

/// The field, or variable with static storage, that \p Word is, if \p Lock
/// guards it.
const ValueDecl *guardedWord(const Expr &Word, const Expr &Lock,
                             LockPlace Place) {
  if (const auto *Member = dyn_cast<MemberExpr>(&Word))
    return isa<FieldDecl>(Member->getMemberDecl()) &&
                   (Place != LockPlace::Member ||
                    objectAround(Word) == objectAround(Lock))
               ? Member->getMemberDecl()
               : nullptr;
  const auto *Ref = dyn_cast<DeclRefExpr>(&Word);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->hasGlobalStorage() ? Var : nullptr;
}

/// What a statement gives to the caller or to a local variable.
const Expr *valueTaken(const Stmt &S) {
  if (const auto *Return = dyn_cast<ReturnStmt>(&S))
    return Return->getRetValue();
  if (const auto *Declaration = dyn_cast<DeclStmt>(&S)) {
    const auto *Var = Declaration->isSingleDecl()
                          ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                          : nullptr;
    return Var && !Var->getType()->isReferenceType() ? Var->getInit() : nullptr;
  }
  const Expr *E = bareExpression(S);
  const auto *Binary = dyn_cast_if_present<BinaryOperator>(E);
  const auto *Target =
      Binary && Binary->getOpcode() == BO_Assign
          ? dyn_cast<DeclRefExpr>(Binary->getLHS()->IgnoreParenCasts())
          : nullptr;
  const auto *Local = Target ? dyn_cast<VarDecl>(Target->getDecl()) : nullptr;
  return Local && Local->hasLocalStorage() ? Binary->getRHS() : nullptr;
}

} // namespace

/// The first lock that \p Block takes, and what follows its section; nothing
/// where there is none.
static std::optional<HeldLock> nextHeld(llvm::ArrayRef<Stmt *> &Block,
                                        const TypeKinds &Kinds,
                                        LockPlace Place) {
  while (!Block.empty()) {
    const Stmt &First = *Block.front();
    Block = Block.drop_front();
    const Expr *Lock = takenLock(First, Kinds, Place);
    if (!Lock)
      continue;
    HeldLock Held{Lock, Block};
    if (!isa<DeclStmt>(First)) {
      const auto *End = llvm::find_if(Block, [&](const Stmt *S) {
        return lockIn(*S, LockEffect::Release, Place);
      });
      if (End == Block.end())
        return std::nullopt;
      Held.Body = Block.take_front(End - Block.begin());
    }
    return Held.Body.empty() ? std::nullopt : std::optional(Held);
  }
  return std::nullopt;
}

std::optional<HeldLock> heldLock(const FunctionDecl &Function,
                                 const TypeKinds &Kinds, LockPlace Place) {
  const auto *Block = dyn_cast_if_present<CompoundStmt>(Function.getBody());
  if (!Block)
    return std::nullopt;
  llvm::ArrayRef<Stmt *> Body(Block->body_begin(), Block->size());
  return nextHeld(Body, Kinds, Place);
}

/// \p Loop is the innermost one around \p S, if each turn comes to \p S.
static void findHeld(const Stmt &S, const TypeKinds &Kinds, LockPlace Place,
                     const Stmt *Loop, std::vector<HeldLock> &All) {
  if (isa<LambdaExpr>(S))
    return;
  if (const auto *Block = dyn_cast<CompoundStmt>(&S)) {
    llvm::ArrayRef<Stmt *> Rest(Block->body_begin(), Block->size());
    while (!Rest.empty())
      if (std::optional<HeldLock> Held = nextHeld(Rest, Kinds, Place)) {
        Held->Loop = Loop;
        All.push_back(*Held);
      }
  }
  const Stmt *Around = Loop;
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
    Around = macroBlock(&S) ? Loop : &S;
  else if (isa<IfStmt, SwitchStmt, CXXTryStmt>(S))
    Around = nullptr;
  for (const Stmt *Child : S.children())
    if (Child)
      findHeld(*Child, Kinds, Place, Around, All);
}

std::vector<HeldLock> heldLocks(const FunctionDecl &Function,
                                const TypeKinds &Kinds, LockPlace Place) {
  std::vector<HeldLock> All;
  if (const Stmt *Body = Function.getBody())
    findHeld(*Body, Kinds, Place, nullptr, All);
  return All;
}

bool isRecord(const HeldLock &Held) {
  bool Adds = false;
  for (const Stmt *S : Held.Body) {
    if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
      const auto *Var = Declaration->isSingleDecl()
                            ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                            : nullptr;
      if (!Var || !Var->getType()->isReferenceType())
        return false;
      continue;
    }
    const Expr *E = bareExpression(*S);
    if (E && counting(*S)) {
      // A local that is no reference is counted for the function itself.
      const auto *Ref = dyn_cast<DeclRefExpr>(countOf(*E)->IgnoreParenCasts());
      if (Ref && !Ref->getDecl()->getType()->isReferenceType())
        return false;
      Adds = true;
      continue;
    }
    const auto *Store = dyn_cast_if_present<BinaryOperator>(E);
    if (!Store || Store->getOpcode() != BO_Assign || !callsNothing(*Store) ||
        !isa<MemberExpr>(Store->getLHS()->IgnoreParenCasts()))
      return false;
  }
  return Adds;
}

llvm::SmallVector<const ValueDecl *, 2> wordsRead(const HeldLock &Held,
                                                  LockPlace Place) {
  // A guard's variable may be returned behind it: `n = length; return n;`.
  const bool ReturnsIt =
      Held.Body.size() == 2 && isa<ReturnStmt>(Held.Body[1]) &&
      !isa<ReturnStmt>(Held.Body[0]) && callsNothing(*Held.Body[1]);
  if (Held.Body.size() != 1 && !ReturnsIt)
    return {};
  const Expr *Value = valueTaken(*Held.Body.front());
  llvm::SmallVector<const Expr *, 2> Words;
  if (!Value || Value->isValueDependent() || !findWords(*Value, Words))
    return {};
  llvm::SmallVector<const ValueDecl *, 2> Read;
  for (const Expr *Word : Words) {
    const ValueDecl *Named = guardedWord(*Word, *Held.Lock, Place);
    if (!Named)
      return {};
    if (!Named->getType().isConstQualified() &&
        !llvm::is_contained(Read, Named))
      Read.push_back(Named);
  }
  // What one of three words is, may only be right together with the others.
  constexpr unsigned MostWords = 2;
  if (Read.size() > MostWords)
    return {};
  return Read;
}

bool keepsExtreme(const Expr &Counting) {
  const auto *Binary = dyn_cast<BinaryOperator>(&Counting);
  const auto *Call =
      Binary && Binary->getOpcode() == BO_Assign
          ? dyn_cast<CallExpr>(Binary->getRHS()->IgnoreImplicit())
          : nullptr;
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || Call->getNumArgs() != 2 ||
      !(isStandardFunction(Callee, "max") || isStandardFunction(Callee, "min")))
    return false;
  std::optional<AccessPath> Kept = pathOf(*Binary->getLHS());
  return Kept && callsNothing(*Call->getArg(0)) &&
         callsNothing(*Call->getArg(1)) &&
         llvm::any_of(Call->arguments(), [&](const Expr *Argument) {
           return pathOf(*Argument->IgnoreImplicit()) == Kept;
         });
}

const Expr &countedIn(const Expr &Counting) { return *countOf(Counting); }

const Expr *takenLock(const Stmt &S, const TypeKinds &Kinds, LockPlace Place) {
  const Expr *Taken = lockIn(S, LockEffect::Acquire, Place);
  return Taken ? Taken : guardedLock(S, Kinds, Place);
}

std::vector<CountingSection> countingSections(const FunctionDecl &Function,
                                              const TypeKinds &Kinds,
                                              LockPlace Place) {
  std::vector<CountingSection> Sections;
  if (const Stmt *Body = Function.getBody())
    find(*Body, Kinds, Place, Sections);
  return Sections;
}

} // namespace linesman::tidy
