// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generators by hand are known by their arithmetic, not by a name: a product of
// the state with a constant (linear congruence), or the state mixed with itself
// shifted (xorshift). Those of libraries by their names, classes by what their
// methods do.

#include "Analysis/Writes/RandomDraws.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Code/VisibleBody.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace linesman::tidy {

bool isStandardEngine(QualType Type) {
  const auto *Class = Type.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() && Class->isInStdNamespace() &&
         WordSwitch<bool>(Class->getName())
             .Cases({"mersenne_twister_engine", "linear_congruential_engine",
                     "subtract_with_carry_engine", "discard_block_engine",
                     "shuffle_order_engine", "independent_bits_engine",
                     "philox_engine"},
                    true)
             .Default(false);
}

namespace {

/// A variable, or a field of the object that a method is called for.
bool names(const Expr *E, const ValueDecl &State) {
  const Expr *Inner = E ? E->IgnoreParenImpCasts() : nullptr;
  if (const auto *Member = dyn_cast_if_present<MemberExpr>(Inner))
    return isa<CXXThisExpr>(Member->getBase()->IgnoreParenCasts()) &&
           Member->getMemberDecl() == &State;
  const auto *Ref = dyn_cast_if_present<DeclRefExpr>(Inner);
  return Ref && Ref->getDecl()->getCanonicalDecl() == State.getCanonicalDecl();
}

/// What has \p Name, of a variable, as it is.
const Stmt *userOf(const Expr &Name, const FunctionDecl &Function) {
  StmtPath Path;
  if (!Function.getBody() || !findPath(*Function.getBody(), Name, Path))
    return nullptr;
  for (size_t I = Path.size() - 1; I-- != 0;)
    if (!isa<ParenExpr, ImplicitCastExpr>(Path[I]))
      return Path[I];
  return nullptr;
}

/// engine(), and a call that is given the engine: nobody takes one for anything
/// but to draw, or else says so (a seed, a stream).
bool drawsFromEngine(const Access &Use, const ValueDecl &Engine) {
  const Expr &Site = *Use.Site->IgnoreParenImpCasts();
  const Stmt *User =
      isa<DeclRefExpr, MemberExpr>(Site) ? userOf(Site, *Use.Function) : &Site;
  const auto *Call = dyn_cast_if_present<CallExpr>(User);
  if (!Call)
    return false;
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
  if (Member && names(Member->getImplicitObjectArgument(), Engine))
    return false;
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
  if (Operator)
    return Operator->getOperator() == OO_Call &&
           llvm::any_of(Operator->arguments(), [&](const Expr *Argument) {
             return names(Argument, Engine);
           });
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || !Callee->getIdentifier() ||
      Callee->getName().contains_insensitive("seed"))
    return false;
  for (unsigned I = 0; I != Call->getNumArgs(); ++I)
    if (names(Call->getArg(I), Engine))
      return I < Callee->getNumParams() &&
             Callee->getParamDecl(I)->getType()->isReferenceType() &&
             !Callee->getParamDecl(I)
                  ->getType()
                  .getNonReferenceType()
                  .isConstQualified();
  return false;
}

/// nrand48(state), rand_r(&seed): the C library's, which are given their state
/// first.
bool drawsByLibrary(const Access &Use) {
  const VarDecl &State = *Use.Object.Root;
  const auto *Call = dyn_cast<CallExpr>(Use.Site->IgnoreParenImpCasts());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || !Callee->getIdentifier() || !Callee->isExternC() ||
      Call->getNumArgs() == 0 ||
      !State.getASTContext().getSourceManager().isInSystemHeader(
          Callee->getLocation()))
    return false;
  const VarDecl *Given = namedVariable(*Call->getArg(0));
  return Given && Given->getCanonicalDecl() == State.getCanonicalDecl() &&
         WordSwitch<bool>(Callee->getName())
             .Cases({"nrand48", "erand48", "jrand48", "rand_r", "random_r"},
                    true)
             .Cases({"drand48_r", "lrand48_r", "mrand48_r", "nrand48_r",
                     "erand48_r", "jrand48_r"},
                    true)
             .Default(false);
}

