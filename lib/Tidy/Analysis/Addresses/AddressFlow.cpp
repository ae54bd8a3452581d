// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First the constraints, statement by statement, then a worklist. A function
// that the scope left out (std::make_unique) is read when an address first
// reaches one of its parameters.

#include "Analysis/Addresses/AddressFlow.h"
#include "Analysis/Addresses/StaticReach.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Code/OnlyReturn.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

/// Turns the statements of one function, or an initialiser, into edges.
class AddressFlow::Collector {
public:
  Collector(AddressFlow &Flow, const FunctionDecl *Function)
      : Flow(Flow), Function(Function) {}

  void readFunction(const FunctionCode &Code) {
    Flow.Read.insert(Code.Function->getCanonicalDecl());
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Code.Function))
      for (const CXXCtorInitializer *Init : Constructor->inits())
        if (Init->isAnyMemberInitializer())
          give(*Init->getAnyMember(), *Init->getInit());
    for (const Stmt *Node : Code.Statements)
      readStatement(*Node);
  }

  void readInitializer(const ValueDecl &Variable, const Expr &Init) {
    give(Variable, Init);
    // Constructors and lists inside it; a function's are in its statements.
    if (!Function)
      forEachStatement(&Init, [&](const Stmt &Node) { readStatement(Node); });
    if (const auto *Object = dyn_cast<VarDecl>(&Variable);
        Object && isSharedStaticRecord(*Object))
      if (const auto *Construct =
              dyn_cast<CXXConstructExpr>(Init.IgnoreUnlessSpelledInSource()))
        giveThis(*Construct->getConstructor(), *Object, *Construct);
  }

