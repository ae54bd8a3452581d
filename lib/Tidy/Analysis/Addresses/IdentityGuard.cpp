// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lattice is one bit, so the fixed point takes a few passes over the
// blocks. Nothing is kept between questions but the CFG: questions are few, one
// for each place that a static object's address reaches.

#include "Analysis/Addresses/IdentityGuard.h"
#include "Analysis/Addresses/StaticReach.h"
#include "Analysis/Code/VisibleBody.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/BitVector.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// is_real(p) -> !is_nil(p) -> p == &nil.
constexpr unsigned MaxHelperDepth = 4;

/// The parameters of a helper that a call gives the address of a certain
/// object.
using KnownParameters =
    llvm::SmallVector<std::pair<const ValueDecl *, const VarDecl *>, 2>;

struct Asked {
  AccessPath Place;
  const VarDecl &Object;
  KnownParameters Known;
};

bool implies(const Expr &Condition, bool Outcome, const Asked &Question,
             unsigned Depth);

/// The object that an expression certainly names or points to.
const VarDecl *knownObject(const Expr &E, const KnownParameters &Known) {
  if (const VarDecl *Object = certainStatic(E))
    return Object;
  if (Known.empty())
    return nullptr;
  std::optional<AccessPath> Path = pathOf(E);
  if (Path && Path->Root && Path->Steps.empty())
    for (const auto &[Parameter, Object] : Known)
      if (Parameter == Path->Root)
        return Object;
  return nullptr;
}

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
      dyn_cast_or_null<CompoundStmt>(visibleBody(Function, Definition));
  if (!Body || Body->size() != 1)
    return nullptr;
  const auto *Return = dyn_cast<ReturnStmt>(Body->body_front());
  return Return ? Return->getRetValue() : nullptr;
}

bool impliesByHelper(const CallExpr &Call, bool Outcome, const Asked &Question,
                     unsigned Depth) {
  std::optional<CallParts> Parts = callParts(Call);
  const Expr *Value = Parts ? onlyReturnedValue(*Parts->Callee) : nullptr;
  if (!Value)
    return false;
  const FunctionDecl *Definition = Parts->Callee->getDefinition();
  KnownParameters Known;
  for (const ParmVarDecl *Parameter : Definition->parameters())
    if (const Expr *Argument = Parts->argumentFor(Parameter))
      if (const VarDecl *Object = knownObject(*Argument, Question.Known))
        Known.push_back({Parameter, Object});
  // What the caller knows as "Place" starts with an argument: inside, the
  // parameter has its name.
  auto ImpliesFrom = [&](const Expr &Argument, const ValueDecl *InnerRoot) {
    std::optional<AccessPath> Outer = pointerPathOf(Argument);
    if (!Outer || !Question.Place.startsWith(*Outer))
      return false;
    AccessPath Inner;
    Inner.Root = InnerRoot;
    Inner.Steps.append(Question.Place.Steps.begin() + Outer->Steps.size(),
                       Question.Place.Steps.end());
    return implies(*Value, Outcome, {std::move(Inner), Question.Object, Known},
                   Depth + 1);
  };
  if (Parts->Object && ImpliesFrom(*Parts->Object, nullptr))
    return true;
  return llvm::any_of(Definition->parameters(),
                      [&](const ParmVarDecl *Parameter) {
                        const Expr *Argument = Parts->argumentFor(Parameter);
                        return Argument && ImpliesFrom(*Argument, Parameter);
                      });
}

bool isEquality(const Comparison &Test, const Expr &Side, const Expr &Known,
                bool Outcome, const Asked &Question) {
  std::optional<AccessPath> Path = pointerPathOf(Side);
  if (!Path || *Path != Question.Place)
    return false;
  const VarDecl &Object = Question.Object;
  if (Known.isNullPointerConstant(Object.getASTContext(),
                                  Expr::NPC_ValueDependentIsNotNull))
    return Test.IsEqual == Outcome;
  const VarDecl *Other = knownObject(Known, Question.Known);
  if (!Other)
    return false;
  // Equal to another object is different from this one, too.
  return Other == Object.getCanonicalDecl() ? Test.IsEqual != Outcome
                                            : Test.IsEqual == Outcome;
}

