// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an access up to where its object comes from, through locals and callers.

#include "Analysis/Threads/ObjectOwners.h"
#include "Analysis/Code/LocalValues.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Code/VisibleBody.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// Through a few helpers and the local of each; recursion must end.
constexpr unsigned MaxOwnerDepth = 10;

const Expr *bare(const Expr &E) {
  return E.IgnoreParenCasts()->IgnoreUnlessSpelledInSource();
}

/// The first mention of the field in the access: what is written comes before
/// what is read for it.
const MemberExpr *memberIn(const Stmt *S, const FieldDecl &Field) {
  if (!S)
    return nullptr;
  if (const auto *Member = dyn_cast<MemberExpr>(S);
      Member && Member->getMemberDecl() == &Field)
    return Member;
  for (const Stmt *Child : S->children())
    if (const MemberExpr *Found = memberIn(Child, Field))
      return Found;
  return nullptr;
}

/// node->next, next_of(node): the walk goes on from the node itself.
bool goesOnFrom(const Expr &Value, const VarDecl &Node) {
  return mentions(Value, Node) &&
         !isa<UnaryOperator, BinaryOperator>(bare(Value));
}

/// What a function returns, on each of its ways.
void findReturned(const Stmt *S, llvm::SmallVectorImpl<const Expr *> &Values) {
  if (!S || isa<LambdaExpr>(S))
    return;
  if (const auto *Return = dyn_cast<ReturnStmt>(S);
      Return && Return->getRetValue())
    Values.push_back(Return->getRetValue());
  for (const Stmt *Child : S->children())
    findReturned(Child, Values);
}

bool soundsRandom(const FunctionDecl *Callee) {
  return Callee && Callee->getIdentifier() &&
         (Callee->getName().contains_insensitive("rand") ||
          Callee->getName().contains_insensitive("rng"));
}

/// Libraries' own ways to a thread's object.
bool givesThreadsOwn(const FunctionDecl &Callee) {
  return Callee.getIdentifier() &&
         WordSwitch<bool>(Callee.getName())
             .Cases({"pthread_getspecific", "tss_get", "g_private_get",
                     "uv_key_get", "TlsGetValue"},
                    true)
             .Default(false);
}

bool isSmartPointerStep(const CXXOperatorCallExpr &Call) {
  return (Call.getOperator() == OO_Star || Call.getOperator() == OO_Arrow) &&
         Call.getNumArgs() == 1;
}

} // namespace

Parties ObjectOwners::partiesOf(const Access &Use, const FieldDecl &Field) {
  const MemberExpr *Member = memberIn(Use.Site, Field);
  return Member && Use.Function ? ofObject(*Member, *Use.Function, 0)
                                : Parties();
}

bool ObjectOwners::isCallers(const Access &Use, const FieldDecl &Field) {
  const Expr *Inner = memberIn(Use.Site, Field);
  while (const auto *Member = dyn_cast_if_present<MemberExpr>(Inner)) {
    Inner = bare(*Member->getBase());
    if (Member->isArrow())
      break;
  }
  if (!Inner)
    return false;
  const VarDecl *Var = variableOf(*Inner);
  return isa<CXXThisExpr>(Inner) || isa_and_nonnull<ParmVarDecl>(Var);
}

Parties ObjectOwners::ofObject(const Expr &E, const FunctionDecl &F,
                               unsigned Depth) {
  if (Depth > MaxOwnerDepth)
    return {};
  const Expr *Inner = bare(E);
  if (const auto *Member = dyn_cast<MemberExpr>(Inner)) {
    if (const auto *Static = dyn_cast<VarDecl>(Member->getMemberDecl()))
      return {.HasOwner = isPerThread(*Static), .HasOther = false};
    return Member->isArrow() ? ofPointer(*Member->getBase(), F, Depth + 1)
                             : ofObject(*Member->getBase(), F, Depth + 1);
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Inner)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    // A local object is nobody's yet; a reference is the object it names.
    if (!Var || !(Var->getType()->isReferenceType() || isPerThread(*Var)))
      return {};
    return ofVariable(*Var, F, Depth);
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Inner))
    return ofElement(*Subscript->getIdx(), F, Depth + 1);
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
      Unary && Unary->getOpcode() == UO_Deref)
    return ofPointer(*Unary->getSubExpr(), F, Depth + 1);
  if (const auto *Call = dyn_cast<CallExpr>(Inner))
    return ofCall(*Call, F, Depth + 1);
  return {};
}

