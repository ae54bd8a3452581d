// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With clang's own visitor, which knows every place where an expression can be.

#include "Analysis/Code/VariableMentions.h"
#include "Analysis/Addresses/AccessPath.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace linesman::tidy {

class VariableMentions::Visitor
    : public RecursiveASTVisitor<VariableMentions::Visitor> {
public:
  Visitor(VariableMentions &Result, const SourceManager &Sources)
      : Result(Result), Sources(Sources) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  // What a clause of OpenMP captures is in a variable that nobody wrote down.
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(Decl *D) {
    if (D && D->getLocation().isValid() &&
        Sources.isInSystemHeader(D->getLocation()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    return add(*E->getDecl(), E->getLocation());
  }
  bool VisitMemberExpr(MemberExpr *E) {
    return add(*E->getMemberDecl(), E->getMemberLoc());
  }

private:
  bool add(const ValueDecl &Named, SourceLocation Place) {
    if (const auto *Variable = dyn_cast<VarDecl>(&Named))
      if (auto Found = Result.Mentions.find(Variable->getCanonicalDecl());
          Found != Result.Mentions.end())
        Found->second.insert(Place);
    return true;
  }

  VariableMentions &Result;
  const SourceManager &Sources;
};

VariableMentions::VariableMentions(ASTContext &Unit,
                                   llvm::ArrayRef<const VarDecl *> Variables) {
  if (Variables.empty())
    return;
  for (const VarDecl *Variable : Variables)
    Mentions[Variable->getCanonicalDecl()];
  Visitor(*this, Unit.getSourceManager())
      .TraverseDecl(Unit.getTranslationUnitDecl());
}

const MentionSet &VariableMentions::of(const VarDecl &Variable) const {
  auto Found = Mentions.find(Variable.getCanonicalDecl());
  assert(Found != Mentions.end() && "a variable that was not asked for");
  return Found->second;
}

namespace {

void addTarget(const Expr &Target, const VarDecl &Variable,
               MentionSet &Targets) {
  const Expr *Inner = stripSameObject(&Target);
  auto Descend = [&](const Expr *Next) { addTarget(*Next, Variable, Targets); };
  auto Add = [&](const ValueDecl *Named, SourceLocation Place) {
    if (Named->getCanonicalDecl() == Variable.getCanonicalDecl())
      Targets.insert(Place);
  };
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Inner)) {
    Add(Reference->getDecl(), Reference->getLocation());
  } else if (const auto *Member = dyn_cast<MemberExpr>(Inner)) {
    Add(Member->getMemberDecl(), Member->getMemberLoc());
    Descend(Member->getBase());
  } else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Inner)) {
    Descend(Subscript->getBase());
  } else if (const auto *Unary = dyn_cast<UnaryOperator>(Inner)) {
    Descend(Unary->getSubExpr());
  } else if (const auto *Choice = dyn_cast<ConditionalOperator>(Inner)) {
    Descend(Choice->getTrueExpr());
    Descend(Choice->getFalseExpr());
  } else if (const Expr *Object = operatedObject(*Inner)) {
    // An assignment gives its object, and an element is one of its array.
    Descend(Object);
  }
}

} // namespace

void addTargetMentions(const Expr &Site, const VarDecl &Variable,
                       MentionSet &Targets) {
  if (const Expr *Object = operatedObject(Site))
    addTarget(*Object, Variable, Targets);
}

} // namespace linesman::tidy
