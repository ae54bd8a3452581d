// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Accesses/UnitAccesses.h"
#include "Analysis/Accesses/UnitWalker.h"
#include "Analysis/Code/DeclarationWalker.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

SourceLocation Access::location() const {
  const Expr *E = Site->IgnoreParens();
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return Binary->getOperatorLoc();
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E))
    return Operator->getOperatorLoc();
  return E->getExprLoc();
}

namespace {

class BodyWalker : public DeclarationWalker {
public:
  BodyWalker(UnitWalker &Walker, const SourceManager &Sources,
             const WalkOptions &Options)
      : DeclarationWalker(Sources, Options.SystemHeaders), Walker(Walker) {}

protected:
  void visitFunction(const FunctionDecl &Definition) override {
    Walker.walkFunction(Definition);
  }
  void visitVariable(const VarDecl &Variable) override {
    Walker.walkVariable(Variable);
  }
  void visitRecord(const RecordDecl &Definition) override {
    Walker.addRecord(Definition);
  }

private:
  UnitWalker &Walker;
};

} // namespace

UnitAccesses::UnitAccesses(ASTContext &Unit, const WalkOptions &Options)
    : Unit(Unit), Broken(Options.Broken) {
  UnitWalker Walker(*this, Unit);
  BodyWalker(Walker, Unit.getSourceManager(), Options)
      .walkContext(*Unit.getTranslationUnitDecl());
  for (unsigned I = 0; I != Accesses.size(); ++I) {
    const Access &Use = Accesses[I];
    HasAtomics |= Use.Atomic != AtomicOperation::None;
    if (Use.Object.Root)
      ByDeclaration[Use.Object.Root].push_back(I);
    for (const FieldDecl *Field : Use.Object.Path)
      ByDeclaration[Field].push_back(I);
    if (Use.Function)
      ByFunction[Use.Function->getCanonicalDecl()].push_back(I);
  }
}

llvm::ArrayRef<unsigned> UnitAccesses::of(const VarDecl &Static) const {
  auto Found = ByDeclaration.find(Static.getCanonicalDecl());
  return Found == ByDeclaration.end() ? llvm::ArrayRef<unsigned>()
                                      : Found->second;
}

llvm::ArrayRef<unsigned> UnitAccesses::of(const FieldDecl &Field) const {
  auto Found = ByDeclaration.find(&Field);
  return Found == ByDeclaration.end() ? llvm::ArrayRef<unsigned>()
                                      : Found->second;
}

llvm::ArrayRef<unsigned> UnitAccesses::in(const FunctionDecl &Function) const {
  auto Found = ByFunction.find(Function.getCanonicalDecl());
  return Found == ByFunction.end() ? llvm::ArrayRef<unsigned>() : Found->second;
}

llvm::ArrayRef<CodePlace>
UnitAccesses::callersOf(const FunctionDecl &Function) const {
  auto Found = Callers.find(Function.getCanonicalDecl());
  return Found == Callers.end() ? llvm::ArrayRef<CodePlace>() : Found->second;
}

/// What the standard library's guards call, in code that is not walked.
static bool isCalledByGuard(const CXXMethodDecl &Method) {
  return Method.getIdentifier() && Method.isUsed(/*CheckUsedAttr=*/false) &&
         (Method.getName() == "lock" || Method.getName() == "lock_shared");
}

bool UnitAccesses::hasOnlyCallersHere(const FunctionDecl &Function) const {
  return !isAddressTaken(Function) &&
         (!Function.isExternallyVisible() ||
          (isa<CXXMethodDecl>(Function) && Function.getAccess() == AS_private));
}

bool UnitAccesses::isUsedHere(const FunctionDecl &Function) const {
  const SourceManager &Sources = Function.getASTContext().getSourceManager();
  // Only a plain inline function is there for others; a template was
  // instantiated by somebody, and some calls are not written as such.
  if (Sources.isInMainFile(Sources.getFileLoc(Function.getLocation())) ||
      !Function.isInlined() || Function.isTemplateInstantiation() ||
      isa<CXXConstructorDecl, CXXDestructorDecl, CXXConversionDecl>(Function) ||
      Function.isOverloadedOperator() || isAddressTaken(Function))
    return true;
  if (const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
      Method && (Method->isVirtual() || Method->getParent()->isLambda() ||
                 isCalledByGuard(*Method)))
    return true;
  auto [Place, IsNew] =
      UsedHere.try_emplace(Function.getCanonicalDecl(), false);
  if (!IsNew)
    return Place->second;
  bool Answer = llvm::any_of(callersOf(Function), [&](const CodePlace &Caller) {
    return !Caller.Function || isUsedHere(*Caller.Function);
  });
  return UsedHere[Function.getCanonicalDecl()] = Answer;
}

} // namespace linesman::tidy
