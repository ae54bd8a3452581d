// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One reading of a body, in order, remembers the set of held locks at every
// expression where it is not empty. clang's own thread-safety analysis would be
// exact, but only for annotated code, and C servers have no annotations.

#include "Analysis/Locks/LockEvidence.h"
#include "Analysis/Code/MacroBlock.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Locks/LockWords.h"
#include "Analysis/Names/PlainName.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// The declaration that names a lock: `m`, `&m`, `this->m`, `locks[i]`,
/// `*ptr`, `get_lock(i)`.
const NamedDecl *lockDeclaration(const Expr *E) {
  while (E) {
    E = E->IgnoreParenCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return Ref->getDecl();
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return Member->getMemberDecl();
    if (const auto *Unary = dyn_cast<UnaryOperator>(E))
      E = Unary->getSubExpr();
    else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
      E = Subscript->getBase();
    else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      E = Temporary->getSubExpr();
    else if (const auto *Binary = dyn_cast<BinaryOperator>(E))
      E = Binary->getLHS();
    else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E))
      E = Operator->getNumArgs() ? Operator->getArg(0) : nullptr;
    else if (const auto *Call = dyn_cast<CallExpr>(E))
      return Call->getDirectCallee();
    else
      return nullptr;
  }
  return nullptr;
}

bool isConstantIndex(const Expr *Index) {
  Index = Index->IgnoreParenImpCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Index))
    return isa<EnumConstantDecl>(Ref->getDecl());
  return isa<IntegerLiteral>(Index);
}

/// Whether a number picks the lock: `locks[hash % n]`, `(buckets + i)->lock`,
/// and `bucket.lock` behind `Bucket &bucket = buckets[i]`.
bool isChosenByNumber(const Expr *Lock, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 3;
  for (const Expr *E = Lock; E;) {
    E = E->IgnoreParenCasts();
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      if (!isConstantIndex(Subscript->getIdx()))
        return true;
      E = Subscript->getBase();
    } else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
      if (Operator->getOperator() != OO_Subscript ||
          Operator->getNumArgs() != 2)
        return false;
      if (!isConstantIndex(Operator->getArg(1)))
        return true;
      E = Operator->getArg(0);
    } else if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
      return Binary->isAdditiveOp() && E->getType()->isPointerType() &&
             !isConstantIndex(Binary->getRHS());
    } else if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      E = Member->getBase();
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
      E = Unary->getSubExpr();
    } else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E)) {
      E = Temporary->getSubExpr();
    } else if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      return Var && Var->isLocalVarDecl() && Var->getInit() &&
             (Var->getType()->isReferenceType() ||
              Var->getType()->isPointerType()) &&
             Depth != MaxDepth && isChosenByNumber(Var->getInit(), Depth + 1);
    } else {
      return false;
    }
  }
  return false;
}

/// Leaves the enclosing block on every path, as far as its last statement says.
bool leaves(const Stmt *S) {
  if (!S)
    return false;
  if (isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt,
          CXXThrowExpr>(S))
    return true;
  if (const auto *Block = dyn_cast<CompoundStmt>(S))
    return !Block->body_empty() && leaves(Block->body_back());
  if (const auto *If = dyn_cast<IfStmt>(S))
    return leaves(If->getThen()) && leaves(If->getElse());
  if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(S))
    return leaves(Cleanups->getSubExpr());
  if (const auto *Call = dyn_cast<CallExpr>(S))
    if (const FunctionDecl *Callee = Call->getDirectCallee())
      return Callee->isNoReturn();
  return false;
}

void intersect(LockNames &Result, const LockNames &Other) {
  llvm::erase_if(
      Result, [&](StringRef Lock) { return !llvm::is_contained(Other, Lock); });
}

/// unlock(): what its callers hold around it is what it is about to let go, and
/// the lock's own words are nobody's until then.
bool releases(const FunctionDecl &Function) {
  return hasEffect(&Function, LockEffect::Release);
}

/// Stands for a lock that a name promises without saying which.
constexpr llvm::StringLiteral SomeLock = "(the caller's lock)";

