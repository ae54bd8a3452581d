// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Writes/RepeatedAnswers.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// should_yield(), isExpired(): the name asks.
bool isQuestion(const Expr &Value) {
  const auto *Call = dyn_cast<CallExpr>(Value.IgnoreUnlessSpelledInSource());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() &&
         Callee->getReturnType()->isBooleanType() &&
         llvm::any_of(wordsOf(Callee->getName()), [](llvm::StringRef Word) {
           return WordSwitch<bool>(Word)
               .Cases({"is", "are", "was", "has", "have", "should", "must",
                       "needs", "wants", "can", "may"},
                      true)
               .Default(false);
         });
}

/// bool, volatile bool, std::atomic<bool>.
bool isBool(QualType Type) {
  if (const auto *Atomic = Type->getAs<AtomicType>())
    return Atomic->getValueType()->isBooleanType();
  if (const auto *Class = dyn_cast_if_present<ClassTemplateSpecializationDecl>(
          Type->getAsCXXRecordDecl())) {
    const TemplateArgumentList &Arguments = Class->getTemplateArgs();
    return Arguments.size() != 0 &&
           Arguments[0].getKind() == TemplateArgument::Type &&
           Arguments[0].getAsType()->isBooleanType();
  }
  return Type->isBooleanType();
}

/// !flag, flag, flag.load(): the condition is all about the flag.
bool isTestOf(const Expr &Condition, const Expr &Read) {
  const Expr *Inner = Condition.IgnoreUnlessSpelledInSource();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
      Unary && Unary->getOpcode() == UO_LNot)
    return isTestOf(*Unary->getSubExpr(), Read);
  return Inner == Read.IgnoreUnlessSpelledInSource();
}

/// The store is in the branch that the flag's value leads to.
bool isTestedAround(const Access &Use, const UnitAccesses &Accesses) {
  StmtPath Path;
  const Stmt *Body = Use.Function->getBody();
  if (!Body || !findPath(*Body, *Use.Site, Path))
    return false;
  return llvm::any_of(Accesses.in(*Use.Function), [&](unsigned Index) {
    const Access &Test = Accesses.all()[Index];
    return Test.Kind == AccessKind::Read && Test.IsInCondition &&
           Test.Object.isSameAs(Use.Object) &&
           llvm::any_of(Path, [&](const Stmt *Around) {
             const auto *If = dyn_cast<IfStmt>(Around);
             return If && isTestOf(*If->getCond(), *Test.Site);
           });
  });
}

} // namespace

bool repeatsAnswer(const Access &Use, HotAccesses &Hot) {
  const ValueDecl *Flag = Use.Object.field();
  if (!Flag)
    Flag = Use.Object.Root;
  if (Hot.kindOf(Use) != AccessKind::Write || !Flag || !Use.IsConditional ||
      Use.Object.Index || Use.Object.IsLocalObject ||
      !isBool(Flag->getType()) ||
      !(Hot.isAtomic(Use) || HotAccesses::isVolatile(Use)))
    return false;
  auto Operands = atomicOperands(*Use.Site);
  const UnitAccesses &Accesses = Hot.accesses();
  if (Operands.empty() || !isQuestion(*Operands[0]) ||
      !isTestedAround(Use, Accesses))
    return false;
  llvm::ArrayRef<unsigned> Uses = Use.Object.field()
                                      ? Accesses.of(*Use.Object.field())
                                      : Accesses.of(*Use.Object.Root);
  return llvm::any_of(Uses, [&](unsigned Index) {
    const Access &Other = Accesses.all()[Index];
    return Other.Kind == AccessKind::Read && Other.Function &&
           Other.Function->getCanonicalDecl() !=
               Use.Function->getCanonicalDecl();
  });
}

} // namespace linesman::tidy
