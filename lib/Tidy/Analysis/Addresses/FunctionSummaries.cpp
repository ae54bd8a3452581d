// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function's own statements first, then the summaries of what it calls, in
// the words of its own parameters.

#include "Analysis/Addresses/FunctionSummaries.h"
#include "Analysis/Addresses/StaticReach.h"
#include "Analysis/Code/UnitCode.h"
#include "Analysis/Code/VisibleBody.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// A class whose only content is one pointer.
bool isOnlyPointer(const FieldDecl &Field) {
  const RecordDecl *Record = Field.getParent();
  if (!Field.getType()->isPointerType() || Record->isUnion())
    return false;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record);
      !Class || (Class->hasDefinition() && Class->getNumBases() != 0))
    return false;
  return std::next(Record->field_begin()) == Record->field_end();
}

/// r.get(), r.raw(): what a class of one pointer holds.
bool givesOnlyPointer(const CXXMethodDecl &Method) {
  const CXXRecordDecl *Class = Method.getParent();
  return Method.getReturnType()->isPointerType() && Method.isConst() &&
         Class->hasDefinition() && !Class->field_empty() &&
         isOnlyPointer(**Class->field_begin());
}

bool isNothing(const Stmt &S) { return isa<DeclStmt, NullStmt>(S); }

bool leaves(const Stmt &S) {
  if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, CXXThrowExpr>(S))
    return true;
  if (isa<LambdaExpr>(S))
    return false;
  return llvm::any_of(
      S.children(), [](const Stmt *Child) { return Child && leaves(*Child); });
}

} // namespace

AccessPath withoutWrapping(AccessPath Path) {
  while (!Path.Steps.empty()) {
    const ValueDecl *Last = Path.Steps.back();
    const auto *Field = dyn_cast<FieldDecl>(Last);
    const auto *Method = dyn_cast<CXXMethodDecl>(Last);
    if (!(Field && isOnlyPointer(*Field)) &&
        !(Method && givesOnlyPointer(*Method)))
      break;
    Path.Steps.pop_back();
  }
  return Path;
}

std::optional<AccessPath> pointerPathOf(const Expr &E) {
  std::optional<AccessPath> Path = pathOf(E);
  if (Path)
    Path = withoutWrapping(std::move(*Path));
  return Path;
}

const Expr *CallParts::argumentFor(const ValueDecl *Parameter) const {
  const auto *Asked = dyn_cast_or_null<ParmVarDecl>(Parameter);
  if (!Asked || Asked->getFunctionScopeIndex() >= Arguments.size())
    return nullptr;
  return Arguments[Asked->getFunctionScopeIndex()];
}

std::optional<AccessPath> CallParts::rootOf(const ValueDecl *Inner) const {
  const Expr *Outer = Inner ? argumentFor(Inner) : Object;
  return Outer ? pathOf(*Outer) : std::nullopt;
}

std::optional<AccessPath> CallParts::placeOf(const AccessPath &Inner) const {
  std::optional<AccessPath> Path = rootOf(Inner.Root);
  if (!Path)
    return std::nullopt;
  Path->Steps.append(Inner.Steps.begin(), Inner.Steps.end());
  return withoutWrapping(std::move(*Path));
}

std::optional<CallParts> callParts(const Stmt &Call) {
  CallParts Parts;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(&Call)) {
    Parts.Callee = Construct->getConstructor();
    Parts.IsConstruction = true;
    Parts.Arguments = llvm::ArrayRef<Expr *>(
        const_cast<Expr **>(Construct->getArgs()), Construct->getNumArgs());
    return Parts;
  }
  const auto *Plain = dyn_cast<CallExpr>(&Call);
  if (!Plain || !Plain->getDirectCallee())
    return std::nullopt;
  Parts.Callee = Plain->getDirectCallee();
  Parts.Arguments = llvm::ArrayRef<Expr *>(
      const_cast<Expr **>(Plain->getArgs()), Plain->getNumArgs());
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Plain)) {
    Parts.Object = Member->getImplicitObjectArgument();
  } else if (isa<CXXOperatorCallExpr>(Plain) &&
             isa<CXXMethodDecl>(Parts.Callee) && !Parts.Arguments.empty()) {
    Parts.Object = Parts.Arguments.front();
    Parts.Arguments = Parts.Arguments.drop_front();
  }
  return Parts;
}

