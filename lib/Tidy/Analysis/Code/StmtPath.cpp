// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/StmtPath.h"
#include "Analysis/Code/ParallelRegions.h"
#include "clang/AST/ParentMapContext.h"

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

const Stmt *parentOf(const Stmt &Child, const ASTContext &Unit) {
  // The first question makes the map of parents.
  auto Parents = const_cast<ASTContext &>(Unit).getParents(Child);
  return Parents.empty() ? nullptr : Parents[0].get<Stmt>();
}

} // namespace linesman::tidy