/// Before the name of a lock that is held together with others; the name alone
/// is there as well.
constexpr llvm::StringLiteral Together = "(shared) ";

/// The function, the guard's type or an enumerator among the arguments says so.
bool takesShared(const NamedDecl *Named, ArrayRef<const Expr *> Arguments) {
  if (Named && Named->getIdentifier() && saysShared(Named->getName()))
    return true;
  return llvm::any_of(Arguments, [](const Expr *Argument) {
    const auto *Ref = dyn_cast<DeclRefExpr>(Argument->IgnoreParenImpCasts());
    return Ref && isa<EnumConstantDecl>(Ref->getDecl()) &&
           saysShared(("lock_" + Ref->getDecl()->getName()).str());
  });
}

/// Before the name of a lock that a number picks.
constexpr llvm::StringLiteral OneOfMany = "(one of many) ";

} // namespace

class LockEvidence::BodyReader {
public:
  BodyReader(LockEvidence &Evidence, PlaceMap &Places)
      : Evidence(Evidence), Places(Places) {}

  void read(const FunctionDecl &Function) {
    for (const auto *Requires :
         Function.specific_attrs<RequiresCapabilityAttr>())
      for (const Expr *Lock : Requires->args())
        acquire(nameOf(Lock));
    if (saysCallerHoldsLock(Function))
      acquire(SomeLock);
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Function))
      for (const CXXCtorInitializer *Init : Constructor->inits())
        read(Init->getInit());
    read(Function.getBody());
  }