class FunctionSummaries::Reader {
public:
  Reader(FunctionSummaries &Summaries, const FunctionDecl &Definition,
         FunctionSummary &Result)
      : Summaries(Summaries), Definition(Definition), Result(Result) {}

  void read() {
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Definition))
      for (const CXXCtorInitializer *Init : Constructor->inits())
        if (Init->isAnyMemberInitializer()) {
          AccessPath Member;
          Member.Steps.push_back(Init->getAnyMember());
          addStore(std::move(Member), Init->getInit(), /*IsCertain=*/true);
          readStatements(*Init->getInit(), /*IsCertain=*/true);
        }
    const auto *Body = dyn_cast_or_null<CompoundStmt>(visibleBody(Definition));
    if (!Body)
      return;
    // Straight-line code up to the first way out is certain to run.
    bool IsCertain = true;
    for (const Stmt *Node : Body->body()) {
      readStatements(*Node, IsCertain && (isa<Expr, ReturnStmt>(*Node) ||
                                          isNothing(*Node)));
      IsCertain = IsCertain && !leaves(*Node);
    }
  }

private:
  /// Rooted at *this or at a parameter that leads to the caller's object.
  static bool isCallers(const AccessPath &Place) {
    if (!Place.Root)
      return true;
    const auto *Parameter = dyn_cast<ParmVarDecl>(Place.Root);
    return Parameter && (Parameter->getType()->isPointerType() ||
                         Parameter->getType()->isReferenceType());
  }

  void addStore(AccessPath Place, const Expr *Value, bool IsCertain,
                const FunctionDecl *ValueFunction = nullptr) {
    if (!isCallers(Place))
      return;
    // Calls of calls lead to one store on very many ways. The last one counts.
    Place = withoutWrapping(std::move(Place));
    llvm::erase_if(Result.Stores, [&](const FunctionSummary::Store &Known) {
      return Known.Value == Value && Known.Place == Place;
    });
    Result.Stores.push_back({std::move(Place), Value,
                             ValueFunction ? ValueFunction : &Definition,
                             IsCertain});
  }

  void addTest(AccessPath Place, const ParmVarDecl &Other) {
    if (llvm::none_of(Result.Tests, [&](const FunctionSummary::Test &Known) {
          return Known.Other == &Other && Known.Place == Place;
        }))
      Result.Tests.push_back({std::move(Place), &Other});
  }

  void readStore(const Expr &Target, const Expr *Value, bool IsCertain) {
    const Expr *Inner = stripSameObject(&Target);
    // A parameter that is a pointer is the function's own copy.
    if (isa<DeclRefExpr>(Inner) &&
        !cast<DeclRefExpr>(Inner)->getDecl()->getType()->isReferenceType())
      return;
    if (std::optional<AccessPath> Place = pathOf(Target))
      addStore(std::move(*Place), Value, IsCertain);
  }

  void readTest(const Expr &Asked, const Expr &Known) {
    std::optional<AccessPath> Other = pathOf(Known);
    if (!Other || !Other->Steps.empty() ||
        !isa_and_nonnull<ParmVarDecl>(Other->Root) || !isCallers(*Other))
      return;
    if (std::optional<AccessPath> Place = pointerPathOf(Asked);
        Place && isCallers(*Place))
      addTest(std::move(*Place), *cast<ParmVarDecl>(Other->Root));
  }

  void readStatements(const Stmt &Root, bool IsCertain) {
    forEachStatement(&Root, [&](const Stmt &Node) {
      if (const auto *Binary = dyn_cast<BinaryOperator>(&Node)) {
        if (!Binary->getLHS()->getType()->isPointerType())
          return;
        if (Binary->isEqualityOp()) {
          readTest(*Binary->getLHS(), *Binary->getRHS());
          readTest(*Binary->getRHS(), *Binary->getLHS());
        } else if (Binary->getOpcode() == BO_Assign) {
          readStore(*Binary->getLHS(), Binary->getRHS(), IsCertain);
        }
      } else if (std::optional<CallParts> Call = callParts(Node)) {
        readCall(*Call, IsCertain);
      }
    });
  }

  void readCall(const CallParts &Call, bool IsCertain) {
    if (isStandardFunction(Call.Callee, "exchange") &&
        Call.Arguments.size() == 2)
      return readStore(*Call.Arguments[0], Call.Arguments[1], IsCertain);
    const FunctionSummary &Inner = Summaries.of(*Call.Callee);
    takeTests(Call, Inner);
    takeStores(Call, Inner, IsCertain);
  }

  /// What the callee compares, in the words of this function.
  void takeTests(const CallParts &Call, const FunctionSummary &Inner) {
    for (const FunctionSummary::Test &Tested : Inner.Tests) {
      if (Result.Tests.size() >= MaxHandedOn)
        return;
      const Expr *Known = Call.argumentFor(Tested.Other);
      std::optional<AccessPath> Other = Known ? pathOf(*Known) : std::nullopt;
      if (!Other || !Other->Steps.empty() ||
          !isa_and_nonnull<ParmVarDecl>(Other->Root))
        continue;
      std::optional<AccessPath> Place = Call.placeOf(Tested.Place);
      if (Place && isCallers(*Place) && Place->Steps.size() <= MaxSteps)
        addTest(std::move(*Place), *cast<ParmVarDecl>(Other->Root));
    }
  }

  /// And what it stores. The path of an argument is made once for all stores.
  void takeStores(const CallParts &Call, const FunctionSummary &Inner,
                  bool IsCertain) {
    llvm::SmallDenseMap<const ValueDecl *, std::optional<AccessPath>, 4> Roots;
    for (const FunctionSummary::Store &Stored : Inner.Stores) {
      if (Result.Stores.size() >= MaxHandedOn)
        return;
      auto [Root, IsNew] = Roots.try_emplace(Stored.Place.Root);
      if (IsNew)
        Root->second = Call.rootOf(Stored.Place.Root);
      if (!Root->second || !isCallers(*Root->second) ||
          Root->second->Steps.size() + Stored.Place.Steps.size() > MaxSteps)
        continue;
      AccessPath Place = *Root->second;
      Place.Steps.append(Stored.Place.Steps.begin(), Stored.Place.Steps.end());
      // What the callee got as an argument has a name here.
      const Expr *Value = Stored.Value;
      const FunctionDecl *Function = Stored.Function;
      if (std::optional<AccessPath> Path =
              Value ? pathOf(*Value) : std::nullopt;
          Path && Path->Steps.empty())
        if (const Expr *Argument = Call.argumentFor(Path->Root)) {
          Value = Argument;
          Function = &Definition;
        }
      addStore(std::move(Place), Value, IsCertain && Stored.IsCertain,
               Function);
    }
  }

  /// Functions that call each other in circles lead to ever more places, and
  /// ever longer ones.
  static constexpr size_t MaxHandedOn = 64, MaxSteps = 8;

  FunctionSummaries &Summaries;
  const FunctionDecl &Definition;
  FunctionSummary &Result;
};

