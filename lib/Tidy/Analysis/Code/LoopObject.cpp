// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First the names that decide which object it is, with the initialisers of
// those that the loop makes anew; then what the loop writes.

#include "Analysis/Code/LoopObject.h"
#include "Analysis/Accesses/PlaceResolver.h"
#include "Analysis/Addresses/AccessPath.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// The variable or field that the expression is, or whose address it is.
const ValueDecl *namedBy(const Expr *E) {
  E = stripSameObject(E);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E);
      Unary && Unary->getOpcode() == UO_AddrOf)
    E = stripSameObject(Unary->getSubExpr());
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
    return Reference->getDecl();
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return Member->getMemberDecl();
  return nullptr;
}

class TurnReader {
public:
  explicit TurnReader(const Stmt &Loop) : Loop(Loop) { findDeclared(Loop); }

  bool isSame(const Expr &Object) {
    // The object itself is written on each turn, and stays what it is.
    const Expr *Inner = Object.IgnoreParenImpCasts();
    if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
        Unary && Unary->getOpcode() == UO_AddrOf)
      Inner = Unary->getSubExpr()->IgnoreParenImpCasts();
    else if (Object.isPRValue())
      return isFixed(Object) && !isWritten(Loop);
    if (const auto *Reference = dyn_cast<DeclRefExpr>(Inner))
      return isFixedVariable(Reference->getDecl()) && !isWritten(Loop);
    if (const auto *Member = dyn_cast<MemberExpr>(Inner))
      Inner = Member->getBase();
    return isFixed(*Inner) && !isWritten(Loop);
  }

private:
  void findDeclared(const Stmt &Root) {
    if (const auto *Declarations = dyn_cast<DeclStmt>(&Root))
      for (const Decl *Member : Declarations->decls())
        Declared.insert(Member);
    for (const Stmt *Child : Root.children())
      if (Child)
        findDeclared(*Child);
  }

  /// Evaluated again, the expression gives the same, unless one of Names is
  /// written in between.
  bool isFixed(const Stmt &E) {
    if (const auto *Unary = dyn_cast<UnaryOperator>(&E);
        Unary && Unary->isIncrementDecrementOp())
      return false;
    if (const auto *Binary = dyn_cast<BinaryOperator>(&E);
        Binary && Binary->isAssignmentOp())
      return false;
    if (isa<AtomicExpr, CXXNewExpr, StmtExpr, LambdaExpr>(E))
      return false;
    if (const auto *Call = dyn_cast<CallExpr>(&E); Call && !isPure(*Call))
      return false;
    if (const auto *Reference = dyn_cast<DeclRefExpr>(&E)) {
      Names.insert(Reference->getDecl());
      return isFixedVariable(Reference->getDecl());
    }
    if (const auto *Member = dyn_cast<MemberExpr>(&E))
      Names.insert(Member->getMemberDecl());
    return llvm::all_of(E.children(), [&](const Stmt *Child) {
      return !Child || isFixed(*Child);
    });
  }

  bool isFixedVariable(const ValueDecl *Declaration) {
    const auto *Variable = dyn_cast<VarDecl>(Declaration);
    // A variable that refers to itself ends here.
    if (!Variable || !Declared.contains(Variable) || !Variable->hasInit() ||
        !Seen.insert(Variable).second)
      return true;
    return isFixed(*Variable->getInit());
  }

  static bool isPure(const CallExpr &Call) {
    if (isSameObjectCall(Call))
      return true;
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call))
      return Operator->getOperator() == OO_Subscript ||
             Operator->getOperator() == OO_Arrow ||
             Operator->getOperator() == OO_Star;
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
        Member && Member->getMethodDecl())
      return Member->getMethodDecl()->isConst() ||
             (Member->getMethodDecl()->getIdentifier() &&
              Member->getMethodDecl()->getName() == "at");
    PlaceResolver Resolver;
    Place Object = Call.getType()->isPointerType() ? Resolver.ofPointee(Call)
                                                   : Resolver.ofObject(Call);
    return Object.Root && !Object.Index;
  }

  bool isNamed(const Expr *Target) const {
    const ValueDecl *Declaration = namedBy(Target);
    return Declaration && Names.contains(Declaration);
  }

  /// Does the statement write one of Names?
  bool isWritten(const Stmt &Root) const {
    if (const auto *Unary = dyn_cast<UnaryOperator>(&Root)) {
      if (Unary->isIncrementDecrementOp() && isNamed(Unary->getSubExpr()))
        return true;
    } else if (const auto *Binary = dyn_cast<BinaryOperator>(&Root)) {
      if (Binary->isAssignmentOp() && isNamed(Binary->getLHS()))
        return true;
    } else if (const auto *Call = dyn_cast<CallExpr>(&Root)) {
      if (isWrittenBy(*Call))
        return true;
    }
    return llvm::any_of(Root.children(), [&](const Stmt *Child) {
      return Child && isWritten(*Child);
    });
  }

  bool isWrittenBy(const CallExpr &Call) const {
    // Operators and methods such as operator->, which are called on the way to
    // the object, leave alone what they are called for.
    if (isPure(Call))
      return false;
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
        Member && Member->getImplicitObjectArgument()->isGLValue() &&
        isNamed(Member->getImplicitObjectArgument()))
      return true;
    const FunctionDecl *Callee = Call.getDirectCallee();
    const bool HasObject = isa<CXXOperatorCallExpr>(Call) &&
                           isa_and_nonnull<CXXMethodDecl>(Callee);
    if (HasObject && !cast<CXXMethodDecl>(Callee)->isConst() &&
        isNamed(Call.getArg(0)))
      return true;
    for (unsigned I = HasObject; I < Call.getNumArgs(); ++I) {
      const Expr *Argument = Call.getArg(I);
      if (!isNamed(Argument))
        continue;
      const unsigned Index = I - HasObject;
      if (Argument->isGLValue() && Callee && Index < Callee->getNumParams() &&
          !Callee->getParamDecl(Index)
               ->getType()
               .getNonReferenceType()
               .isConstQualified())
        return true;
      if (const auto *Unary =
              dyn_cast<UnaryOperator>(Argument->IgnoreParenCasts());
          Unary && Unary->getOpcode() == UO_AddrOf)
        return true;
    }
    return false;
  }

  const Stmt &Loop;
  llvm::SmallPtrSet<const Decl *, 8> Declared;
  llvm::SmallPtrSet<const VarDecl *, 4> Seen;
  /// Variables and fields that decide which object it is.
  llvm::SmallPtrSet<const ValueDecl *, 8> Names;
};

} // namespace

bool isSameOnEveryTurn(const Expr &Object, const Stmt &Loop) {
  return TurnReader(Loop).isSame(Object);
}

} // namespace linesman::tidy
