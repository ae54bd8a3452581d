// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler could not make sense of, and what depends on it:
//
//     counter_t hits;                      no variable that is judged
//     struct Line { unknown_t a; int b; }; no layout
//     void f() { LOCK(m); hits++; }        no body: where is the lock?
//     hits, LOCK                           names that these may do anything to
//
// Such declarations are marked as invalid, as clang marks what has no type, for
// as long as this object lives: that is all that the analyses have to ask, and
// who looks at the tree afterwards finds it as it was.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_BROKENCODE_H
#define LINESMAN_TIDY_ANALYSIS_CODE_BROKENCODE_H

#include "Analysis/Code/CompileErrors.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringSet.h"
#include <vector>

namespace linesman::tidy {

class BrokenCode {
public:
  BrokenCode(clang::ASTContext &Unit, const CompileErrors &Errors);
  BrokenCode(const BrokenCode &) = delete;
  ~BrokenCode();

  /// Identifiers in code that was left out.
  const llvm::StringSet<> &names() const { return Names; }

private:
  class Marker;

  llvm::StringSet<> Names;
  std::vector<clang::Decl *> Marked;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_BROKENCODE_H
