// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements and the values of expressions. Calls are in UnitWalkerCalls.cpp,
// the objects that expressions name in UnitWalkerObjects.cpp.

#include "Analysis/Accesses/UnitWalker.h"
#include "Analysis/Code/AtomicAssembly.h"
#include "Analysis/Code/Likelihood.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/OpenMPKinds.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using llvm::SaveAndRestore;

namespace linesman::tidy {

namespace {

/// A continue of this loop, whose body \p S is part of.
bool continues(const Stmt &S) {
  if (isa<ContinueStmt>(S))
    return true;
  if (isa<WhileStmt, DoStmt, ForStmt, CXXForRangeStmt, LambdaExpr>(S))
    return false;
  return llvm::any_of(S.children(), [](const Stmt *Child) {
    return Child && continues(*Child);
  });
}

/// while (true) { ...; break; }
bool endsInFirstTurn(const Stmt *Body) {
  const auto *Block = dyn_cast_if_present<CompoundStmt>(Body);
  return Block && !Block->body_empty() &&
         isa<BreakStmt, ReturnStmt>(Block->body_back()) && !continues(*Block);
}

/// &cells[at & mask]: whichever turn of the loop, one of these.
bool namesElement(const Expr &E) {
  const auto *Unary = dyn_cast<UnaryOperator>(E.IgnoreParenCasts());
  return Unary && Unary->getOpcode() == UO_AddrOf &&
         isa<ArraySubscriptExpr>(Unary->getSubExpr()->IgnoreParens());
}

const VarDecl *localVariable(const Expr *E) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParens()))
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
      if (Var->hasLocalStorage())
        return Var;
  return nullptr;
}

const VarDecl *localPointer(const Expr *E) {
  const VarDecl *Var = localVariable(E);
  return Var && Var->getType()->isPointerType() ? Var : nullptr;
}

} // namespace

void UnitWalker::walkFunction(const FunctionDecl &Function) {
  if (!Function.doesThisDeclarationHaveABody() ||
      Function.isDependentContext() || Function.isInvalidDecl() ||
      Function.isDefaulted())
    return;
  SaveAndRestore Scope(Current, Surroundings{.Function = &Function});
  SaveAndRestore SavedResolver(Resolver, PlaceResolver());
  SaveAndRestore SavedFresh(Fresh, {});
  SaveAndRestore SavedArrays(FreshArrays, {});
  SaveAndRestore SavedPrivates(Privates, {});
  Result.Functions.push_back(&Function);
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Function))
    for (const CXXCtorInitializer *Init : Constructor->inits()) {
      if (!Init->isWritten())
        continue;
      if (const FieldDecl *Field = Init->getAnyMember()) {
        Place Object;
        Object.IsThis = true;
        Object.Path.push_back(Field);
        record(Object, AccessKind::Write, Init->getInit(),
               AtomicOperation::None, false);
        if (Field->getType()->isReferenceType()) {
          bind(Init->getInit());
          continue;
        }
      }
      value(Init->getInit());
    }
  statement(Function.getBody());
}

void UnitWalker::walkVariable(const VarDecl &Var) {
  if (Var.isInvalidDecl() || Var.getType()->isDependentType())
    return;
  if (Var.hasGlobalStorage())
    Result.Statics.push_back(&Var);
  if (const Expr *Init = Var.getInit();
      Init && !Init->isValueDependent() && !Init->isTypeDependent()) {
    if (Var.getType()->isReferenceType())
      bind(Init);
    else
      value(Init);
  }
}

