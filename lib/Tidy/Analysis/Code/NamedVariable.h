// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variable that an expression names: x of `x`, `(x)` and `(T *)x`; the
// variable or field of `&x` and `o.x`; and whether code names a variable
// anywhere, or a lambda refers to it.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_NAMEDVARIABLE_H
#define LINESMAN_TIDY_ANALYSIS_CODE_NAMEDVARIABLE_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/LambdaCapture.h"
#include "llvm/ADT/STLExtras.h"

namespace linesman::tidy {

/// Null where the expression is something else.
inline const clang::VarDecl *variableOf(const clang::Expr &E) {
  const auto *Ref = llvm::dyn_cast<clang::DeclRefExpr>(E.IgnoreParenCasts());
  return Ref ? llvm::dyn_cast<clang::VarDecl>(Ref->getDecl()) : nullptr;
}

/// The variable or field that \p E is, or is the address of: p, &p, this->p,
/// x.p. Null for anything else.
inline const clang::ValueDecl *namedIn(const clang::Expr &E) {
  const clang::Expr *Inner = E.IgnoreParenCasts();
  if (const auto *Unary = llvm::dyn_cast<clang::UnaryOperator>(Inner);
      Unary && Unary->getOpcode() == clang::UO_AddrOf)
    Inner = Unary->getSubExpr()->IgnoreParenCasts();
  if (const auto *Member = llvm::dyn_cast<clang::MemberExpr>(Inner))
    return Member->getMemberDecl();
  const auto *Ref = llvm::dyn_cast<clang::DeclRefExpr>(Inner);
  return Ref ? Ref->getDecl() : nullptr;
}

/// Somewhere in \p S.
inline bool mentions(const clang::Stmt &S, const clang::VarDecl &Variable) {
  const auto *Ref = llvm::dyn_cast<clang::DeclRefExpr>(&S);
  return (Ref && Ref->getDecl() == &Variable) ||
         llvm::any_of(S.children(), [&](const clang::Stmt *Child) {
           return Child && mentions(*Child, Variable);
         });
}

/// \p Function is the call operator of a lambda that has \p Variable by
/// reference.
inline bool isCapturedByReference(const clang::VarDecl &Variable,
                                  const clang::FunctionDecl &Function) {
  const auto *Method = llvm::dyn_cast<clang::CXXMethodDecl>(&Function);
  return Method && Method->getParent()->isLambda() &&
         llvm::any_of(Method->getParent()->captures(),
                      [&](const clang::LambdaCapture &Capture) {
                        return Capture.capturesVariable() &&
                               Capture.getCapturedVar() == &Variable &&
                               Capture.getCaptureKind() == clang::LCK_ByRef;
                      });
}

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_NAMEDVARIABLE_H