bool implies(const Expr &Condition, bool Outcome, const Asked &Question,
             unsigned Depth) {
  if (Depth > MaxHelperDepth)
    return false;
  const Expr *Inner = stripSameObject(&Condition);
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner))
    return Unary->getOpcode() == UO_LNot &&
           implies(*Unary->getSubExpr(), !Outcome, Question, Depth);
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner);
      Binary && Binary->isLogicalOp()) {
    bool Left = implies(*Binary->getLHS(), Outcome, Question, Depth);
    bool Right = implies(*Binary->getRHS(), Outcome, Question, Depth);
    bool AreBothKnown = (Binary->getOpcode() == BO_LAnd) == Outcome;
    return AreBothKnown ? Left || Right : Left && Right;
  }
  if (std::optional<Comparison> Test = comparisonOf(*Inner))
    if (isEquality(*Test, *Test->Left, *Test->Right, Outcome, Question) ||
        isEquality(*Test, *Test->Right, *Test->Left, Outcome, Question))
      return true;
  if (const auto *Call = dyn_cast<CallExpr>(Inner))
    return impliesByHelper(*Call, Outcome, Question, Depth);
  // bool is_real = p != &nil;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Inner))
    if (const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
        Variable && Variable->isLocalVarDecl() &&
        Variable->getType()->isBooleanType() && Variable->getInit())
      return implies(*Variable->getInit(), Outcome, Question, Depth + 1);
  return false;
}

/// What a statement does to a place: nothing, or gives it a value.
struct Assignment {
  bool Happens = false;
  /// Null when it is not one expression.
  const Expr *Value = nullptr;
  /// Whose words the value is in.
  const FunctionDecl *Function = nullptr;
  /// Otherwise the place may keep what it had.
  bool IsCertain = true;
};

/// Follows one place through the statements of one function.
class PlaceAssignments {
public:
  PlaceAssignments(const AccessPath &Place, const FunctionDecl &Function,
                   FunctionSummaries &Summaries)
      : Place(Place), Function(Function), Summaries(Summaries) {}

  Assignment by(const CFGElement &Element) const {
    if (std::optional<CFGStmt> Step = Element.getAs<CFGStmt>())
      return byStatement(*Step->getStmt());
    if (std::optional<CFGInitializer> Init = Element.getAs<CFGInitializer>())
      if (const CXXCtorInitializer *Member = Init->getInitializer();
          Member->isMemberInitializer()) {
        AccessPath Path;
        Path.Steps.push_back(Member->getMember());
        return toPath(withoutWrapping(std::move(Path)), Member->getInit());
      }
    return {};
  }

private:
  Assignment toPath(const AccessPath &Path, const Expr *Value) const {
    if (!Place.startsWith(Path))
      return {};
    // Assigning a prefix (p, for p->next) changes it in a way we do not follow.
    return {true, Path == Place ? Value : nullptr, &Function};
  }

  Assignment toTarget(const Expr &Target, const Expr *Value) const {
    std::optional<AccessPath> Path = pointerPathOf(Target);
    return Path ? toPath(*Path, Value) : Assignment();
  }

  Assignment byStatement(const Stmt &Node) const {
    if (const auto *Binary = dyn_cast<BinaryOperator>(&Node)) {
      // *p = v and r = v change the object, not which object it is.
      if (!Binary->isAssignmentOp() ||
          !Binary->getLHS()->getType()->isPointerType())
        return {};
      return toTarget(*Binary->getLHS(), Binary->getOpcode() == BO_Assign
                                             ? Binary->getRHS()
                                             : nullptr);
    }
    if (const auto *Unary = dyn_cast<UnaryOperator>(&Node))
      return Unary->isIncrementDecrementOp() &&
                     Unary->getType()->isPointerType()
                 ? toTarget(*Unary->getSubExpr(), nullptr)
                 : Assignment();
    if (const auto *Declarations = dyn_cast<DeclStmt>(&Node)) {
      for (const Decl *Declared : Declarations->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(Declared);
            Variable && Place.Root == Variable->getCanonicalDecl())
          return {true, Place.Steps.empty() ? Variable->getInit() : nullptr,
                  &Function};
      return {};
    }
    if (const auto *Call = dyn_cast<CallExpr>(&Node))
      return byCall(*Call);
    return {};
  }

