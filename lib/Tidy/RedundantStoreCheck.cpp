// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Even a failing atomic write takes the line exclusively. A load first leaves
// it with everybody until there is something to do. One report an object and
// function.

#include "RedundantStoreCheck.h"
#include "Analysis/AccessPath.h"
#include "Analysis/HotAccesses.h"
#include "Analysis/LoopObject.h"
#include "Analysis/PlainName.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

RedundantStoreCheck::RedundantStoreCheck(StringRef Name,
                                         ClangTidyContext *Context,
                                         std::shared_ptr<UnitAnalyses> Analyses)
    : LinesmanCheck(Name, Context, std::move(Analyses)),
      PlainStores(Options.get("PlainStores", false)) {}

void RedundantStoreCheck::storeOptions(ClangTidyOptions::OptionMap &Map) {
  LinesmanCheck::storeOptions(Map);
  Options.store(Map, "PlainStores", PlainStores);
}

namespace {

std::string nameOf(const Place &Object) {
  if (const FieldDecl *Field = Object.field())
    return fieldName(*Field);
  if (Object.Root)
    return plainName(*Object.Root);
  if (Object.Array && !Object.Base)
    return plainName(*Object.Array);
  return Object.Base ? Object.Base->getNameAsString() : "*this";
}

/// The arguments after the object's.
SmallVector<const Expr *, 4> operandsOf(const Expr &Site) {
  const Expr *Inner = Site.IgnoreParenImpCasts();
  SmallVector<const Expr *, 4> Operands;
  if (const auto *Atomic = dyn_cast<AtomicExpr>(Inner)) {
    unsigned Count = Atomic->getNumSubExprs();
    if (Count > 2)
      Operands.push_back(Atomic->getVal1());
    if (Atomic->isCmpXChg())
      Operands.push_back(Atomic->getVal2());
    return Operands;
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner))
    return {Binary->getRHS()};
  const auto *Call = dyn_cast<CallExpr>(Inner);
  if (!Call)
    return Operands;
  bool HasObject = isa<CXXMemberCallExpr>(Call);
  for (const Expr *Argument :
       llvm::drop_begin(Call->arguments(), HasObject ? 0 : 1))
    if (!isa<CXXDefaultArgExpr>(Argument))
      Operands.push_back(Argument);
  return Operands;
}

/// A value that is the same on every call. Zero for a null pointer.
std::optional<uint64_t> constantOf(const Expr *E, const ASTContext &Unit) {
  if (!E || E->isValueDependent())
    return std::nullopt;
  E = E->IgnoreParenImpCasts();
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr>(E))
    return 0;
  Expr::EvalResult Value;
  if (E->getType()->isIntegralOrEnumerationType() &&
      E->EvaluateAsInt(Value, Unit, Expr::SE_NoSideEffects))
    return Value.Val.getInt().getLimitedValue();
  if (E->getType()->isPointerType() &&
      E->isNullPointerConstant(const_cast<ASTContext &>(Unit),
                               Expr::NPC_ValueDependentIsNotNull))
    return 0;
  return std::nullopt;
}

class RedundantStores {
public:
  RedundantStores(const UnitAccesses &Accesses, const TypeKinds &Kinds,
                  const ASTContext &Unit)
      : Accesses(Accesses), Hot(Accesses, Kinds), Unit(Unit) {}

  /// Takes the lock by force: exchange or test_and_set as a loop's way out, and
  /// nobody looks first.
  bool isBlindSpin(const Access &Each) {
    if (!Each.Loop || !Each.IsInCondition || !Each.IsResultUsed)
      return false;
    AtomicOperation Operation = Hot.operationOf(Each);
    if (Operation == AtomicOperation::Exchange) {
      // exchange(nullptr) in a loop takes a queue's elements; a lock is taken
      // by storing something.
      auto Operands = operandsOf(*Each.Site);
      std::optional<uint64_t> Value =
          Operands.empty() ? std::nullopt : constantOf(Operands[0], Unit);
      if (!Value || *Value == 0)
        return false;
    } else if (Operation != AtomicOperation::TestAndSet) {
      return false;
    }
    const Expr *Object = operatedObject(*Each.Site);
    return Object && isSameOnEveryTurn(*Object, *Each.Loop) &&
           !isLoadedIn(*Each.Loop, Each);
  }

  /// Fails whenever the value is not the one constant, and nobody looked.
  bool isBlindCompareExchange(const Access &Each) {
    if (Hot.operationOf(Each) != AtomicOperation::CompareExchange)
      return false;
    auto Operands = operandsOf(*Each.Site);
    if (Operands.empty() || !isConstantExpectation(*Operands[0], Each))
      return false;
    return !Hot.isReadBefore(Each) &&
           !(Each.Loop && isLoadedIn(*Each.Loop, Each));
  }