Parties ObjectOwners::ofPointer(const Expr &E, const FunctionDecl &F,
                                unsigned Depth) {
  if (Depth > MaxOwnerDepth)
    return {};
  const Expr *Inner = bare(E);
  if (isa<CXXThisExpr>(Inner))
    return ofThis(F, Depth);
  if (const VarDecl *Var = variableOf(*Inner))
    return ofVariable(*Var, F, Depth);
  if (const auto *Member = dyn_cast<MemberExpr>(Inner)) {
    const auto *Static = dyn_cast<VarDecl>(Member->getMemberDecl());
    return {.HasOwner = Static && isPerThread(*Static), .HasOther = false};
  }
  // The pointer that an array of pointers holds, or the array's own element.
  if (isa<ArraySubscriptExpr, CallExpr>(Inner))
    return ofObject(*Inner, F, Depth);
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner)) {
    if (Unary->getOpcode() == UO_AddrOf)
      return ofObject(*Unary->getSubExpr(), F, Depth + 1);
    if (Unary->getOpcode() == UO_Deref)
      return ofPointer(*Unary->getSubExpr(), F, Depth + 1);
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner);
      Binary && Binary->isAdditiveOp() && Binary->getType()->isPointerType())
    return ofElement(Binary->getLHS()->getType()->isPointerType()
                         ? *Binary->getRHS()
                         : *Binary->getLHS(),
                     F, Depth + 1);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(Inner))
    return ofPointer(*Choice->getTrueExpr(), F, Depth + 1) |
           ofPointer(*Choice->getFalseExpr(), F, Depth + 1);
  return {};
}

Parties ObjectOwners::ofVariable(const VarDecl &Var, const FunctionDecl &F,
                                 unsigned Depth) {
  if (isPerThread(Var))
    return {.HasOwner = true, .HasOther = false};
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(&Var))
    return ofParameter(*Parameter, F, Depth);
  if (!Var.hasLocalStorage())
    return {};
  // for (Worker *each : workers)
  if (Var.isCXXForRangeDecl())
    return {.HasOwner = false, .HasOther = true};
  Parties Result;
  bool IsWalk = false;
  auto Values = assignmentsOf(Var, F);
  if (Var.hasInit() && !Var.getInit()->isValueDependent())
    Values.push_back(Var.getInit());
  for (const Expr *Value : Values) {
    if (goesOnFrom(*Value, Var))
      IsWalk = true;
    else if (Value->getType()->isPointerType())
      Result = Result | ofPointer(*Value, F, Depth + 1);
    else
      Result = Result | ofObject(*Value, F, Depth + 1);
  }
  // A walk along the thread's own list stays among what it owns.
  if (IsWalk && !Result.HasOwner)
    Result.HasOther = true;
  return Result;
}

Parties ObjectOwners::ofParameter(const ParmVarDecl &Parameter,
                                  const FunctionDecl &F, unsigned Depth) {
  auto [Place, IsNew] = Parameters.try_emplace(&Parameter, Parties());
  if (!IsNew)
    return Place->second;
  Parties Result;
  const auto *Callee = dyn_cast<FunctionDecl>(Parameter.getDeclContext());
  if (!Callee || Depth > MaxOwnerDepth)
    return Result;
  if (Starts.isOwnArgument(Parameter, F))
    Result.HasOwner = true;
  const unsigned Position = Parameter.getFunctionScopeIndex();
  for (const CodePlace &Caller : Accesses.callersOf(*Callee)) {
    const auto *Call = dyn_cast_if_present<CallExpr>(Caller.Site);
    if (!Call || !Caller.Function || Caller.Function == &F)
      continue;
    // An operator's first argument is its object.
    const unsigned Index = Position + (isa<CXXOperatorCallExpr>(Call) &&
                                       isa<CXXMethodDecl>(Callee));
    if (Index >= Call->getNumArgs())
      continue;
    const Expr &Argument = *Call->getArg(Index);
    Result = Result | (Parameter.getType()->isPointerType()
                           ? ofPointer(Argument, *Caller.Function, Depth + 1)
                           : ofObject(Argument, *Caller.Function, Depth + 1));
  }
  return Parameters[&Parameter] = Result;
}