private:
  StringRef nameOf(const Expr *Lock) {
    const NamedDecl *Declaration = lockDeclaration(Lock);
    if (!Declaration)
      return SomeLock;
    std::string Name = plainName(*Declaration);
    return Evidence.intern(isChosenByNumber(Lock) ? (OneOfMany + Name).str()
                                                  : Name);
  }
  void acquire(StringRef Lock) {
    auto Position = llvm::lower_bound(Held, Lock);
    if (Position == Held.end() || *Position != Lock)
      Held.insert(Position, Lock);
  }
  void acquire(StringRef Lock, bool IsShared) {
    acquire(Lock);
    if (IsShared)
      acquire(Evidence.intern((Together + Lock).str()));
  }
  void release(StringRef Lock) {
    llvm::erase_if(Held, [&](StringRef Other) {
      return Other == Lock || (Other.starts_with(Together) &&
                               Other.drop_front(Together.size()) == Lock);
    });
  }

  void remember(const Stmt *S) {
    if (Held.empty())
      return;
    if (Held != CurrentSet || CurrentIndex == ~0u) {
      CurrentSet = Held;
      CurrentIndex = Evidence.Sets.size();
      Evidence.Sets.push_back(Held);
    }
    Places[S] = CurrentIndex;
  }

  void read(const Stmt *S) {
    S = withoutCapture(S);
    if (!S || isa<LambdaExpr>(S))
      return;
    remember(S);
    if (const auto *Critical = dyn_cast<OMPCriticalDirective>(S))
      return readCritical(*Critical);
    if (const auto *Block = dyn_cast<CompoundStmt>(S))
      return readBlock(*Block);
    if (const auto *Declaration = dyn_cast<DeclStmt>(S))
      return readDeclaration(*Declaration);
    if (const auto *If = dyn_cast<IfStmt>(S))
      return readIf(*If);
    if (isa<WhileStmt, ForStmt, DoStmt, CXXForRangeStmt, SwitchStmt>(S) &&
        !macroBlock(S)) {
      // Balanced, or else nobody could run it twice.
      // while (!try_lock()) pause(); ends with the lock.
      const unsigned TriedBefore = Tried;
      LockNames Before = Held;
      readChildren(*S);
      if (Tried != TriedBefore)
        return;
      intersect(Held, Before);
      if (Held.size() < Before.size() && isa<SwitchStmt>(S))
        Held = Before;
      return;
    }
    readChildren(*S);
    if (const auto *Call = dyn_cast<CallExpr>(S))
      applyCall(*Call);
  }

  void readChildren(const Stmt &S) {
    for (const Stmt *Child : S.children())
      read(Child);
  }

  void readCritical(const OMPCriticalDirective &Critical) {
    if (isCountAlone(Critical))
      return readChildren(Critical);
    std::string Name = Critical.getDirectiveName().getAsString();
    StringRef Lock = Evidence.intern("(critical " + Name + ")");
    acquire(Lock);
    readChildren(Critical);
    release(Lock);
  }

  void readBlock(const CompoundStmt &Block) {
    size_t FirstGuard = Guards.size();
    for (const Stmt *Child : Block.body())
      read(Child);
    while (Guards.size() > FirstGuard) {
      for (StringRef Lock : Guards.back().second)
        release(Lock);
      Guards.pop_back();
    }
  }

  void readDeclaration(const DeclStmt &S) {
    for (const Decl *Declared : S.decls()) {
      const auto *Var = dyn_cast<VarDecl>(Declared);
      if (!Var || !Var->getInit())
        continue;
      read(Var->getInit());
      if (Evidence.Kinds.kindOf(Var->getType()) == TypeKind::LockGuard)
        openGuard(*Var);
    }
  }

  void openGuard(const VarDecl &Guard) {
    LockNames Locks;
    bool Defers = false;
    // Copies and elided temporaries: the arguments are at the bottom.
    const Expr *Init = Guard.getInit()->IgnoreImplicit();
    if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(Init))
      Init = Cast->getSubExpr()->IgnoreImplicit();
    auto Take = [&](const Expr *Argument) {
      QualType Type = Argument->getType();
      if (const auto *Record = Type->getAsRecordDecl();
          Record && Record->getIdentifier() &&
          Record->getName() == "defer_lock_t")
        Defers = true;
      if (Type->isPointerType())
        Type = Type->getPointeeType();
      if (Evidence.Kinds.isLock(Type) || Locks.empty())
        Locks.push_back(nameOf(Argument));
    };
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(Init))
      for (const Expr *Argument : Construct->arguments())
        Take(Argument);
    if (Locks.empty())
      Locks.push_back(SomeLock);
    const bool IsShared = takesShared(Guard.getType()->getAsRecordDecl(), {});
    if (!Defers)
      for (StringRef Lock : Locks)
        acquire(Lock, IsShared);
    Guards.push_back({&Guard, Locks});
  }

  void readIf(const IfStmt &If) {
    read(If.getInit());
    LockNames Untaken = Held;
    const LockNames Before = Held;
    if (const DeclStmt *Variable = If.getConditionVariableDeclStmt())
      read(Variable);
    const unsigned TriedBefore = Tried;
    read(If.getCond());
    LockNames Taken = Held;
    // `if (pthread_mutex_lock(&m) != 0) die();` asks for an error, and has the
    // lock whatever the branch does.
    if (Tried == TriedBefore)
      Untaken = Taken;
    // `if (trylock(&m) != 0) return;` has it after the branch; otherwise the
    // branch has it. Which one the condition means is not worth parsing.
    read(If.getThen());
    bool ThenLeaves = leaves(If.getThen());
    LockNames AfterThen = Held;
    Held = ThenLeaves || If.getElse() ? Taken : Untaken;
    read(If.getElse());
    if (ThenLeaves && !If.getElse() && isTakenByLeaving(*If.getCond()))
      Held = Before;
    if (ThenLeaves)
      return;
    if (If.getElse() && leaves(If.getElse()))
      Held = AfterThen;
    else
      // `if (threaded) lock(); ... if (threaded) unlock();` counts as held:
      // the union, minus what a branch released.
      for (StringRef Lock : AfterThen)
        if (!llvm::is_contained(Taken, Lock))
          acquire(Lock);
    if (!(If.getElse() && leaves(If.getElse())))
      for (StringRef Lock : Taken)
        if (!llvm::is_contained(AfterThen, Lock))
          release(Lock);
  }

  static bool isZero(const Expr &E) {
    const auto *Literal = dyn_cast<IntegerLiteral>(E.IgnoreParenCasts());
    return Literal && Literal->getValue().isZero();
  }

  /// `if (free && test_and_set(&word) == 0) return true;`: who has the lock is
  /// gone, and who goes on has not got it. Of other tries nothing tells whether
  /// they answer with a zero.
  static bool isTakenByLeaving(const Expr &Condition) {
    const Expr *E = Condition.IgnoreParenImpCasts();
    if (const auto *Conjunction = dyn_cast<BinaryOperator>(E);
        Conjunction && Conjunction->getOpcode() == BO_LAnd)
      return isTakenByLeaving(*Conjunction->getRHS());
    const Expr *Asked = nullptr;
    if (const auto *Not = dyn_cast<UnaryOperator>(E);
        Not && Not->getOpcode() == UO_LNot)
      Asked = Not->getSubExpr();
    else if (const auto *Equal = dyn_cast<BinaryOperator>(E);
             Equal && Equal->getOpcode() == BO_EQ && isZero(*Equal->getRHS()))
      Asked = Equal->getLHS();
    const auto *Call =
        Asked ? dyn_cast<CallExpr>(Asked->IgnoreParenCasts()) : nullptr;
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return Callee && Callee->getIdentifier() &&
           Callee->getName().contains("test_and_set");
  }

  void applyCall(const CallExpr &Call) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    if (!Callee || isa<CXXConstructorDecl>(Callee))
      return;
    if (applyAttributes(*Callee, Call))
      return;
    if (!Callee->getIdentifier())
      return;
    std::string Subject;
    LockEffect Effect = effectOfName(Callee->getName(), Subject);
    if (Effect == LockEffect::None)
      return;
    StringRef Lock = nameOfCall(Call, Subject);
    if (Lock.empty())
      return;
    LockNames Locks = {Lock};
    if (const auto *Guard = guardOf(Call))
      Locks = *Guard;
    Tried += Effect == LockEffect::TryAcquire;
    const bool IsShared =
        takesShared(Callee, {Call.getArgs(), Call.getNumArgs()});
    for (StringRef Name : Locks)
      Effect == LockEffect::Release ? release(Name) : acquire(Name, IsShared);
  }

  bool applyAttributes(const FunctionDecl &Callee, const CallExpr &Call) {
    auto LocksOf = [&](const auto &Attribute) {
      LockNames Locks;
      for (const Expr *Lock : Attribute.args())
        Locks.push_back(nameOf(Lock));
      if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
          Member && Locks.empty())
        Locks.push_back(nameOf(Member->getImplicitObjectArgument()));
      return Locks;
    };
    if (const auto *Acquire = Callee.getAttr<AcquireCapabilityAttr>()) {
      for (StringRef Lock : LocksOf(*Acquire))
        acquire(Lock);
      return true;
    }
    if (const auto *Release = Callee.getAttr<ReleaseCapabilityAttr>()) {
      for (StringRef Lock : LocksOf(*Release))
        release(Lock);
      return true;
    }
    return false;
  }

  /// `guard.unlock()` on a guard of this function.
  const LockNames *guardOf(const CallExpr &Call) const {
    const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
    if (!Member)
      return nullptr;
    const NamedDecl *Object =
        lockDeclaration(Member->getImplicitObjectArgument());
    for (const auto &[Guard, Locks] : Guards)
      if (Guard == Object)
        return &Locks;
    return nullptr;
  }

  StringRef nameOfCall(const CallExpr &Call, StringRef Subject) {
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call)) {
      const Expr *Object = Member->getImplicitObjectArgument();
      // weak_ptr::lock() and the like hold nothing.
      QualType Type = Object->getType();
      if (Type->isPointerType())
        Type = Type->getPointeeType();
      if (!Evidence.Kinds.isSynchronization(Type) &&
          Member->getNumArgs() == 0 && !Member->getType()->isVoidType() &&
          !Member->getType()->isBooleanType())
        return "";
      return nameOf(Object);
    }
    for (const Expr *Argument : Call.arguments()) {
      QualType Type = Argument->getType();
      if (Type->isPointerType())
        Type = Argument->IgnoreParenImpCasts()->getType()->getPointeeType();
      if (!Type.isNull() && Evidence.Kinds.isLock(Type))
        return nameOf(Argument);
    }
    return Evidence.intern(("(" + Subject + ")").str());
  }

  LockEvidence &Evidence;
  PlaceMap &Places;
  LockNames Held;
  LockNames CurrentSet;
  unsigned CurrentIndex = ~0u;
  /// How many calls only tried to take a lock.
  unsigned Tried = 0;
  SmallVector<std::pair<const VarDecl *, LockNames>, 4> Guards;
};