private:
  void give(const ValueDecl &Target, const Expr &Value) {
    QualType Type = Target.getType();
    if (Type->isArrayType())
      Type = Target.getASTContext().getBaseElementType(Type);
    if (!holdsAddress(Type))
      return;
    Slot ToSlot(Target.getCanonicalDecl(), false);
    if (const auto *List = dyn_cast<InitListExpr>(stripSameObject(&Value));
        List && Target.getType()->isArrayType()) {
      for (const Expr *Element : List->inits())
        Flow.addEdges(*Element, ToSlot, Function);
      return;
    }
    Flow.addEdges(Value, ToSlot, Function);
    // A reference to a pointer is another name of it, in both directions.
    if (Type->isReferenceType() && holdsAddress(Type->getPointeeType()) &&
        !Type->getPointeeType()->isRecordType())
      if (std::optional<Slot> Aliased = slotOf(Value))
        Flow.linkSlots(ToSlot, *Aliased, Value, Function);
  }

  /// A static object's own constructor has its address as this.
  void giveThis(const CXXConstructorDecl &Constructor, const VarDecl &Object,
                const Expr &Leaf) {
    Flow.addEdge({{Object.getCanonicalDecl(), Slot(), &Leaf},
                  Slot(Constructor.getCanonicalDecl(), true),
                  Function});
  }

  void readStatement(const Stmt &Node) {
    if (const auto *Binary = dyn_cast<BinaryOperator>(&Node)) {
      if (Binary->getOpcode() == BO_Assign)
        assign(*Binary->getLHS(), *Binary->getRHS());
      else if (Binary->isEqualityOp())
        compare(*Binary->getLHS(), *Binary->getRHS());
    } else if (const auto *Declarations = dyn_cast<DeclStmt>(&Node)) {
      for (const Decl *Declared : Declarations->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(Declared))
          if (const Expr *Init = Variable->getInit())
            readInitializer(*Variable, *Init);
    } else if (const auto *Lambda = dyn_cast<LambdaExpr>(&Node)) {
      // Other captures are the variables themselves.
      for (const LambdaCapture &Capture : Lambda->captures())
        if (Lambda->isInitCapture(&Capture))
          if (const auto *Variable =
                  dyn_cast<VarDecl>(Capture.getCapturedVar()))
            if (const Expr *Init = Variable->getInit())
              readInitializer(*Variable, *Init);
    } else if (const auto *Return = dyn_cast<ReturnStmt>(&Node)) {
      if (Return->getRetValue() && Function &&
          holdsAddress(Function->getReturnType()))
        Flow.addEdges(*Return->getRetValue(),
                      Slot(Function->getCanonicalDecl(), false), Function);
    } else if (const auto *List = dyn_cast<InitListExpr>(&Node)) {
      readList(*List);
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(&Node)) {
      passArguments(
          *Construct->getConstructor(),
          llvm::ArrayRef(Construct->getArgs(), Construct->getNumArgs()));
    } else if (const auto *Call = dyn_cast<CallExpr>(&Node)) {
      readCall(*Call);
    }
  }

  void assign(const Expr &Target, const Expr &Value) {
    // An assignment through a reference to an object is to the object.
    QualType Type = Target.getType();
    if (!Type->isPointerType() && !isPointerWrapper(Type))
      return;
    if (std::optional<Slot> Goal = slotOf(Target))
      Flow.addEdges(Value, *Goal, Function);
  }

  /// node->left == &nil, with an object that other units know as well: one of
  /// them stores it there.
  void compare(const Expr &Left, const Expr &Right) {
    const VarDecl *Object = certainStatic(Left);
    const Expr &Other = Object ? Right : Left;
    if (!Object)
      Object = certainStatic(Right);
    if (!Object || !Object->isExternallyVisible() ||
        !isSharedStaticRecord(*Object) || !holdsAddress(Other.getType()))
      return;
    if (const auto Asked = slotOf(Other);
        Asked && isa<FieldDecl>(Asked->getPointer()))
      Flow.addEdge({{Object, Slot(), &Other}, *Asked, Function});
  }

  /// isNil(node->left), whose body is a comparison of what it is given.
  void compareBy(const FunctionDecl &Callee,
                 llvm::ArrayRef<const Expr *> Arguments) {
    if (Arguments.empty() || !Callee.getReturnType()->isIntegerType())
      return;
    const FunctionDecl *Definition = nullptr;
    const Expr *Value =
        Callee.hasBody(Definition) ? onlyReturn(*Definition) : nullptr;
    const auto *Test =
        Value ? dyn_cast<BinaryOperator>(Value->IgnoreParenImpCasts())
              : nullptr;
    if (!Test || !Test->isEqualityOp())
      return;
    for (auto [Given, Constant] : {std::pair(Test->getLHS(), Test->getRHS()),
                                   std::pair(Test->getRHS(), Test->getLHS())}) {
      const auto *Parameter =
          dyn_cast_if_present<ParmVarDecl>(variableOf(*Given));
      if (Parameter && Parameter->getFunctionScopeIndex() < Arguments.size() &&
          certainStatic(*Constant))
        compare(*Arguments[Parameter->getFunctionScopeIndex()], *Constant);
    }
  }

  void readList(const InitListExpr &Written) {
    const InitListExpr *List =
        Written.isSemanticForm() ? &Written : Written.getSemanticForm();
    // `reference{object}` is the object, whose type may be incomplete.
    const RecordDecl *Record = List && !List->isTransparent()
                                   ? List->getType()->getAsRecordDecl()
                                   : nullptr;
    if (Record)
      Record = Record->getDefinition();
    if (!Record || Record->isUnion())
      return;
    unsigned Index = 0;
    if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
      Index = Class->getNumBases();
    for (const FieldDecl *Field : Record->fields()) {
      if (Field->isUnnamedBitField())
        continue;
      if (Index >= List->getNumInits())
        break;
      if (const Expr *Init = List->getInit(Index++))
        give(*Field, *Init);
    }
  }

  void readCall(const CallExpr &Call) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    if (!Callee || isSameObjectCall(Call))
      return;
    llvm::ArrayRef<const Expr *> Arguments(Call.getArgs(), Call.getNumArgs());
    if (isStandardFunction(Callee, "exchange") && Arguments.size() == 2)
      return assign(*Arguments[0], *Arguments[1]);
    if (isStandardFunction(Callee, "swap") && Arguments.size() == 2) {
      assign(*Arguments[0], *Arguments[1]);
      return assign(*Arguments[1], *Arguments[0]);
    }
    const Expr *Object = nullptr;
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call)) {
      Object = Member->getImplicitObjectArgument();
    } else if (isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Callee)) {
      Object = Arguments.front();
      Arguments = Arguments.drop_front();
    }
    if (Object) {
      // store(p), reset(p), = p: to the wrapper's slot.
      QualType Type = Object->getType();
      if (isPointerWrapper(Type) && Arguments.size() >= 1 &&
          holdsAddress(Arguments[0]->getType()))
        assign(*Object, *Arguments[0]);
      if (Callee->hasBody())
        Flow.addEdges(*Object, Slot(Callee->getCanonicalDecl(), true),
                      Function);
    }
    passArguments(*Callee, Arguments);
    compareBy(*Callee, Arguments);
  }

  void passArguments(const FunctionDecl &Callee,
                     llvm::ArrayRef<const Expr *> Arguments) {
    const FunctionDecl *Definition = nullptr;
    if (!Callee.hasBody(Definition))
      return;
    for (unsigned I = 0; I < Arguments.size() && I < Definition->getNumParams();
         ++I)
      give(*Definition->getParamDecl(I), *Arguments[I]);
  }

  AddressFlow &Flow;
  const FunctionDecl *Function;
};

