// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The busiest half and the half whose turn it is.

#include "linesman/Watch/ThreadChoice.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cassert>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

void ThreadChoice::look(const std::map<ThreadId, uint64_t> &RunTimes) {
  std::vector<std::pair<uint64_t, ThreadId>> Loads;
  for (auto [Thread, Now] : RunTimes) {
    auto Old = Before.find(Thread);
    // A number that was given to a new thread starts again.
    bool IsNew = Old == Before.end() || Old->second > Now;
    uint64_t Ran = IsNew ? Now : Now - Old->second;
    if (Ran)
      Loads.push_back({Ran, Thread});
  }
  Before = RunTimes;
  llvm::sort(Loads, [](const auto &A, const auto &B) {
    return A.first != B.first ? A.first > B.first : A.second < B.second;
  });
  Busiest.clear();
  llvm::append_range(Busiest, llvm::make_second_range(Loads));
}

std::vector<ThreadId> ThreadChoice::next(ArrayRef<ThreadId> All, size_t Count) {
  assert(is_sorted(All));
  if (All.size() <= Count)
    return All.vec();
  std::vector<ThreadId> Batch;
  for (ThreadId Thread : Busiest)
    if (Batch.size() != Count / 2 && binary_search(All, Thread))
      Batch.push_back(Thread);
  auto Next = llvm::upper_bound(All, Last);
  for (size_t Seen = 0; Seen != All.size() && Batch.size() != Count; ++Seen) {
    if (Next == All.end())
      Next = All.begin();
    Last = *Next++;
    if (!is_contained(Batch, Last))
      Batch.push_back(Last);
  }
  assert(Batch.size() <= Count);
  llvm::sort(Batch);
  return Batch;
}

} // namespace linesman::watch
