// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asked only about arrays that are counted in, so what fills them is looked up
// when it is asked for.

#include "Analysis/Threads/ThreadBounds.h"
#include "Analysis/Names/ThreadCounts.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace linesman::tidy {

static bool namesThreadCount(const FunctionDecl &Callee) {
  return Callee.getIdentifier() &&
         (Callee.getName() == "hardware_concurrency" ||
          soundsLikeThreadCount(Callee.getName()));
}

/// "malloc", "xcalloc", "CRYPTO_malloc". Who takes aligned memory has thought
/// of lines.
static bool givesMemory(const FunctionDecl &Callee) {
  if (!Callee.getIdentifier())
    return false;
  const std::string Name = Callee.getName().lower();
  const llvm::StringRef Lower = Name;
  return !Lower.contains("align") &&
         (Lower.ends_with("malloc") || Lower.ends_with("calloc") ||
          Lower.ends_with("realloc"));
}

bool ThreadBounds::isThreadCount(const Expr &Bound) const {
  const Expr *Inner = Bound.IgnoreParenImpCasts();
  // What a macro stands for has no name of its own.
  if (SourceLocation Begin = Bound.getBeginLoc();
      Begin.isMacroID() && soundsLikeThreadCount(Lexer::getImmediateMacroName(
                               Begin, Accesses.unit().getSourceManager(),
                               Accesses.unit().getLangOpts())))
    return true;
  Inner = Inner->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
  if (isNamedThreadCount(*Inner))
    return true;
  if (const auto *Call = dyn_cast<CallExpr>(Inner))
    return Call->getDirectCallee() &&
           namesThreadCount(*Call->getDirectCallee());
  const auto *Binary = dyn_cast<BinaryOperator>(Inner);
  if (!Binary)
    return false;
  const Expr &Left = *Binary->getLHS(), &Right = *Binary->getRHS();
  auto IsSize = [](const Expr &E) {
    return isa<UnaryExprOrTypeTraitExpr>(E.IgnoreParenImpCasts());
  };
  auto IsNumber = [](const Expr &E) {
    return isa<IntegerLiteral>(E.IgnoreParenImpCasts());
  };
  if (Binary->isAdditiveOp())
    return isThreadCount(Left) && IsNumber(Right);
  return Binary->getOpcode() == BO_Mul &&
         ((IsSize(Left) && isThreadCount(Right)) ||
          (IsSize(Right) && isThreadCount(Left)));
}

bool ThreadBounds::givesThreadCount(const Expr &Value) const {
  const Expr *Inner = Value.IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
  if (const auto *New = dyn_cast<CXXNewExpr>(Inner))
    return New->isArray() && New->getArraySize() && *New->getArraySize() &&
           isThreadCount(**New->getArraySize());
  if (const auto *Made = dyn_cast<CXXConstructExpr>(Inner))
    return Made->getNumArgs() != 0 && isThreadCount(*Made->getArg(0));
  const auto *Call = dyn_cast<CallExpr>(Inner);
  return Call && Call->getDirectCallee() &&
         givesMemory(*Call->getDirectCallee()) &&
         llvm::any_of(Call->arguments(), [&](const Expr *Argument) {
           return isThreadCount(*Argument);
         });
}

bool ThreadBounds::isDeclaredSo(const DeclaratorDecl &Array) const {
  const TypeSourceInfo *Written = Array.getTypeSourceInfo();
  if (!Written)
    return false;
  const TypeLoc Type = Written->getTypeLoc();
  if (const auto Bounded = Type.getAsAdjusted<ArrayTypeLoc>())
    return Bounded.getSizeExpr() &&
           !Bounded.getSizeExpr()->isValueDependent() &&
           isThreadCount(*Bounded.getSizeExpr());
  const auto Template = Type.getAsAdjusted<TemplateSpecializationTypeLoc>();
  if (!Template || Template.getNumArgs() < 2)
    return false;
  const TemplateArgumentLoc Bound = Template.getArgLoc(1);
  return Bound.getArgument().getKind() == TemplateArgument::Expression &&
         Bound.getSourceExpression() &&
         isThreadCount(*Bound.getSourceExpression());
}

/// done.resize(n), done.assign(n, 0), and an assignment of memory.
bool ThreadBounds::isFilledSo(const DeclaratorDecl &Array) const {
  const auto *Field = dyn_cast<FieldDecl>(&Array);
  auto Fills = [&](unsigned Index) {
    const Access &Use = Accesses.all()[Index];
    if (!Use.writes() || Use.Object.Index || Use.Object.name() != &Array)
      return false;
    const Expr *Site = Use.Site->IgnoreParens();
    if (const auto *Store = dyn_cast<BinaryOperator>(Site))
      return Store->getOpcode() == BO_Assign &&
             givesThreadCount(*Store->getRHS());
    if (const auto *Store = dyn_cast<CXXOperatorCallExpr>(Site))
      return Store->getOperator() == OO_Equal && Store->getNumArgs() == 2 &&
             givesThreadCount(*Store->getArg(1));
    const auto *Call = dyn_cast<CXXMemberCallExpr>(Site);
    const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
    return Method && Method->getIdentifier() && Call->getNumArgs() != 0 &&
           WordSwitch<bool>(Method->getName())
               .Cases({"resize", "assign"}, true)
               .Default(false) &&
           isThreadCount(*Call->getArg(0));
  };
  if (!Field)
    return llvm::any_of(Accesses.of(cast<VarDecl>(Array)), Fills);
  if (llvm::any_of(Accesses.of(*Field), Fills))
    return true;
  const auto *Class = dyn_cast<CXXRecordDecl>(Field->getParent());
  return Class && Class->hasDefinition() &&
         llvm::any_of(Class->ctors(), [&](const CXXConstructorDecl *Made) {
           const FunctionDecl *Body = Made->getDefinition();
           const auto *Constructor =
               dyn_cast_if_present<CXXConstructorDecl>(Body);
           return Constructor &&
                  llvm::any_of(Constructor->inits(),
                               [&](const CXXCtorInitializer *Init) {
                                 return Init->getMember() == Field &&
                                        !Init->getInit()->isValueDependent() &&
                                        givesThreadCount(*Init->getInit());
                               });
         });
}

bool ThreadBounds::compute(const DeclaratorDecl &Array) const {
  if (isDeclaredSo(Array))
    return true;
  if (const auto *Var = dyn_cast<VarDecl>(&Array))
    if (Var->hasInit() && !Var->getInit()->isValueDependent() &&
        givesThreadCount(*Var->getInit()))
      return true;
  return isFilledSo(Array);
}

bool ThreadBounds::isSizedByThreads(const ValueDecl &Array) const {
  const auto *Declared = dyn_cast<DeclaratorDecl>(&Array);
  if (!Declared || !isa<VarDecl, FieldDecl>(Declared))
    return false;
  auto [Place, IsNew] = Known.try_emplace(&Array, false);
  if (IsNew)
    Place->second = compute(*Declared);
  return Place->second;
}

} // namespace linesman::tidy
