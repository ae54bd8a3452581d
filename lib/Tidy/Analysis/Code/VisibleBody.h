// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a callee does, for who looks into it: of one that has errors (see
// BrokenCode) it is not known.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_VISIBLEBODY_H
#define LINESMAN_TIDY_ANALYSIS_CODE_VISIBLEBODY_H

#include "clang/AST/Decl.h"

namespace linesman::tidy {

/// The body, and in \p Definition the declaration that has it; or null.
inline const clang::Stmt *visibleBody(const clang::FunctionDecl &Function,
                                      const clang::FunctionDecl *&Definition) {
  const clang::Stmt *Body = Function.getBody(Definition);
  return Body && !Definition->isInvalidDecl() ? Body : nullptr;
}

inline const clang::Stmt *visibleBody(const clang::FunctionDecl &Function) {
  const clang::FunctionDecl *Definition = nullptr;
  return visibleBody(Function, Definition);
}

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_VISIBLEBODY_H