AddressFlow::AddressFlow(const UnitCode &Code, IdentityGuard &Guard)
    : Guard(Guard) {
  for (const VarDecl *Variable : Code.variables())
    if (const Expr *Init = Variable->getInit())
      if (!Variable->isStaticLocal())
        Collector(*this, nullptr).readInitializer(*Variable, *Init);
  for (const FieldDecl *Field : Code.initializedFields())
    Collector(*this, nullptr)
        .readInitializer(*Field, *Field->getInClassInitializer());
  for (const FunctionCode &Function : Code.functions())
    Collector(*this, Function.Function).readFunction(Function);
  solve();
  if (DependsOnValues)
    refine();
}

void AddressFlow::refine() {
  // What arrived is the most that can; with it, values are known.
  IsRefining = true;
  Most = std::move(Arrivals);
  Arrivals.clear();
  for (unsigned I = 0; I < Edges.size(); ++I)
    if (const VarDecl *Object = Edges[I].Source.Object)
      arrive(Edges[I].Target, *Object, I);
  solve();
  Most.clear();
}

void AddressFlow::addEdge(Edge New) {
  unsigned Index = Edges.size();
  Edges.push_back(New);
  if (New.Source.Object)
    return arrive(New.Target, *New.Source.Object, Index);
  EdgesFrom[New.Source.Origin].push_back(Index);
  // An edge that is read late has to see what already arrived.
  for (size_t I = 0; I < Arrivals.lookup(New.Source.Origin).size(); ++I)
    follow(Index, *Arrivals[New.Source.Origin][I].Object);
}

void AddressFlow::addEdges(const Expr &Value, Slot Target,
                           const FunctionDecl *Function) {
  AddressSources Sources = sourcesOf(Value, Function);
  if (Sources.empty())
    HoldUnknown.insert(Target);
  for (const AddressSource &Source : Sources)
    if (Source.Object || Source.Origin != Target)
      addEdge({Source, Target, Function});
}

void AddressFlow::linkSlots(Slot Source, Slot Target, const Expr &Leaf,
                            const FunctionDecl *Function) {
  addEdge({{nullptr, Source, &Leaf}, Target, Function});
}

const AddressFlow::Arrival *
AddressFlow::findArrival(Slot Place, const VarDecl &Object,
                         const ArrivalMap &Arrivals) {
  auto Found = Arrivals.find(Place);
  if (Found == Arrivals.end())
    return nullptr;
  for (const Arrival &Arrived : Found->second)
    if (Arrived.Object == &Object)
      return &Arrived;
  return nullptr;
}

void AddressFlow::arrive(Slot Place, const VarDecl &Object, unsigned ByEdge) {
  if (findArrival(Place, Object, Arrivals))
    return;
  Arrivals[Place].push_back({&Object, ByEdge});
  Pending.push_back({Place, &Object});
}

