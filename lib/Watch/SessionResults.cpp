// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verdict on a line, and callers that are still to be found.

#include "SessionResults.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

static constexpr size_t MostCallerThreads = 16, MostCallerWords = 2;

Verdict LineResult::says() const {
  Verdict Seen = Matrix.verdict();
  return outcomeOf(Seen) == Outcome::Confirmed && !IsKindKnown
             ? Verdict::Sharing
             : Seen;
}

Outcome LineResult::means() const {
  Outcome Certain = outcomeOf(says());
  if (Certain != Outcome::Refuted || IsComplete)
    return Certain;
  return !IsShared && Absent.suffices() ? Outcome::Refuted
                                        : Outcome::CannotTell;
}

/// Whether \p New is in \p List now.
template <typename T>
static bool addUpTo(size_t Most, std::vector<T> &List, T New) {
  if (is_contained(List, New))
    return true;
  if (List.size() == Most)
    return false;
  List.push_back(New);
  return true;
}

CallerSearch searchCallers(ArrayRef<LineResult> Lines, const ModuleMap &Modules,
                           ArrayRef<CaughtAccess> Known) {
  std::set<std::pair<ThreadId, RunAddress>> Caught;
  for (const CaughtAccess &C : Known)
    Caught.insert({C.Thread, C.Site});
  CallerSearch Search;
  for (const LineResult &L : Lines)
    for (const Field &F : L.Matrix.fields())
      for (const FieldAccess &A : F.Accesses)
        for (const SiteCount &S : A.Sites) {
          const Module *M = Modules.find(S.Site);
          // The program itself comes first.
          if (M && M != Modules.modules().begin() &&
              !Caught.contains({A.Thread, S.Site}) &&
              addUpTo(MostCallerWords, Search.Words,
                      L.Watched.Address + F.Bytes.Offset / 8 * 8))
            addUpTo(MostCallerThreads, Search.Threads, A.Thread);
        }
  return Search;
}

} // namespace linesman::watch
