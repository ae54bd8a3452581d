// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to words, and the stacks that led there.

#include "linesman/Watch/CatchCallers.h"
#include "Unwinder.h"
#include "linesman/Watch/Breakpoint.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <thread>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

/// Calls of one thread that are looked at: enough to meet two callers that are
/// equally often there in 31 of 32 cases.
static constexpr unsigned MostCalls = 6;

CaughtAccesses catchAccesses(ArrayRef<ThreadId> Threads,
                             ArrayRef<RunAddress> Words, double Seconds,
                             function_ref<bool()> ShouldStop) {
  using Clock = std::chrono::steady_clock;
  CaughtAccesses Result;
  if (!Unwinder::wantedRegisters())
    return Result;
  struct Waiting {
    ThreadId Thread;
    UserSampler Sampler;
    unsigned Hits = 0;
  };
  std::vector<Waiting> All;
  for (ThreadId Thread : Threads)
    for (RunAddress Word : Words) {
      Expected<UserSampler> Sampler =
          UserSampler::open({.Thread = Thread,
                             .Kind = UserSampler::Trigger::Access,
                             .Address = Word,
                             .Bytes = 8,
                             .Registers = Unwinder::wantedRegisters(),
                             .StackBytes = Unwinder::WantedStackBytes,
                             .MostHits = MostCalls});
      if (Sampler)
        All.push_back({Thread, std::move(*Sampler)});
      else
        consumeError(Sampler.takeError());
    }
  const auto End = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(Seconds));
  auto AreDone = [&] {
    for (const Waiting &W : All)
      if (W.Hits < MostCalls)
        return false;
    return true;
  };
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    for (Waiting &W : All)
      W.Sampler.drain([&](const UserSampler::Sample &S) {
        ++W.Hits;
        Result.All.push_back({W.Thread, siteOf(S.Instruction), S.Instruction,
                              S.Registers, S.Stack.vec()});
      });
  } while (!AreDone() && Clock::now() < End && !ShouldStop());
  std::map<ThreadId, uint64_t> Traps;
  for (const Waiting &W : All) {
    Traps[W.Thread] += W.Hits;
    Result.AllTraps += W.Hits;
  }
  for (auto [Thread, Hits] : Traps)
    Result.MostTraps = std::max(Result.MostTraps, Hits);
  return Result;
}

CallerCounts findCallers(ArrayRef<CaughtAccess> Caught,
                         const ModuleMap &Modules) {
  CallerCounts Counts;
  Unwinder Frames(Modules);
  for (const CaughtAccess &C : Caught)
    if (std::optional<RunAddress> Caller =
            Frames.callFromOutside({C.Instruction, C.Registers, C.Stack}))
      ++Counts[{C.Thread, C.Site}][*Caller];
  return Counts;
}

} // namespace linesman::watch
