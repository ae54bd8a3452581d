// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lattice is one bit, so the fixed point takes a few passes over the
// blocks. Nothing is kept between questions but the CFG: questions are few, one
// for each place that a static object's address reaches.

#include "Analysis/IdentityGuard.h"
#include "Analysis/StaticReach.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/BitVector.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// is_real(p) -> !is_nil(p) -> p == &nil.
constexpr unsigned MaxHelperDepth = 4;

bool implies(const Expr &Condition, bool Outcome, const AccessPath &Place,
             const VarDecl &Object, unsigned Depth);

/// A comparison for (in)equality, built-in or overloaded.
struct Comparison {
  const Expr *Left = nullptr;
  const Expr *Right = nullptr;
  bool IsEqual = false;
};

std::optional<Comparison> comparisonOf(const Expr &E) {
  if (const auto *Rewritten = dyn_cast<CXXRewrittenBinaryOperator>(&E))
    return Comparison{Rewritten->getLHS(), Rewritten->getRHS(),
                      Rewritten->getOperator() == BO_EQ};
  if (const auto *Binary = dyn_cast<BinaryOperator>(&E);
      Binary && Binary->isEqualityOp())
    return Comparison{Binary->getLHS(), Binary->getRHS(),
                      Binary->getOpcode() == BO_EQ};
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(&E);
      Call && Call->getNumArgs() == 2 &&
      (Call->getOperator() == OO_EqualEqual ||
       Call->getOperator() == OO_ExclaimEqual))
    return Comparison{Call->getArg(0), Call->getArg(1),
                      Call->getOperator() == OO_EqualEqual};
  return std::nullopt;
}

/// The value that a function returns when its body is nothing else.
const Expr *onlyReturnedValue(const FunctionDecl &Function) {
  const FunctionDecl *Definition = nullptr;
  const auto *Body =
      dyn_cast_or_null<CompoundStmt>(Function.getBody(Definition));
  if (!Body || Body->size() != 1)
    return nullptr;
  const auto *Return = dyn_cast<ReturnStmt>(Body->body_front());
  return Return ? Return->getRetValue() : nullptr;
}

bool impliesByHelper(const CallExpr &Call, bool Outcome,
                     const AccessPath &Place, const VarDecl &Object,
                     unsigned Depth) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee)
    return false;
  const Expr *Value = onlyReturnedValue(*Callee);
  if (!Value)
    return false;
  const FunctionDecl *Definition = Callee->getDefinition();
  // What the caller knows as "Place" starts with an argument: inside, the
  // parameter has its name.
  auto ImpliesFrom = [&](const Expr &Argument, const ValueDecl *InnerRoot) {
    std::optional<AccessPath> Outer = pathOf(Argument);
    if (!Outer || !Place.startsWith(*Outer))
      return false;
    AccessPath Inner;
    Inner.Root = InnerRoot;
    Inner.Steps.append(Place.Steps.begin() + Outer->Steps.size(),
                       Place.Steps.end());
    return implies(*Value, Outcome, Inner, Object, Depth + 1);
  };
  unsigned FirstArgument = 0;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call)) {
    if (ImpliesFrom(*Member->getImplicitObjectArgument(), nullptr))
      return true;
  } else if (isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Callee)) {
    FirstArgument = 1;
    if (ImpliesFrom(*Call.getArg(0), nullptr))
      return true;
  }
  for (unsigned I = FirstArgument; I < Call.getNumArgs(); ++I)
    if (I - FirstArgument < Definition->getNumParams() &&
        ImpliesFrom(*Call.getArg(I),
                    Definition->getParamDecl(I - FirstArgument)))
      return true;
  return false;
}