const LockEvidence::PlaceMap &LockEvidence::read(const FunctionDecl &Function) {
  std::unique_ptr<PlaceMap> &Places = Bodies[&Function];
  if (!Places) {
    Places = std::make_unique<PlaceMap>();
    if (Function.doesThisDeclarationHaveABody())
      BodyReader(*this, *Places).read(Function);
  }
  return *Places;
}

LockNames LockEvidence::heldAt(const CodePlace &Place) {
  if (!Place.Function || !Place.Site)
    return {};
  const FunctionDecl *Definition = nullptr;
  if (!Place.Function->getBody(Definition))
    return {};
  const PlaceMap &Places = read(*Definition);
  auto Found = Places.find(Place.Site);
  return Found == Places.end() ? LockNames() : Sets[Found->second];
}

LockNames LockEvidence::heldAt(const CodePlace &Place,
                               CallersFunction Callers) {
  return heldAt(Place, Callers, 0);
}

LockNames LockEvidence::heldAt(const CodePlace &Place, CallersFunction Callers,
                               unsigned Depth) {
  LockNames Held = heldAt(Place);
  // "lock; do_it();" nests two or three deep in practice; recursion in the call
  // graph ends here as well.
  constexpr unsigned MaxDepth = 3;
  if (Depth == MaxDepth || !Place.Function || releases(*Place.Function))
    return Held;
  bool IsFirst = true;
  LockNames Common;
  for (const CodePlace &Call : Callers(*Place.Function)) {
    LockNames Around = heldAt(Call, Callers, Depth + 1);
    if (IsFirst)
      Common = Around;
    else
      intersect(Common, Around);
    IsFirst = false;
    if (Common.empty())
      break;
  }
  for (StringRef Lock : Common)
    if (!llvm::is_contained(Held, Lock))
      Held.insert(llvm::lower_bound(Held, Lock), Lock);
  return Held;
}

