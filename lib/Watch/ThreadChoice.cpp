// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The busiest half and the half whose turn it is.

#include "linesman/Watch/ThreadChoice.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace linesman::watch {

std::vector<ThreadId>
ThreadChoice::next(ArrayRef<ThreadId> All, size_t Count,
                   function_ref<uint64_t(ThreadId)> RunTime) {
  if (All.size() <= Count) {
    Busy = 0;
    return All.vec();
  }
  struct Load {
    uint64_t Ran;
    ThreadId Thread;
  };
  std::vector<Load> Loads;
  std::map<ThreadId, uint64_t> Now;
  Busy = 0;
  for (ThreadId Thread : All) {
    uint64_t Total = RunTime(Thread);
    Now[Thread] = Total;
    auto Old = Before.find(Thread);
    uint64_t Ran = Old == Before.end() ? Total : Total - Old->second;
    Busy += Ran != 0;
    Loads.push_back({Ran, Thread});
  }
  Before = std::move(Now);
  llvm::sort(Loads, [](const Load &A, const Load &B) {
    return A.Ran != B.Ran ? A.Ran > B.Ran : A.Thread < B.Thread;
  });

  std::vector<ThreadId> Batch;
  for (size_t I = 0; I != Count / 2; ++I)
    Batch.push_back(Loads[I].Thread);
  auto Next = llvm::upper_bound(All, Last);
  for (size_t Seen = 0; Seen != All.size() && Batch.size() != Count; ++Seen) {
    if (Next == All.end())
      Next = All.begin();
    Last = *Next++;
    if (!is_contained(Batch, Last))
      Batch.push_back(Last);
  }
  llvm::sort(Batch);
  return Batch;
}

} // namespace linesman::watch