bool implies(const Expr &Condition, bool Outcome, const AccessPath &Place,
             const VarDecl &Object, unsigned Depth) {
  if (Depth > MaxHelperDepth)
    return false;
  const Expr *Inner = stripSameObject(&Condition);
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner))
    return Unary->getOpcode() == UO_LNot &&
           implies(*Unary->getSubExpr(), !Outcome, Place, Object, Depth);
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner);
      Binary && Binary->isLogicalOp()) {
    bool Left = implies(*Binary->getLHS(), Outcome, Place, Object, Depth);
    bool Right = implies(*Binary->getRHS(), Outcome, Place, Object, Depth);
    bool AreBothKnown = (Binary->getOpcode() == BO_LAnd) == Outcome;
    return AreBothKnown ? Left || Right : Left && Right;
  }
  if (std::optional<Comparison> Test = comparisonOf(*Inner)) {
    auto IsTest = [&](const Expr &Asked, const Expr &Known) {
      std::optional<AccessPath> Path = pathOf(Asked);
      if (!Path || *Path != Place)
        return false;
      if (Known.isNullPointerConstant(Object.getASTContext(),
                                      Expr::NPC_ValueDependentIsNotNull))
        return Test->IsEqual == Outcome;
      const VarDecl *Other = certainStatic(Known);
      if (!Other)
        return false;
      // Equal to another object is different from this one, too.
      return Other == Object.getCanonicalDecl() ? Test->IsEqual != Outcome
                                                : Test->IsEqual == Outcome;
    };
    if (IsTest(*Test->Left, *Test->Right) || IsTest(*Test->Right, *Test->Left))
      return true;
  }
  if (const auto *Call = dyn_cast<CallExpr>(Inner))
    return impliesByHelper(*Call, Outcome, Place, Object, Depth);
  // bool is_real = p != &nil;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Inner))
    if (const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
        Variable && Variable->isLocalVarDecl() &&
        Variable->getType()->isBooleanType() && Variable->getInit())
      return implies(*Variable->getInit(), Outcome, Place, Object, Depth + 1);
  return false;
}

/// What a statement does to a place: nothing, or gives it a value.
struct Assignment {
  bool Happens = false;
  /// Null when it is not one expression.
  const Expr *Value = nullptr;
};

Assignment assignmentTo(const AccessPath &Place, const Expr &Target,
                        const Expr *Value) {
  std::optional<AccessPath> Path = pathOf(Target);
  if (!Path || !Place.startsWith(*Path))
    return {};
  // Assigning a prefix (p, for p->next) changes it in a way we do not follow.
  return {true, *Path == Place ? Value : nullptr};
}

Assignment assignmentTo(const AccessPath &Place, const Stmt &Each) {
  if (const auto *Binary = dyn_cast<BinaryOperator>(&Each)) {
    // *p = v and r = v change the object, not which object it is.
    if (!Binary->isAssignmentOp() ||
        !Binary->getLHS()->getType()->isPointerType())
      return {};
    return assignmentTo(Place, *Binary->getLHS(),
                        Binary->getOpcode() == BO_Assign ? Binary->getRHS()
                                                         : nullptr);
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(&Each))
    return Unary->isIncrementDecrementOp() && Unary->getType()->isPointerType()
               ? assignmentTo(Place, *Unary->getSubExpr(), nullptr)
               : Assignment();
  if (const auto *Declarations = dyn_cast<DeclStmt>(&Each)) {
    for (const Decl *Declared : Declarations->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(Declared);
          Variable && Place.Root == Variable->getCanonicalDecl())
        return {true, Place.Steps.empty() ? Variable->getInit() : nullptr};
    return {};
  }
  const auto *Call = dyn_cast<CallExpr>(&Each);
  if (!Call || Call->getNumArgs() == 0)
    return {};
  if (isStandardFunction(Call->getDirectCallee(), "exchange"))
    return assignmentTo(Place, *Call->getArg(0), Call->getArg(1));
  if (isStandardFunction(Call->getDirectCallee(), "swap") &&
      Call->getNumArgs() == 2) {
    Assignment First = assignmentTo(Place, *Call->getArg(0), Call->getArg(1));
    return First.Happens
               ? First
               : assignmentTo(Place, *Call->getArg(1), Call->getArg(0));
  }
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
      Operator && Operator->getOperator() == OO_Equal)
    return assignmentTo(Place, *Operator->getArg(0), Operator->getArg(1));
  return {};
}

} // namespace

bool impliesDifferent(const Expr &Condition, bool Outcome,
                      const AccessPath &Place, const VarDecl &Object) {
  return implies(Condition, Outcome, Place, Object, 0);
}

struct IdentityGuard::Graph {
  std::unique_ptr<CFG> Blocks;
  struct Position {
    const CFGBlock *Block = nullptr;
    unsigned Element = 0;
  };
  llvm::DenseMap<const Stmt *, Position> Positions;
};

