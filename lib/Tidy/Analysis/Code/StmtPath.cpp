// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/StmtPath.h"
#include "Analysis/Code/ParallelRegions.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace linesman::tidy {

bool findPath(const Stmt &Root, const Stmt &Target, StmtPath &Path) {
  Path.push_back(&Root);
  if (&Root == &Target)
    return true;
  for (const Stmt *Child : Root.children())
    if (const Stmt *Inner = withoutCapture(Child);
        Inner && findPath(*Inner, Target, Path))
      return true;
  Path.pop_back();
  return false;
}

Parents::Parents(const FunctionDecl &Function) : Map(Function.getBody()) {
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Function))
    for (const CXXCtorInitializer *Init : Constructor->inits())
      Map.addStmt(Init->getInit());
}

} // namespace linesman::tidy
