// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Names/ThreadCounts.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"

namespace linesman::tidy {

bool soundsLikeThreadCount(llvm::StringRef Name) {
  bool NamesThreads = false, Counts = false;
  for (llvm::StringRef Word : wordsOf(Name)) {
    if (WordSwitch<bool>(Word)
            .Cases({"threads", "workers", "lcores", "nthreads", "nthread",
                    "numthreads", "maxthreads", "nworkers", "numworkers",
                    "maxworkers", "threadcount"},
                   true)
            .Default(false))
      NamesThreads = Counts = true;
    else if (WordSwitch<bool>(Word)
                 .Cases({"thread", "worker", "lcore"}, true)
                 .Default(false))
      NamesThreads = true;
    else if (WordSwitch<bool>(Word)
                 .Cases({"n", "num", "nr", "nb", "number", "max", "maximum",
                         "count", "cnt", "total", "limit"},
                        true)
                 .Default(false))
      Counts = true;
    else if (NamesThreads)
      // What follows is of a thread: its stack, its name.
      return false;
  }
  return NamesThreads && Counts;
}

bool isNamedThreadCount(const clang::Expr &Number) {
  const clang::Expr *Inner = Number.IgnoreParenCasts();
  const clang::ValueDecl *Named = nullptr;
  if (const auto *Ref = llvm::dyn_cast<clang::DeclRefExpr>(Inner))
    Named = Ref->getDecl();
  else if (const auto *Member = llvm::dyn_cast<clang::MemberExpr>(Inner))
    Named = Member->getMemberDecl();
  return Named && Named->getIdentifier() &&
         soundsLikeThreadCount(Named->getName());
}

} // namespace linesman::tidy