  Assignment byCall(const CallExpr &Call) const {
    if (Call.getNumArgs() != 0) {
      if (isStandardFunction(Call.getDirectCallee(), "exchange"))
        return toTarget(*Call.getArg(0), Call.getArg(1));
      if (isStandardFunction(Call.getDirectCallee(), "swap") &&
          Call.getNumArgs() == 2) {
        Assignment First = toTarget(*Call.getArg(0), Call.getArg(1));
        return First.Happens ? First
                             : toTarget(*Call.getArg(1), Call.getArg(0));
      }
    }
    std::optional<CallParts> Parts = callParts(Call);
    if (Parts)
      for (const FunctionSummary::Store &Store :
           llvm::reverse(Summaries.of(*Parts->Callee).Stores)) {
        Assignment Found = byStore(*Parts, Store);
        if (Found.Happens)
          return Found;
      }
    // An operator without a body assigns what it is given.
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call);
        Operator && Operator->getOperator() == OO_Equal)
      return toTarget(*Operator->getArg(0), Operator->getArg(1));
    return {};
  }

  Assignment byStore(const CallParts &Call,
                     const FunctionSummary::Store &Store) const {
    std::optional<AccessPath> Path = Call.placeOf(Store.Place);
    if (!Path || !Place.startsWith(*Path))
      return {};
    Assignment Found{true, nullptr, &Function, Store.IsCertain};
    if (*Path != Place || !Store.Value)
      return Found;
    // What the callee got as an argument has a name here.
    std::optional<AccessPath> Value = pathOf(*Store.Value);
    const Expr *Argument =
        Value && Value->Steps.empty() ? Call.argumentFor(Value->Root) : nullptr;
    Found.Value = Argument ? Argument : Store.Value;
    if (!Argument)
      Found.Function = Store.Function;
    return Found;
  }

  const AccessPath &Place;
  const FunctionDecl &Function;
  FunctionSummaries &Summaries;
};

} // namespace

bool impliesDifferent(const Expr &Condition, bool Outcome,
                      const AccessPath &Place, const VarDecl &Object) {
  return implies(Condition, Outcome,
                 {withoutWrapping(Place), Object, KnownParameters()}, 0);
}

struct IdentityGuard::Graph {
  std::unique_ptr<CFG> Blocks;
  struct Position {
    const CFGBlock *Block = nullptr;
    unsigned Element = 0;
  };
  llvm::DenseMap<const Stmt *, Position> Positions;
};

IdentityGuard::IdentityGuard(ASTContext &Unit, FunctionSummaries &Summaries)
    : Unit(Unit), Summaries(Summaries) {}
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
      if (std::optional<CFGStmt> Step = Element.getAs<CFGStmt>())
        Made->Positions.try_emplace(Step->getStmt(),
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
  const VarDecl &Object = *Question.Object;
  const Asked Wanted{withoutWrapping(Question.Place), Object,
                     KnownParameters()};
  const PlaceAssignments Assignments(Wanted.Place, *Question.Function,
                                     Summaries);

  // The fact behind the first Count elements of a block.
  auto RunBlock = [&](const CFGBlock &Block, bool Known, unsigned Count) {
    for (const CFGElement &Element : Block) {
      if (Count-- == 0)
        break;
      if (Assignment Assigned = Assignments.by(Element); Assigned.Happens)
        Known = (Known || Assigned.IsCertain) && Assigned.Value &&
                !MayHold(*Assigned.Value, Assigned.Function, Object);
    }
    return Known;
  };
  // What an edge adds: the outcome of the block's condition.
  auto EdgeImplies = [&](const CFGBlock &Block, unsigned Successor) {
    const Expr *Condition = Block.getLastCondition();
    return Condition && Block.succ_size() == 2 &&
           !isa_and_nonnull<SwitchStmt>(Block.getTerminatorStmt()) &&
           implies(*Condition, /*Outcome=*/Successor == 0, Wanted, 0);
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
        const CFGBlock *Source = *Edge;
        if (!Source || Exit[Source->getBlockID()])
          continue;
        for (unsigned I = 0; I < Source->succ_size(); ++I)
          if (*(Source->succ_begin() + I) == Block && !EdgeImplies(*Source, I))
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