  /// flag = true on every call, though it mostly is.
  bool isBlindStore(const Access &Each) {
    if (Hot.kindOf(Each) != AccessKind::Write || Each.IsConditional ||
        !(Each.Object.Root || Hot.isAtomic(Each)) || Each.Object.Index)
      return false;
    auto Operands = operandsOf(*Each.Site);
    return !Operands.empty() && constantOf(Operands[0], Unit) &&
           !Hot.isReadBefore(Each) && isOnlyStoreIn(Each) &&
           !isClaimedElsewhere(Each);
  }

  bool isHot(const Access &Each) { return Hot.isHotWrite(Each); }

private:
  bool isLoadedIn(const Stmt &Loop, const Access &Each) const {
    for (unsigned Index : Accesses.in(*Each.Function)) {
      const Access &Other = Accesses.all()[Index];
      if (Other.Kind != AccessKind::Read || !Other.Object.isSameAs(Each.Object))
        continue;
      for (const Stmt *Around = Other.Loop; Around;
           Around = Accesses.outerLoop(*Around))
        if (Around == &Loop)
          return true;
    }
    return false;
  }

  bool isConstantExpectation(const Expr &Expected, const Access &Each) const {
    // By value (the __sync builtins), or a variable by reference or address.
    const Expr *Inner = Expected.IgnoreParenImpCasts();
    if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
        Unary && Unary->getOpcode() == UO_AddrOf)
      Inner = Unary->getSubExpr()->IgnoreParenImpCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Inner)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      // A failed weak exchange in a loop that starts over from the constant
      // counts; one that goes on with the value it saw has looked.
      return Var && Var->hasLocalStorage() && Var->hasInit() &&
             constantOf(Var->getInit(), Unit) &&
             (!Each.Loop || isInside(*Var, *Each.Loop) ||
              isReassigned(*Var, *Each.Loop));
    }
    return constantOf(&Expected, Unit).has_value();
  }

  bool isInside(const VarDecl &Var, const Stmt &Loop) const {
    const SourceManager &Sources = Unit.getSourceManager();
    return Sources.isBeforeInTranslationUnit(Loop.getBeginLoc(),
                                             Var.getBeginLoc());
  }

  /// `expected = 0;` in the loop.
  bool isReassigned(const VarDecl &Var, const Stmt &S) const {
    if (const auto *Binary = dyn_cast<BinaryOperator>(&S))
      if (Binary->getOpcode() == BO_Assign)
        if (const auto *Ref =
                dyn_cast<DeclRefExpr>(Binary->getLHS()->IgnoreParenImpCasts());
            Ref && Ref->getDecl() == &Var)
          return constantOf(Binary->getRHS(), Unit).has_value();
    for (const Stmt *Child : S.children())
      if (Child && isReassigned(Var, *Child))
        return true;
    return false;
  }

  /// A lock's release has to be written.
  bool isClaimedElsewhere(const Access &Each) const {
    const FieldDecl *Field = Each.Object.field();
    auto Uses = Field              ? Accesses.of(*Field)
                : Each.Object.Root ? Accesses.of(*Each.Object.Root)
                                   : llvm::ArrayRef<unsigned>();
    return llvm::any_of(Uses, [&](unsigned Index) {
      return Accesses.all()[Index].Kind == AccessKind::Update;
    });
  }

  bool isOnlyStoreIn(const Access &Each) const {
    for (unsigned Index : Accesses.in(*Each.Function)) {
      const Access &Other = Accesses.all()[Index];
      if (&Other != &Each && Other.writes() &&
          Other.Object.isSameAs(Each.Object))
        return false;
    }
    return true;
  }

  const UnitAccesses &Accesses;
  HotAccesses Hot;
  const ASTContext &Unit;
};

/// The load that goes in front of \p Site: "lock.load(...)". Empty where it
/// cannot be written down from the text, or would do more than load.
std::string loadFor(const Access &Each, const ASTContext &Unit) {
  const Expr *Site = Each.Site->IgnoreParenImpCasts();
  const Expr *Operated = operatedObject(*Site);
  if (!Operated || Operated->HasSideEffects(Unit))
    return "";
  const SourceManager &Sources = Unit.getSourceManager();
  auto TextOf = [&](const Expr *E) {
    return Lexer::getSourceText(
               CharSourceRange::getTokenRange(E->getSourceRange()), Sources,
               Unit.getLangOpts())
        .str();
  };
  if (Site->getBeginLoc().isMacroID())
    return "";
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Site)) {
    const auto *Callee = dyn_cast<MemberExpr>(Member->getCallee());
    if (!Callee || Callee->isImplicitAccess() ||
        Callee->getOperatorLoc().isInvalid())
      return "";
    std::string Object =
        TextOf(Callee->getBase()) + (Callee->isArrow() ? "->" : ".");
    if (Each.Atomic == AtomicOperation::TestAndSet)
      return Unit.getLangOpts().CPlusPlus20
                 ? Object + "test(std::memory_order_relaxed)"
                 : "";
    return Object + "load(std::memory_order_relaxed)";
  }
  if (const auto *Atomic = dyn_cast<AtomicExpr>(Site)) {
    if (Atomic->getOp() == AtomicExpr::AO__atomic_exchange_n)
      return "__atomic_load_n(" + TextOf(Atomic->getPtr()->IgnoreImpCasts()) +
             ", __ATOMIC_RELAXED)";
  }
  return "";
}

