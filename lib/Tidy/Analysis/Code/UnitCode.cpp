// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/UnitCode.h"
#include "Analysis/Code/DeclarationWalker.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
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

class UnitCode::Reader : public DeclarationWalker {
public:
  Reader(UnitCode &Code, const SourceManager &Sources, Scope Place)
      : DeclarationWalker(Sources, Place == Scope::SystemHeadersToo),
        Code(Code) {}

private:
  void visitField(const FieldDecl &Field) override {
    if (Field.hasInClassInitializer() && Field.getInClassInitializer())
      Code.Fields.push_back(&Field);
  }

  void visitVariable(const VarDecl &Variable) override {
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

  void visitFunction(const FunctionDecl &Function) override {
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
        walk(*Generic);
      else
        walk(*Lambda->getCallOperator());
    } else if (const auto *Declarations = dyn_cast<DeclStmt>(&Node)) {
      for (const Decl *Declared : Declarations->decls())
        if (isa<VarDecl, RecordDecl>(Declared))
          walk(*Declared);
    }
  }

  UnitCode &Code;
};

UnitCode::UnitCode(ASTContext &Unit, Scope Place) {
  Reader(*this, Unit.getSourceManager(), Place)
      .walkContext(*Unit.getTranslationUnitDecl());
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