Parties ObjectOwners::ofThis(const FunctionDecl &Method, unsigned Depth) {
  auto [Place, IsNew] =
      Methods.try_emplace(Method.getCanonicalDecl(), Parties());
  if (!IsNew)
    return Place->second;
  Parties Result;
  if (Depth > MaxOwnerDepth)
    return Result;
  for (const CodePlace &Caller : Accesses.callersOf(Method)) {
    const auto *Call = dyn_cast_if_present<CXXMemberCallExpr>(Caller.Site);
    const Expr *Object = Call ? Call->getImplicitObjectArgument() : nullptr;
    if (!Object || !Caller.Function || Caller.Function == &Method)
      continue;
    Result = Result | (Object->getType()->isPointerType()
                           ? ofPointer(*Object, *Caller.Function, Depth + 1)
                           : ofObject(*Object, *Caller.Function, Depth + 1));
  }
  return Methods[Method.getCanonicalDecl()] = Result;
}

Parties ObjectOwners::ofCall(const CallExpr &Call, const FunctionDecl &F,
                             unsigned Depth) {
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call)) {
    if (Operator->getOperator() == OO_Subscript && Operator->getNumArgs() == 2)
      return ofElement(*Operator->getArg(1), F, Depth);
    if (isSmartPointerStep(*Operator))
      return ofObject(*Operator->getArg(0), F, Depth);
  }
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || Depth > MaxOwnerDepth)
    return {};
  if (givesThreadsOwn(*Callee))
    return {.HasOwner = true, .HasOther = false};
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
      Member && Callee->getIdentifier()) {
    if (Callee->getName() == "at" && Member->getNumArgs() == 1)
      return ofElement(*Member->getArg(0), F, Depth);
    if (Callee->getName() == "get" && Member->getNumArgs() == 0)
      return ofObject(*Member->getImplicitObjectArgument(), F, Depth);
  }
  const FunctionDecl *Definition = Callee->getDefinition();
  llvm::SmallVector<const Expr *, 4> Values;
  if (Definition)
    findReturned(visibleBody(*Definition), Values);
  constexpr unsigned MostWays = 4;
  if (Values.empty() || Values.size() > MostWays)
    return {};
  // worker(i), which returns workers[i].
  if (Values.size() == 1 && Call.getNumArgs() == 1 &&
      Call.getArg(0)->getType()->isIntegerType() &&
      isa<ArraySubscriptExpr, UnaryOperator, CXXOperatorCallExpr>(
          bare(*Values[0])))
    return ofElement(*Call.getArg(0), F, Depth);
  Parties Result;
  for (const Expr *Value : Values)
    Result = Result | (Value->getType()->isPointerType()
                           ? ofPointer(*Value, *Definition, Depth + 1)
                           : ofObject(*Value, *Definition, Depth + 1));
  return Result;
}

Parties ObjectOwners::ofElement(const Expr &Index, const FunctionDecl &F,
                                unsigned Depth) {
  if (Origin.isThreadNumber(Index, &F))
    return {.HasOwner = true, .HasOther = false};
  return {.HasOwner = false, .HasOther = isChosen(Index, F, Depth)};
}

bool ObjectOwners::isChosen(const Expr &Index, const FunctionDecl &F,
                            unsigned Depth) {
  if (Depth > MaxOwnerDepth || Origin.isThreadNumber(Index, &F))
    return false;
  const Expr *Inner = bare(Index);
  if (isa<ArraySubscriptExpr, CXXOperatorCallExpr>(Inner))
    return true;
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner))
    return Binary->isMultiplicativeOp() || Binary->isAdditiveOp() ||
           Binary->isBitwiseOp();
  // What nobody here sees may be the thread's number by another name.
  if (const auto *Call = dyn_cast<CallExpr>(Inner))
    return soundsRandom(Call->getDirectCallee());
  const VarDecl *Var = variableOf(*Inner);
  if (!Var || !Var->hasLocalStorage())
    return false;
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(Var)) {
    const auto *Callee = dyn_cast<FunctionDecl>(Parameter->getDeclContext());
    const unsigned Position = Parameter->getFunctionScopeIndex();
    return Callee &&
           llvm::any_of(
               Accesses.callersOf(*Callee), [&](const CodePlace &Caller) {
                 const auto *Call = dyn_cast_if_present<CallExpr>(Caller.Site);
                 return Call && Caller.Function && Caller.Function != &F &&
                        Position < Call->getNumArgs() &&
                        isChosen(*Call->getArg(Position), *Caller.Function,
                                 Depth + 1);
               });
  }
  for (const Expr *Value : assignmentsOf(*Var, F)) {
    const auto *Unary = dyn_cast<UnaryOperator>(bare(*Value));
    if ((Unary && Unary->isIncrementDecrementOp()) ||
        isChosen(*Value, F, Depth + 1))
      return true;
  }
  return Var->hasInit() && !Var->getInit()->isValueDependent() &&
         isChosen(*Var->getInit(), F, Depth + 1);
}

} // namespace linesman::tidy
