// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Threads/OnceAThread.h"

using namespace clang;

namespace linesman::tidy {

OnceAThread::OnceAThread(const UnitAccesses &Accesses,
                         const ThreadStarts &Starts) {
  for (const FunctionDecl *Entry : Starts.entries())
    if (Accesses.callersOf(*Entry).empty())
      Functions.insert(Entry);
  if (Functions.empty())
    return;
  // Steps of the entry, and steps of these.
  constexpr unsigned MostSteps = 3;
  for (unsigned Step = 0; Step != MostSteps; ++Step) {
    llvm::DenseMap<const FunctionDecl *, bool> IsStep;
    for (const UnitAccesses::CallSite &Site : Accesses.calls()) {
      const auto *Call = dyn_cast<CallExpr>(Site.Call);
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
      if (!Callee || !Callee->hasBody())
        continue;
      const bool IsOnce = !Site.Loop && Site.Function &&
                          Functions.contains(Site.Function->getCanonicalDecl());
      auto [Known, IsNew] =
          IsStep.try_emplace(Callee->getCanonicalDecl(), IsOnce);
      Known->second &= IsOnce;
    }
    const size_t Before = Functions.size();
    for (auto [Callee, IsOnce] : IsStep)
      if (IsOnce && Accesses.hasOnlyCallersHere(*Callee))
        Functions.insert(Callee);
    if (Functions.size() == Before)
      break;
  }
}

} // namespace linesman::tidy