void UnitWalker::statement(const Stmt *S) {
  S = withoutCapture(S);
  if (!S)
    return;
  if (const auto *E = dyn_cast<Expr>(S))
    return expression(E, /*IsUsed=*/false);
  if (const auto *Directive = dyn_cast<OMPExecutableDirective>(S))
    return directive(*Directive);
  switch (S->getStmtClass()) {
  case Stmt::IfStmtClass: {
    const auto &If = *cast<IfStmt>(S);
    statement(If.getInit());
    if (If.getConditionVariableDeclStmt())
      condition(If.getConditionVariableDeclStmt());
    condition(If.getCond());
    branchOf(If.getCond(), true, If.getThen());
    return branchOf(If.getCond(), false, If.getElse());
  }
  case Stmt::SwitchStmtClass: {
    const auto &Switch = *cast<SwitchStmt>(S);
    statement(Switch.getInit());
    condition(Switch.getCond());
    return branch(Switch.getBody());
  }
  case Stmt::WhileStmtClass: {
    const auto &While = *cast<WhileStmt>(S);
    return loop(While, While.getCond(), {While.getBody()});
  }
  case Stmt::DoStmtClass: {
    const auto &Do = *cast<DoStmt>(S);
    return loop(Do, Do.getCond(), {Do.getBody()});
  }
  case Stmt::ForStmtClass: {
    const auto &For = *cast<ForStmt>(S);
    statement(For.getInit());
    return loop(For, For.getCond(), {For.getBody(), For.getInc()});
  }
  case Stmt::CXXForRangeStmtClass: {
    const auto &For = *cast<CXXForRangeStmt>(S);
    statement(For.getInit());
    if (For.getRangeInit())
      value(For.getRangeInit());
    return loop(For, nullptr, {For.getBody()});
  }
  case Stmt::DeclStmtClass:
    return declaration(*cast<DeclStmt>(S));
  case Stmt::ReturnStmtClass: {
    const Expr *Value = cast<ReturnStmt>(S)->getRetValue();
    if (!Value)
      return;
    const auto *Function = Current.Function;
    if (Function && Function->getReturnType()->isReferenceType())
      return bind(Value);
    return value(Value);
  }
  case Stmt::CXXCatchStmtClass:
    return branch(cast<CXXCatchStmt>(S)->getHandlerBlock(), /*IsUsed=*/false,
                  /*IsRare=*/true);
  case Stmt::GCCAsmStmtClass: {
    const auto &Assembly = *cast<GCCAsmStmt>(S);
    for (const Expr *Input : Assembly.inputs())
      value(Input);
    const AtomicAssembly Atomic = readAtomicAssembly(Assembly, Unit);
    for (unsigned I = 0; I != Assembly.getNumOutputs(); ++I)
      if (Assembly.getOutputExpr(I) != Atomic.Word)
        object(Assembly.getOutputExpr(I),
               Assembly.isOutputPlusConstraint(I) ? AccessKind::Update
                                                  : AccessKind::Write,
               Assembly.getOutputExpr(I));
    if (Atomic.Word)
      object(Atomic.Word, AccessKind::Update, Atomic.Word, Atomic.Operation);
    return;
  }
  case Stmt::CompoundStmtClass: {
    SaveAndRestore Saved(Current.IsRare);
    for (const Stmt *Node : cast<CompoundStmt>(S)->body()) {
      statement(Node);
      Current.IsRare = Current.IsRare || isExpectedToLeave(*Node, Unit);
    }
    return;
  }
  default:
    for (const Stmt *Child : S->children())
      statement(Child);
  }
}

bool UnitWalker::isConstant(const Expr *Condition, bool Value) const {
  bool Result = false;
  return Condition && !Condition->isValueDependent() &&
         Condition->EvaluateAsBooleanCondition(Result, Unit) && Result == Value;
}

void UnitWalker::loop(const Stmt &Loop, const Expr *Condition,
                      llvm::ArrayRef<const Stmt *> Parts) {
  // do { ... } while (0) makes a statement of a macro's body.
  const bool IsDo = isa<DoStmt>(Loop);
  if ((IsDo && isConstant(Condition, false)) ||
      endsInFirstTurn(Parts.front())) {
    condition(Condition);
    const bool IsEndless =
        Condition ? isConstant(Condition, true) : isa<ForStmt>(Loop);
    if (IsDo || IsEndless)
      return statement(Parts.front());
    return branch(Parts.front());
  }
  Result.OuterLoops[&Loop] = Current.Loop;
  SaveAndRestore Inside(Current.Loop, &Loop);
  condition(Condition);
  for (const Stmt *Part : Parts)
    statement(Part);
}

void UnitWalker::condition(const Stmt *S) {
  SaveAndRestore Inside(Current.IsInCondition, true);
  if (const auto *E = dyn_cast_if_present<Expr>(S))
    value(E);
  else
    statement(S);
}

void UnitWalker::branchOf(const Expr *Condition, bool Outcome, const Stmt *S,
                          bool IsUsed) {
  branch(S, IsUsed, isRareBranch(Condition, Outcome, S, Unit));
}

void UnitWalker::branch(const Stmt *S, bool IsUsed, bool IsRare) {
  SaveAndRestore Inside(Current.IsConditional, true);
  SaveAndRestore Rare(Current.IsRare, Current.IsRare || IsRare);
  if (const auto *E = dyn_cast_if_present<Expr>(S))
    expression(E, IsUsed);
  else
    statement(S);
}

void UnitWalker::declaration(const DeclStmt &S) {
  for (const Decl *Declared : S.decls()) {
    if (const auto *Record = dyn_cast<CXXRecordDecl>(Declared)) {
      if (Record->isThisDeclarationADefinition()) {
        addRecord(*Record);
        for (const CXXMethodDecl *Method : Record->methods())
          walkFunction(*Method);
      }
      continue;
    }
    const auto *Var = dyn_cast<VarDecl>(Declared);
    if (!Var)
      continue;
    if (Var->hasGlobalStorage()) {
      // Initialised once, whatever function that is in.
      SaveAndRestore Outside(Current, Surroundings());
      walkVariable(*Var);
      continue;
    }
    const Expr *Init = Var->getInit();
    if (!Init)
      continue;
    if (Var->getType()->isReferenceType()) {
      bind(Init);
      continue;
    }
    value(Init);
    assigned(*Var, *Init);
  }
}