/// state * 1103515245, state << 13, also inside of sums and remainders.
bool stepsIn(const Expr *E, const ValueDecl &State, BinaryOperatorKind Step,
             const ASTContext &Unit, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 6;
  const auto *Binary =
      E ? dyn_cast<BinaryOperator>(E->IgnoreParenCasts()) : nullptr;
  if (!Binary || Depth == MaxDepth)
    return false;
  auto IsFactor = [&](const Expr *Side) {
    return !Side->isValueDependent() && Side->isEvaluatable(Unit);
  };
  const Expr *Left = Binary->getLHS()->IgnoreParenCasts();
  const Expr *Right = Binary->getRHS()->IgnoreParenCasts();
  if (Binary->getOpcode() == Step &&
      ((names(Left, State) && IsFactor(Right)) ||
       (Step == BO_Mul && names(Right, State) && IsFactor(Left))))
    return true;
  return stepsIn(Left, State, Step, Unit, Depth + 1) ||
         stepsIn(Right, State, Step, Unit, Depth + 1);
}

/// state = state * a + c: a plain factor alone scales something (backoff *= 2
/// comes to an end), a sum or a remainder around it goes on for ever.
bool isStepOf(const ValueDecl &State, const Stmt &S) {
  if (!State.getType()->isIntegerType())
    return false;
  const ASTContext &Unit = State.getASTContext();
  const auto *Store = dyn_cast<BinaryOperator>(&S);
  if (!Store || !names(Store->getLHS(), State))
    return false;
  const auto *Value =
      dyn_cast<BinaryOperator>(Store->getRHS()->IgnoreParenCasts());
  if (Store->getOpcode() == BO_XorAssign)
    return stepsIn(Value, State, BO_Shl, Unit) ||
           stepsIn(Value, State, BO_Shr, Unit);
  return Store->getOpcode() == BO_Assign && Value &&
         Value->getOpcode() != BO_Mul && stepsIn(Value, State, BO_Mul, Unit);
}

/// A hash takes something in on each step, a generator only itself.
bool isFromStateAlone(const Stmt &S, const FieldDecl &State) {
  if (const auto *E = dyn_cast<Expr>(&S)) {
    if (names(E, State))
      return true;
    if (isa<CallExpr, MemberExpr, CXXThisExpr>(E))
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return !Ref->isValueDependent() &&
             Ref->isEvaluatable(State.getASTContext());
  }
  return llvm::all_of(S.children(), [&](const Stmt *Child) {
    return !Child || isFromStateAlone(*Child, State);
  });
}

/// The method, or one that it calls for the same object, makes an integer of
/// the object its own successor.
bool stepsObject(const CXXMethodDecl &Method, unsigned Depth = 0);

bool stepsObjectIn(const Stmt &S, unsigned Depth) {
  if (const auto *Store = dyn_cast<BinaryOperator>(&S);
      Store && Store->isAssignmentOp())
    if (const auto *Member =
            dyn_cast<MemberExpr>(Store->getLHS()->IgnoreParenImpCasts()))
      if (const auto *State = dyn_cast<FieldDecl>(Member->getMemberDecl());
          State && isStepOf(*State, *Store) &&
          isFromStateAlone(*Store->getRHS(), *State))
        return true;
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(&S))
    if (const CXXMethodDecl *Callee = Call->getMethodDecl();
        Callee &&
        isa<CXXThisExpr>(
            Call->getImplicitObjectArgument()->IgnoreParenCasts()) &&
        stepsObject(*Callee, Depth + 1))
      return true;
  return llvm::any_of(S.children(), [&](const Stmt *Child) {
    return Child && stepsObjectIn(*Child, Depth);
  });
}

bool stepsObject(const CXXMethodDecl &Method, unsigned Depth) {
  constexpr unsigned MaxDepth = 2;
  const FunctionDecl *Definition = nullptr;
  return Depth <= MaxDepth && !Method.isConst() &&
         visibleBody(Method, Definition) &&
         stepsObjectIn(*Definition->getBody(), Depth);
}