const FunctionSummary &FunctionSummaries::of(const FunctionDecl &Function) {
  static const FunctionSummary Nothing;
  const FunctionDecl *Definition = nullptr;
  if (!Function.hasBody(Definition) || Definition->isDependentContext())
    return Nothing;
  auto [Place, IsNew] = Known.try_emplace(Definition->getCanonicalDecl());
  // Recursion sees what is known so far.
  if (!IsNew)
    return Place->second ? *Place->second : Nothing;
  auto Made = std::make_unique<FunctionSummary>();
  Reader(*this, *Definition, *Made).read();
  return *(Known[Definition->getCanonicalDecl()] = std::move(Made));
}

const VarDecl *keptStatic(const Expr &E, FunctionSummaries &Summaries) {
  if (const VarDecl *Object = certainStatic(E))
    return Object;
  const Expr *Inner = stripSameObject(&E);
  if (const auto *List = dyn_cast<InitListExpr>(Inner);
      List && List->getNumInits() == 1)
    return keptStatic(*List->getInit(0), Summaries);
  std::optional<CallParts> Call = callParts(*Inner);
  if (!Call || !(Call->IsConstruction || Call->Object))
    return nullptr;
  for (const FunctionSummary::Store &Stored :
       Summaries.of(*Call->Callee).Stores)
    if (!Stored.Place.Root && Stored.Value) {
      std::optional<AccessPath> Value = pathOf(*Stored.Value);
      const Expr *Argument = Value && Value->Steps.empty()
                                 ? Call->argumentFor(Value->Root)
                                 : nullptr;
      if (const VarDecl *Object = Argument ? certainStatic(*Argument) : nullptr)
        return Object;
    }
  return nullptr;
}

} // namespace linesman::tidy