/// `!x.exchange(1)` succeeds where `x.exchange(1)` is busy.
const Expr *conditionAround(const Expr &Site, const Stmt *Condition) {
  if (!Condition)
    return nullptr;
  const auto *E = dyn_cast<Expr>(Condition);
  if (!E)
    return nullptr;
  E = E->IgnoreParenImpCasts();
  if (E == &Site || E->IgnoreParenImpCasts() == Site.IgnoreParenImpCasts())
    return E;
  return nullptr;
}

const Stmt *conditionOf(const Stmt &Loop) {
  if (const auto *While = dyn_cast<WhileStmt>(&Loop))
    return While->getCond();
  if (const auto *Do = dyn_cast<DoStmt>(&Loop))
    return Do->getCond();
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    return For->getCond();
  return nullptr;
}

} // namespace

void RedundantStoreCheck::checkUnit(ASTContext &Unit) {
  TypeKinds Kinds = typeKinds();
  const UnitAccesses &Accesses = accesses(Unit);
  RedundantStores Stores(Accesses, Kinds, Unit);
  llvm::SmallSet<SourceLocation, 8> Reported;
  for (const Access &Each : Accesses.all()) {
    if (!Each.writes() || !Each.Function)
      continue;
    bool IsSpin = Stores.isBlindSpin(Each);
    bool IsExchange = !IsSpin && Stores.isBlindCompareExchange(Each);
    bool IsStore =
        PlainStores && !IsSpin && !IsExchange && Stores.isBlindStore(Each);
    if (!IsSpin && !IsExchange && !IsStore)
      continue;
    if (!Stores.isHot(Each) || isAccepted(Each.Object) ||
        !Reported.insert(place(Each)).second)
      continue;
    report(Each,
           IsSpin       ? Form::Spin
           : IsExchange ? Form::Exchange
                        : Form::Store,
           Unit);
  }
}

bool RedundantStoreCheck::isAccepted(const Place &Object) const {
  if ((Object.Root && common().isAccepted(*Object.Root)) ||
      (Object.Array && common().isAccepted(*Object.Array)))
    return true;
  return llvm::any_of(Object.Path, [&](const FieldDecl *Field) {
    return common().isAccepted(*Field);
  });
}

void RedundantStoreCheck::report(const Access &Each, Form Kind,
                                 const ASTContext &Unit) {
  std::string Name = nameOf(Each.Object);
  switch (Kind) {
  case Form::Spin: {
    DiagnosticBuilder Warning = diag(
        place(Each),
        "this loop writes '%0' on every turn while it waits: each waiting core "
        "takes the cache line away from the others and from the one that will "
        "release it; wait with a load, and write only when it looks free");
    Warning << Name;
    const Expr *Whole = conditionAround(*Each.Site, conditionOf(*Each.Loop));
    std::string Load = loadFor(Each, Unit);
    if (Whole && !Load.empty())
      Warning << FixItHint::CreateInsertion(Whole->getBeginLoc(),
                                            Load + " || ");
    break;
  }
  case Form::Exchange:
    diag(place(Each),
         "this compare-exchange on '%0' expects a constant, and nothing loads "
         "'%0' before: it takes the cache line away from all other cores also "
         "when it fails; test the value with a load first")
        << Name;
    break;
  case Form::Store:
    diag(place(Each),
         "every call of '%1' stores the same constant to '%0', also when it is "
         "already there: the cache line moves to this core for nothing; test "
         "before storing")
        << Name << plainName(*Each.Function);
    break;
  }
  const ValueDecl *Declaration = Each.Object.field();
  if (!Declaration)
    Declaration = Each.Object.Root ? Each.Object.Root : Each.Object.Array;
  if (Declaration)
    diag(Declaration->getLocation(), "'%0' is declared here",
         DiagnosticIDs::Note)
        << Name;
}

} // namespace linesman::tidy