bool hasInside(const Stmt &S, llvm::function_ref<bool(const Stmt &)> Is) {
  return Is(S) || llvm::any_of(S.children(), [&](const Stmt *Child) {
           return Child && hasInside(*Child, Is);
         });
}

/// state ^= value, state = state * 33 + value, of a field and a parameter: so
/// does a hash, and no generator.
bool takesIn(const Stmt &S) {
  const auto *Store = dyn_cast<BinaryOperator>(&S);
  const auto *Member =
      Store && Store->isAssignmentOp()
          ? dyn_cast<MemberExpr>(Store->getLHS()->IgnoreParenImpCasts())
          : nullptr;
  if (!Member)
    return false;
  auto IsParameter = [](const Stmt &Part) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    return Ref && isa<ParmVarDecl>(Ref->getDecl());
  };
  auto IsState = [&](const Stmt &Part) {
    const auto *E = dyn_cast<Expr>(&Part);
    return E && names(E, *Member->getMemberDecl());
  };
  return hasInside(*Store->getRHS(), IsParameter) &&
         (Store->isCompoundAssignmentOp() ||
          hasInside(*Store->getRHS(), IsState));
}

/// rng.next(), rng(): of a class of the project's own that has little but its
/// state.
bool drawsByMethod(const Access &Use) {
  constexpr unsigned MostFields = 4;
  const auto *Class = Use.Object.Root->getType()->getAsCXXRecordDecl();
  Class = Class ? Class->getDefinition() : nullptr;
  if (!Class || Class->isInStdNamespace() || Class->field_empty() ||
      std::distance(Class->field_begin(), Class->field_end()) > MostFields)
    return false;
  const auto *Call = dyn_cast<CallExpr>(Use.Site->IgnoreParenImpCasts());
  const auto *Method = dyn_cast_if_present<CXXMethodDecl>(
      Call ? Call->getDirectCallee() : nullptr);
  return Method && !Method->getReturnType()->isVoidType() &&
         isa<CXXMemberCallExpr, CXXOperatorCallExpr>(Call) &&
         stepsObject(*Method) &&
         llvm::none_of(Class->methods(), [](const CXXMethodDecl *Other) {
           return Other->hasBody() && hasInside(*Other->getBody(), takesIn);
         });
}

} // namespace

bool drawsRandom(const Access &Use) {
  const VarDecl *Root = Use.Object.Root;
  if (!Root || !Use.Object.Path.empty() || Use.Object.Index || !Use.Function)
    return false;
  if (isStandardEngine(Root->getType()))
    return drawsFromEngine(Use, *Root);
  return Use.writes() && (isStepOf(*Root, *Use.Site->IgnoreParens()) ||
                          drawsByLibrary(Use) || drawsByMethod(Use));
}

bool drawsForThreads(const Access &Use) {
  return drawsByLibrary(Use) && cast<CallExpr>(Use.Site->IgnoreParenImpCasts())
                                    ->getDirectCallee()
                                    ->getName()
                                    .ends_with("_r");
}

bool drawsFromOwnEngine(const Access &Use) {
  const FieldDecl *Field = Use.Object.field();
  return Field && Use.Object.IsThis && Use.Object.Path.size() == 1 &&
         !Use.Object.Index && Use.Function &&
         isStandardEngine(Field->getType()) && drawsFromEngine(Use, *Field);
}

bool givesOutEngine(const Access &Use) {
  const VarDecl *Root = Use.Object.Root;
  if (!Root || !Use.Object.Path.empty() || Use.Object.Index || !Use.Function ||
      !isStandardEngine(Root->getType()))
    return false;
  QualType Result = Use.Function->getReturnType();
  const Expr &Site = *Use.Site->IgnoreParenImpCasts();
  return Result->isLValueReferenceType() &&
         !Result.getNonReferenceType().isConstQualified() &&
         isa<DeclRefExpr>(Site) &&
         isa_and_nonnull<ReturnStmt>(userOf(Site, *Use.Function));
}

} // namespace linesman::tidy