static bool handsOutTasks(const Stmt *S) {
  S = withoutCapture(S);
  if (const auto *Directive = dyn_cast_if_present<OMPExecutableDirective>(S))
    return isOpenMPTaskingDirective(Directive->getDirectiveKind()) ||
           (Directive->hasAssociatedStmt() &&
            handsOutTasks(Directive->getAssociatedStmt()));
  return S && llvm::any_of(S->children(), handsOutTasks);
}

void UnitWalker::directive(const OMPExecutableDirective &S) {
  if (!S.hasAssociatedStmt())
    return;
  SaveAndRestore SavedPrivates(Privates, Privates);
  addPrivates(S, Privates);
  SaveAndRestore Inside(Current, Current);
  const auto *Critical = dyn_cast<OMPCriticalDirective>(&S);
  Current.IsAtomic |=
      isa<OMPAtomicDirective>(S) || (Critical && isCountAlone(*Critical));
  // One thread does it, for all; unless it only hands out the tasks.
  Current.IsRare |=
      isa<OMPSingleDirective, OMPMasterDirective, OMPMaskedDirective>(S) &&
      !handsOutTasks(S.getAssociatedStmt());
  const DeclContext *Region = threadsOwnContext(S);
  if (!Region)
    return statement(S.getAssociatedStmt());
  // What was made before is everybody's in here, and the turns of a loop around
  // it are not the thread's.
  SaveAndRestore SavedFresh(Fresh, {});
  SaveAndRestore SavedArrays(FreshArrays, {});
  Current.Region = Region;
  Current.Loop = nullptr;
  if (const ForStmt *Turns = oneTurnEach(S)) {
    Result.ThreadTurns.insert({Current.Function, counterOf(*Turns)});
    return statement(Turns->getBody());
  }
  statement(S.getAssociatedStmt());
}