bool LockEvidence::isOneOfMany(StringRef Lock) {
  return Lock.starts_with(OneOfMany);
}

void LockEvidence::dropShared(LockNames &Held) {
  LockNames Shared;
  for (StringRef Lock : Held)
    if (Lock.starts_with(Together))
      Shared.push_back(Lock.drop_front(Together.size()));
  llvm::erase_if(Held, [&](StringRef Lock) {
    return Lock.starts_with(Together) || llvm::is_contained(Shared, Lock);
  });
}

bool LockEvidence::isGuarded(const ValueDecl &Declaration) {
  return Declaration.hasAttr<GuardedByAttr>() ||
         Declaration.hasAttr<PtGuardedByAttr>();
}

bool LockEvidence::shareLock(ArrayRef<CodePlace> Places,
                             CallersFunction Callers) {
  if (Places.empty())
    return false;
  LockNames Common = heldAt(Places.front(), Callers);
  for (const CodePlace &Place : Places.drop_front()) {
    if (Common.empty())
      return false;
    LockNames Held = heldAt(Place, Callers);
    // A lock that only a name promises may be any of the others.
    if (llvm::is_contained(Held, SomeLock))
      continue;
    if (llvm::is_contained(Common, SomeLock))
      Common = Held;
    else
      intersect(Common, Held);
  }
  return !Common.empty();
}

} // namespace linesman::tidy
