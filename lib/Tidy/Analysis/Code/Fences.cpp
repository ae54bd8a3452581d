// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/Fences.h"
#include "Analysis/Code/VisibleBody.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/Expr.h"
#include <string>

using namespace clang;

namespace linesman::tidy {

namespace {

bool soundsLikeFence(llvm::StringRef Name) {
  // What waits for others is named after a barrier as well.
  bool IsFence = false;
  for (llvm::StringRef Word : wordsOf(Name)) {
    IsFence |= WordSwitch<bool>(Word)
                   .Cases({"synchronize", "fence", "mfence", "sfence", "lfence",
                           "membar", "mb", "wmb", "rmb", "barrier", "dmb"},
                          true)
                   .Default(false);
    if (WordSwitch<bool>(Word)
            .Cases({"wait", "init", "destroy", "pthread", "omp"}, true)
            .Default(false))
      return false;
  }
  return IsFence;
}

bool hasFence(const Stmt &S, unsigned Depth) {
  if (const auto *Assembly = dyn_cast<GCCAsmStmt>(&S)) {
    for (unsigned I = 0; I != Assembly->getNumClobbers(); ++I)
      if (std::string(Assembly->getClobber(I)) == "memory")
        return true;
  } else if (const auto *Call = dyn_cast<CallExpr>(&S)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Callee && Callee->getIdentifier() && soundsLikeFence(Callee->getName()))
      return true;
    if (const Stmt *Body =
            Callee && Depth == 0 ? visibleBody(*Callee) : nullptr;
        Body && hasFence(*Body, Depth + 1))
      return true;
  }
  return llvm::any_of(S.children(), [&](const Stmt *Child) {
    return Child && hasFence(*Child, Depth);
  });
}

} // namespace

bool hasFence(const FunctionDecl &Function) {
  const Stmt *Body = Function.getBody();
  return Body && hasFence(*Body, 0);
}

} // namespace linesman::tidy
