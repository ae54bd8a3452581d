// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written by hand instead of with RecursiveASTVisitor: a unit is mostly system
// headers, and this skips a whole namespace of them at its first line.

#include "Analysis/Code/UnitCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace linesman::tidy {

void forEachStatement(const Stmt *Root,
                      llvm::function_ref<void(const Stmt &)> Visit) {
  // Trees are deep in generated code (long chains of else if), so no recursion.
  llvm::SmallVector<const Stmt *, 64> Pending;
  auto Push = [&](const Stmt *Child) {
    if (Child)
      Pending.push_back(Child);
  };
  Push(Root);
  while (!Pending.empty()) {
    const Stmt *Next = Pending.pop_back_val();
    Visit(*Next);
    if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, TypeTraitExpr>(Next))
      continue;
    if (const auto *Argument = dyn_cast<CXXDefaultArgExpr>(Next)) {
      Push(Argument->getExpr());
      continue;
    }
    if (const auto *Member = dyn_cast<CXXDefaultInitExpr>(Next)) {
      Push(Member->getExpr());
      continue;
    }
    if (const auto *Lambda = dyn_cast<LambdaExpr>(Next)) {
      for (const Expr *Capture : Lambda->capture_inits())
        Push(Capture);
      continue;
    }
    if (const auto *Typeid = dyn_cast<CXXTypeidExpr>(Next);
        Typeid && !Typeid->isPotentiallyEvaluated())
      continue;
    size_t First = Pending.size();
    for (const Stmt *Child : Next->children())
      Push(Child);
    std::reverse(Pending.begin() + First, Pending.end());
  }
}

class UnitCode::Reader {
public:
  Reader(UnitCode &Code, const SourceManager &Sources, Scope Place)
      : Code(Code), Sources(Sources), Place(Place) {}

  void readContext(const DeclContext &Context) {
    for (const Decl *Child : Context.decls())
      readDeclaration(*Child);
  }

  void readDeclaration(const Decl &Declaration) {
    if (isLeftOut(Declaration.getLocation()))
      return;
    if (const auto *Function = dyn_cast<FunctionDecl>(&Declaration))
      return readFunction(*Function);
    if (const auto *Template = dyn_cast<FunctionTemplateDecl>(&Declaration)) {
      // Every redeclaration lists the same instantiations.
      if (Template->isCanonicalDecl())
        for (const FunctionDecl *Instance : Template->specializations())
          readFunction(*Instance);
      return;
    }
    if (const auto *Template = dyn_cast<ClassTemplateDecl>(&Declaration)) {
      if (Template->isCanonicalDecl())
        for (const auto *Instance : Template->specializations())
          if (Instance->getSpecializationKind() != TSK_ExplicitSpecialization)
            readRecord(*Instance);
      return;
    }
    if (const auto *Template = dyn_cast<VarTemplateDecl>(&Declaration)) {
      if (Template->isCanonicalDecl())
        for (const VarDecl *Instance : Template->specializations())
          readVariable(*Instance);
      return;
    }
    if (const auto *Record = dyn_cast<RecordDecl>(&Declaration))
      return readRecord(*Record);
    if (const auto *Variable = dyn_cast<VarDecl>(&Declaration))
      return readVariable(*Variable);
    if (const auto *Field = dyn_cast<FieldDecl>(&Declaration)) {
      if (Field->hasInClassInitializer() && Field->getInClassInitializer())
        Code.Fields.push_back(Field);
      return;
    }
    if (const auto *Friend = dyn_cast<FriendDecl>(&Declaration)) {
      if (const NamedDecl *Named = Friend->getFriendDecl())
        if (isa<FunctionDecl, FunctionTemplateDecl>(Named))
          readDeclaration(*Named);
      return;
    }
    // Namespaces and extern "C".
    if (const auto *Context = dyn_cast<DeclContext>(&Declaration))
      readContext(*Context);
  }

private:
  bool isLeftOut(SourceLocation Location) const {
    return Place == Scope::User && Location.isValid() &&
           Sources.isInSystemHeader(Location);
  }

  void readRecord(const RecordDecl &Record) {
    if (Record.isThisDeclarationADefinition() && !Record.isDependentContext())
      readContext(Record);
  }

  void readVariable(const VarDecl &Variable) {
    if (Variable.getDeclContext()->isDependentContext() ||
        !Variable.hasGlobalStorage() || Variable.getType()->isDependentType())
      return;
    QualType Type = Variable.getType();
    if (Type->isPointerType() || Type->isReferenceType() ||
        Type->isRecordType() || Type->isArrayType())
      Code.Variables.push_back(&Variable);
    if (const Expr *Init = Variable.getInit())
      readNested(*Init);
  }

  void readFunction(const FunctionDecl &Function) {
    if (!Function.doesThisDeclarationHaveABody() ||
        Function.isDependentContext() || !Function.hasBody())
      return;
    FunctionCode Read = UnitCode::read(Function);
    for (const Stmt *Node : Read.Statements)
      readNestedIn(*Node);
    Code.Functions.push_back(std::move(Read));
  }

  /// Lambdas of an initialiser at namespace scope.
  void readNested(const Stmt &Root) {
    forEachStatement(&Root, [&](const Stmt &Node) { readNestedIn(Node); });
  }

  /// What a statement declares: lambdas, local statics, local classes.
  void readNestedIn(const Stmt &Node) {
    if (const auto *Lambda = dyn_cast<LambdaExpr>(&Node)) {
      if (const FunctionTemplateDecl *Generic =
              Lambda->getDependentCallOperator())
        readDeclaration(*Generic);
      else
        readFunction(*Lambda->getCallOperator());
    } else if (const auto *Declarations = dyn_cast<DeclStmt>(&Node)) {
      for (const Decl *Declared : Declarations->decls())
        if (isa<VarDecl, RecordDecl>(Declared))
          readDeclaration(*Declared);
    }
  }

  UnitCode &Code;
  const SourceManager &Sources;
  Scope Place;
};

UnitCode::UnitCode(ASTContext &Unit, Scope Place) {
  Reader(*this, Unit.getSourceManager(), Place)
      .readContext(*Unit.getTranslationUnitDecl());
}

FunctionCode UnitCode::read(const FunctionDecl &Definition) {
  FunctionCode Read;
  Read.Function = &Definition;
  auto Keep = [&](const Stmt &Node) {
    if (const auto *Binary = dyn_cast<BinaryOperator>(&Node)) {
      if (Binary->isAssignmentOp() || Binary->isEqualityOp())
        Read.Statements.push_back(&Node);
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(&Node)) {
      if (Unary->isIncrementDecrementOp())
        Read.Statements.push_back(&Node);
    } else if (isa<CallExpr, CXXConstructExpr, AtomicExpr, DeclStmt, ReturnStmt,
                   InitListExpr, LambdaExpr, ConditionalOperator>(Node)) {
      Read.Statements.push_back(&Node);
    }
  };
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Definition))
    for (const CXXCtorInitializer *Init : Constructor->inits())
      forEachStatement(Init->getInit(), Keep);
  forEachStatement(Definition.getBody(), Keep);
  return Read;
}

} // namespace linesman::tidy