void UnitWalker::expression(const Expr *E, bool IsUsed) {
  if (!E)
    return;
  E = E->IgnoreParens();
  switch (E->getStmtClass()) {
  case Stmt::ImplicitCastExprClass:
  case Stmt::CStyleCastExprClass:
  case Stmt::CXXStaticCastExprClass:
  case Stmt::CXXFunctionalCastExprClass:
  case Stmt::CXXReinterpretCastExprClass:
  case Stmt::CXXConstCastExprClass: {
    const auto &Cast = *cast<CastExpr>(E);
    const Expr *Inner = Cast.getSubExpr();
    if (E->getType()->isPointerType() &&
        isa<CallExpr>(Inner->IgnoreParenImpCasts()))
      Result.CallCasts.push_back({&Cast, Current.Function});
    switch (Cast.getCastKind()) {
    case CK_LValueToRValue:
    case CK_AtomicToNonAtomic:
      if (Inner->isGLValue())
        return object(Inner, AccessKind::Read, E);
      return expression(Inner, IsUsed);
    case CK_ArrayToPointerDecay:
      if (isa<StringLiteral>(Inner->IgnoreParens()))
        return;
      return object(Inner, AccessKind::Address, E);
    case CK_ToVoid:
      return expression(Inner, /*IsUsed=*/false);
    default:
      return expression(Inner, IsUsed);
    }
  }
  case Stmt::UnaryOperatorClass: {
    const auto &Unary = *cast<UnaryOperator>(E);
    if (Unary.isIncrementDecrementOp()) {
      if (const VarDecl *Pointer = localPointer(Unary.getSubExpr()))
        Resolver.forget(*Pointer);
      return object(Unary.getSubExpr(), AccessKind::Update, E,
                    Kinds.operationOf(*E), IsUsed);
    }
    if (Unary.getOpcode() == UO_AddrOf)
      return object(Unary.getSubExpr(), AccessKind::Address, E);
    if (Unary.getOpcode() == UO_Deref) {
      // Only an object that is named and dropped: `*p;`.
      return value(Unary.getSubExpr());
    }
    return value(Unary.getSubExpr());
  }
  case Stmt::CompoundAssignOperatorClass:
  case Stmt::BinaryOperatorClass: {
    const auto &Binary = *cast<BinaryOperator>(E);
    if (Binary.isAssignmentOp()) {
      value(Binary.getRHS());
      if (const VarDecl *Pointer = localPointer(Binary.getLHS())) {
        if (Binary.isCompoundAssignmentOp() ||
            (Current.Loop && !namesElement(*Binary.getRHS())))
          Resolver.forget(*Pointer);
        else
          Resolver.assign(*Pointer, *Binary.getRHS());
        assigned(*Pointer, *Binary.getRHS());
      } else if (const VarDecl *Local = localVariable(Binary.getLHS())) {
        assigned(*Local, *Binary.getRHS());
      } else {
        kept(*Binary.getLHS(), *Binary.getRHS());
        if (const auto *Member =
                dyn_cast<MemberExpr>(Binary.getLHS()->IgnoreParens()))
          noteHandler(*Member->getMemberDecl(), *Binary.getRHS());
      }
      return object(Binary.getLHS(),
                    Binary.isCompoundAssignmentOp() ? AccessKind::Update
                                                    : AccessKind::Write,
                    E, Kinds.operationOf(*E), IsUsed);
    }
    if (Binary.isLogicalOp()) {
      condition(Binary.getLHS());
      SaveAndRestore Rare(Current.IsRare,
                          Current.IsRare ||
                              expectedOutcome(*Binary.getLHS(), Unit) ==
                                  (Binary.getOpcode() == BO_LOr));
      return condition(Binary.getRHS());
    }
    if (Binary.getOpcode() == BO_Comma) {
      expression(Binary.getLHS(), /*IsUsed=*/false);
      return expression(Binary.getRHS(), IsUsed);
    }
    value(Binary.getLHS());
    return value(Binary.getRHS());
  }
  case Stmt::ConditionalOperatorClass: {
    const auto &Conditional = *cast<ConditionalOperator>(E);
    condition(Conditional.getCond());
    branchOf(Conditional.getCond(), true, Conditional.getTrueExpr(), IsUsed);
    return branchOf(Conditional.getCond(), false, Conditional.getFalseExpr(),
                    IsUsed);
  }
  case Stmt::UnaryExprOrTypeTraitExprClass:
  case Stmt::CXXNoexceptExprClass:
  case Stmt::CXXTypeidExprClass:
  case Stmt::RequiresExprClass:
    return; // Not evaluated.
  case Stmt::LambdaExprClass:
    return lambda(*cast<LambdaExpr>(E));
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass: {
    const auto &Construct = *cast<CXXConstructExpr>(E);
    if (Construct.getNumArgs() != 0)
      noteCall(*E);
    return arguments({Construct.getArgs(), Construct.getNumArgs()},
                     Construct.getConstructor(), *E);
  }
  case Stmt::CXXDefaultArgExprClass:
  case Stmt::CXXDefaultInitExprClass:
    return; // Walked where it is written, if anywhere.
  case Stmt::AtomicExprClass: {
    const auto &Atomic = *cast<AtomicExpr>(E);
    // Nobody else has what is being initialised.
    if (Atomic.getOp() == AtomicExpr::AO__c11_atomic_init) {
      value(Atomic.getVal1());
      return;
    }
    AtomicOperation Operation = Kinds.operationOf(Atomic);
    AccessKind Kind = Operation == AtomicOperation::Load ? AccessKind::Read
                      : Operation == AtomicOperation::Store ||
                              Operation == AtomicOperation::Clear ||
                              Operation == AtomicOperation::None
                          ? AccessKind::Write
                          : AccessKind::Update;
    pointee(Atomic.getPtr(), Kind, E, Operation, IsUsed);
    for (const Stmt *Child : Atomic.children())
      if (Child != Atomic.getPtr())
        value(dyn_cast_if_present<Expr>(Child));
    return;
  }
  case Stmt::StmtExprClass:
    return statement(cast<StmtExpr>(E)->getSubStmt());
  case Stmt::DeclRefExprClass:
    if (const auto *Function =
            dyn_cast<FunctionDecl>(cast<DeclRefExpr>(E)->getDecl())) {
      Result.AddressTaken.insert(Function->getCanonicalDecl());
      return;
    }
    // A glvalue that is not read: the end of a comma, a discarded name, a C++
    // object passed on.
    return object(E, AccessKind::Read, E);
  case Stmt::MemberExprClass:
  case Stmt::ArraySubscriptExprClass:
    return object(E, AccessKind::Read, E);
  case Stmt::CXXNewExprClass:
    noteCall(*E);
    break;
  case Stmt::InitListExprClass:
    if (const auto *List = cast<InitListExpr>(E);
        List->getInitializedFieldInUnion() && List->getNumInits() == 1)
      noteHandler(*List->getInitializedFieldInUnion(), *List->getInit(0));
    break;
  default:
    break;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return call(*Call, IsUsed);
  if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(E))
    return expression(Cleanups->getSubExpr(), IsUsed);
  for (const Stmt *Child : E->children()) {
    if (const auto *Inner = dyn_cast_if_present<Expr>(Child))
      value(Inner);
    else
      statement(Child);
  }
}

} // namespace linesman::tidy