void AddressFlow::follow(unsigned EdgeIndex, const VarDecl &Object) {
  // By value: reading a function adds edges.
  const Edge Taken = Edges[EdgeIndex];
  if (Taken.Function)
    if (std::optional<AccessPath> Place = pathOf(*Taken.Source.Leaf)) {
      // While addresses still flow for the first time, nothing is known of what
      // is assigned.
      auto MayHold = [&](const Expr &Value, const FunctionDecl *Function,
                         const VarDecl &Object) {
        DependsOnValues = true;
        return !IsRefining || mayHold(Value, Function, Object, Most);
      };
      if (Guard.excludes(
              {Taken.Function, Taken.Source.Leaf, std::move(*Place), &Object},
              MayHold))
        return;
    }
  arrive(Taken.Target, Object, EdgeIndex);
}

void AddressFlow::readFunctionOf(Slot Parameter) {
  const auto *Variable = dyn_cast<ParmVarDecl>(Parameter.getPointer());
  if (!Variable)
    return;
  const auto *Function = dyn_cast<FunctionDecl>(Variable->getDeclContext());
  if (!Function || Read.contains(Function->getCanonicalDecl()))
    return;
  const FunctionDecl *Definition = nullptr;
  if (Function->hasBody(Definition))
    Collector(*this, Definition).readFunction(UnitCode::read(*Definition));
}

void AddressFlow::solve() {
  while (!Pending.empty()) {
    auto [Found, Object] = Pending.back();
    Pending.pop_back();
    readFunctionOf(Found);
    for (size_t I = 0; I < EdgesFrom.lookup(Found).size(); ++I)
      follow(EdgesFrom[Found][I], *Object);
  }
}

llvm::SmallVector<const VarDecl *, 2>
AddressFlow::objectsOf(const Expr &E, const FunctionDecl *Function) const {
  llvm::SmallVector<const VarDecl *, 2> Objects;
  auto Add = [&](const VarDecl *Object) {
    if (!llvm::is_contained(Objects, Object))
      Objects.push_back(Object);
  };
  for (const AddressSource &Source : sourcesOf(E, Function)) {
    if (Source.Object) {
      Add(Source.Object);
      continue;
    }
    if (auto Found = Arrivals.find(Source.Origin); Found != Arrivals.end())
      for (const Arrival &Arrived : Found->second)
        Add(Arrived.Object);
  }
  return Objects;
}

bool AddressFlow::mayHold(const Expr &E, const FunctionDecl *Function,
                          const VarDecl &Object, const ArrivalMap &Arrivals) {
  for (const AddressSource &Source : sourcesOf(E, Function))
    if (Source.Object ? Source.Object == &Object
                      : findArrival(Source.Origin, Object, Arrivals) != nullptr)
      return true;
  return false;
}

llvm::SmallVector<AddressFlow::Step, 4>
AddressFlow::wayTo(const Expr &E, const FunctionDecl *Function,
                   const VarDecl &Object) const {
  llvm::SmallVector<Step, 4> Way;
  for (const AddressSource &Source : sourcesOf(E, Function)) {
    if (Source.Object)
      continue;
    const Arrival *Latest = findArrival(Source.Origin, Object, Arrivals);
    if (!Latest)
      continue;
    // Each object arrives at a slot once, by an edge from where it was before,
    // so this ends.
    while (Latest) {
      const Edge &Step = Edges[Latest->ByEdge];
      Way.push_back({Step.Target, Step.Source.Leaf});
      Latest = Step.Source.Object
                   ? nullptr
                   : findArrival(Step.Source.Origin, Object, Arrivals);
    }
    break;
  }
  std::reverse(Way.begin(), Way.end());
  return Way;
}

bool AddressFlow::holdsNothingElse(Slot Asked, const VarDecl &Object) const {
  if (HoldUnknown.contains(Asked))
    return false;
  for (const Edge &Link : Edges)
    if (Link.Target == Asked && Link.Source.Object != &Object)
      return false;
  return findArrival(Asked, Object, Arrivals);
}

} // namespace linesman::tidy
