// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only what certainly compiles is offered: nothing in macros, nothing for an
// object that cannot be named where the write is.

#include "Analysis/Addresses/GuardFix.h"
#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Names/PlainName.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace linesman::tidy {

namespace {

std::string sourceText(const Expr &E, const ASTContext &Unit) {
  if (E.getBeginLoc().isMacroID() || E.getEndLoc().isMacroID())
    return "";
  return Lexer::getSourceText(
             CharSourceRange::getTokenRange(E.getSourceRange()),
             Unit.getSourceManager(), Unit.getLangOpts())
      .str();
}

/// Binds weaker than &&, so that it needs parentheses beside it.
bool needsParentheses(const Expr &Condition) {
  const Expr *Inner = Condition.IgnoreImpCasts();
  if (isa<AbstractConditionalOperator>(Inner))
    return true;
  const auto *Binary = dyn_cast<BinaryOperator>(Inner);
  return Binary && (Binary->getOpcode() == BO_LOr || Binary->isAssignmentOp() ||
                    Binary->getOpcode() == BO_Comma);
}

bool isTemplate(const CXXRecordDecl &Class) {
  return Class.isDependentContext() ||
         isa<ClassTemplateSpecializationDecl>(Class) ||
         Class.getInstantiatedFromMemberClass();
}

/// What \p Object is called where \p Named, spelled \p Place, leads to it.
/// Arguments of templates have no spelling that fits everywhere: a static
/// member is found through the pointer then. Empty where there is no name.
std::string spellingOf(const VarDecl &Object, const Expr &Named,
                       StringRef Place) {
  if (isa<VarTemplateSpecializationDecl>(Object) ||
      Object.getDescribedVarTemplate())
    return "";
  const auto *Class = dyn_cast<CXXRecordDecl>(Object.getDeclContext());
  if (!Class || !isTemplate(*Class))
    return plainName(Object);
  const bool IsPointer = Named.getType()->isPointerType();
  QualType Type = IsPointer ? Named.getType()->getPointeeType()
                            : Named.getType().getNonReferenceType();
  const CXXRecordDecl *Own = Type->getAsCXXRecordDecl();
  auto PatternOf = [](const CXXRecordDecl &Record) {
    const CXXRecordDecl *Pattern = Record.getTemplateInstantiationPattern();
    return (Pattern ? Pattern : &Record)->getCanonicalDecl();
  };
  if (!Own || PatternOf(*Own) != PatternOf(*Class))
    return "";
  return (Place + (IsPointer ? "->" : ".") + Object.getName()).str();
}

/// A statement that an if may replace: no else behind it would change sides.
bool isBodyOf(const Stmt &Statement, const Stmt &Parent) {
  if (const auto *If = dyn_cast<IfStmt>(&Parent))
    return If->getElse() == &Statement;
  if (const auto *Loop = dyn_cast<ForStmt>(&Parent))
    return Loop->getBody() == &Statement;
  if (const auto *Loop = dyn_cast<WhileStmt>(&Parent))
    return Loop->getBody() == &Statement;
  if (const auto *Loop = dyn_cast<CXXForRangeStmt>(&Parent))
    return Loop->getBody() == &Statement;
  return false;
}

/// The if without an else whose condition begins with \p Write, compared or
/// not: "if (p->count.fetch_sub(1) == 1) ...". Null where there is none.
const IfStmt *decidedBy(const Stmt &Write, const Parents &Enclosing,
                        const ASTContext &Unit) {
  const Stmt *Child = &Write;
  const Stmt *Parent = Enclosing.of(Write);
  while (Parent &&
         isa<BinaryOperator, ParenExpr, UnaryOperator, CastExpr, FullExpr>(
             Parent)) {
    const auto *Binary = dyn_cast<BinaryOperator>(Parent);
    if (Binary && Binary->getLHS() != Child)
      return nullptr;
    Child = Parent;
    Parent = Enclosing.of(*Parent);
  }
  const auto *If = dyn_cast_or_null<IfStmt>(Parent);
  return If && If->getCond() == Child && !If->getElse() &&
                 !If->hasVarStorage() && !If->hasInitStorage() &&
                 !sourceText(*If->getCond(), Unit).empty()
             ? If
             : nullptr;
}

} // namespace

GuardFix guardFixFor(const Expr &Site, const Expr &Base, const VarDecl &Object,
                     const FunctionDecl &Function) {
  const ASTContext &Unit = Function.getASTContext();
  GuardFix Fix;
  const Expr *Named = stripSameObject(&Base);
  std::string Place = sourceText(*Named, Unit);
  if (Place.empty() || Object.isStaticLocal() || Site.getBeginLoc().isMacroID())
    return Fix;
  const bool IsPointer = Named->getType()->isPointerType();
  const bool IsArray = Object.getType()->isArrayType();
  std::string Spelling = spellingOf(Object, *Named, Place);
  if (Spelling.empty())
    return Fix;
  Fix.Test =
      (IsPointer ? "" : "&") + Place + " != " + (IsArray ? "" : "&") + Spelling;

  // Up to the statement that the write is.
  const Stmt *Statement = &Site;
  const Parents Enclosing(Function);
  const Stmt *Parent = Enclosing.of(Site);
  while (Parent &&
         isa<FullExpr, CXXBindTemporaryExpr, ImplicitCastExpr>(Parent)) {
    Statement = Parent;
    Parent = Enclosing.of(*Parent);
  }
  if (!Parent)
    return Fix;
  const auto *Around = dyn_cast<CompoundStmt>(Parent);
  const Stmt *Outer =
      Around && Around->size() == 1 ? Enclosing.of(*Around) : Parent;
  const Stmt *Body = Around ? Parent : Statement;
  const auto *If = dyn_cast_or_null<IfStmt>(Outer);
  if (If && If->getThen() == Body && !If->getElse() && !If->hasVarStorage() &&
      !If->hasInitStorage()) {
    const Expr *Condition = If->getCond();
    if (sourceText(*Condition, Unit).empty())
      return Fix;
    SourceLocation End = Lexer::getLocForEndOfToken(
        Condition->getEndLoc(), 0, Unit.getSourceManager(), Unit.getLangOpts());
    const bool Wrap = needsParentheses(*Condition);
    if (Wrap)
      Fix.Hints.push_back(
          FixItHint::CreateInsertion(Condition->getBeginLoc(), "("));
    Fix.Hints.push_back(
        FixItHint::CreateInsertion(End, (Wrap ? ") && " : " && ") + Fix.Test));
  } else if (const IfStmt *Deciding = decidedBy(*Statement, Enclosing, Unit)) {
    const Expr *Condition = Deciding->getCond();
    const bool Wrap = needsParentheses(*Condition);
    Fix.Hints.push_back(FixItHint::CreateInsertion(
        Condition->getBeginLoc(), Fix.Test + (Wrap ? " && (" : " && ")));
    if (Wrap)
      Fix.Hints.push_back(FixItHint::CreateInsertion(
          Lexer::getLocForEndOfToken(Condition->getEndLoc(), 0,
                                     Unit.getSourceManager(),
                                     Unit.getLangOpts()),
          ")"));
  } else if (Around || isBodyOf(*Statement, *Parent)) {
    Fix.Hints.push_back(FixItHint::CreateInsertion(Statement->getBeginLoc(),
                                                   "if (" + Fix.Test + ") "));
  }
  return Fix;
}

} // namespace linesman::tidy