IdentityGuard::IdentityGuard(ASTContext &Unit) : Unit(Unit) {}
IdentityGuard::~IdentityGuard() = default;

IdentityGuard::Graph &IdentityGuard::graphOf(const FunctionDecl &Function) {
  std::unique_ptr<Graph> &Made = Graphs[&Function];
  if (Made)
    return *Made;
  Made = std::make_unique<Graph>();
  CFG::BuildOptions Options;
  Options.AddInitializers = true;
  Options.AddCXXDefaultInitExprInCtors = true;
  Options.setAllAlwaysAdd();
  Made->Blocks = CFG::buildCFG(&Function, Function.getBody(), &Unit, Options);
  if (!Made->Blocks)
    return *Made;
  for (const CFGBlock *Block : *Made->Blocks) {
    unsigned Index = 0;
    for (const CFGElement &Element : *Block) {
      if (std::optional<CFGStmt> Each = Element.getAs<CFGStmt>())
        Made->Positions.try_emplace(Each->getStmt(),
                                    Graph::Position{Block, Index});
      ++Index;
    }
    if (const Stmt *Terminator = Block->getTerminatorStmt())
      Made->Positions.try_emplace(Terminator, Graph::Position{Block, Index});
  }
  return *Made;
}

bool IdentityGuard::excludes(const IdentityQuestion &Question,
                             MayHoldFunction MayHold) {
  Graph &Code = graphOf(*Question.Function);
  auto Found = Code.Positions.find(Question.Site);
  if (!Code.Blocks || Found == Code.Positions.end())
    return false;
  const AccessPath &Place = Question.Place;
  const VarDecl &Object = *Question.Object;

  // The fact behind the first Count elements of a block.
  auto RunBlock = [&](const CFGBlock &Block, bool Known, unsigned Count) {
    for (const CFGElement &Element : Block) {
      if (Count-- == 0)
        break;
      Assignment Assigned;
      if (std::optional<CFGStmt> Each = Element.getAs<CFGStmt>()) {
        Assigned = assignmentTo(Place, *Each->getStmt());
      } else if (std::optional<CFGInitializer> Init =
                     Element.getAs<CFGInitializer>()) {
        const CXXCtorInitializer *Member = Init->getInitializer();
        if (!Place.Root && !Place.Steps.empty() &&
            Member->isMemberInitializer() &&
            Place.Steps.front() == Member->getMember())
          Assigned = {true,
                      Place.Steps.size() == 1 ? Member->getInit() : nullptr};
      }
      if (Assigned.Happens)
        Known = Assigned.Value && !MayHold(*Assigned.Value, Object);
    }
    return Known;
  };
  // What an edge adds: the outcome of the block's condition.
  auto EdgeImplies = [&](const CFGBlock &Block, unsigned Successor) {
    const Expr *Condition = Block.getLastCondition();
    return Condition && Block.succ_size() == 2 &&
           !isa_and_nonnull<SwitchStmt>(Block.getTerminatorStmt()) &&
           implies(*Condition, /*Outcome=*/Successor == 0, Place, Object, 0);
  };

  const unsigned Count = Code.Blocks->getNumBlockIDs();
  llvm::BitVector Entry(Count, true), Exit(Count, true);
  Entry[Code.Blocks->getEntry().getBlockID()] = false;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const CFGBlock *Block : llvm::reverse(*Code.Blocks)) {
      unsigned Id = Block->getBlockID();
      bool Known = Entry[Id];
      for (auto Edge = Block->pred_begin(); Known && Edge != Block->pred_end();
           ++Edge) {
        const CFGBlock *From = *Edge;
        if (!From || Exit[From->getBlockID()])
          continue;
        for (unsigned I = 0; I < From->succ_size(); ++I)
          if (*(From->succ_begin() + I) == Block && !EdgeImplies(*From, I))
            Known = false;
      }
      bool After = RunBlock(*Block, Known, Block->size());
      Changed |= Entry[Id] != Known || Exit[Id] != After;
      Entry[Id] = Known;
      Exit[Id] = After;
    }
  }
  const CFGBlock *Block = Found->second.Block;
  return RunBlock(*Block, Entry[Block->getBlockID()], Found->second.Element);
}

} // namespace linesman::tidy
