// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The canaries decide: no instrument is used that has not been seen to work.

#include "linesman/Drive/WatchInstrument.h"
#include "linesman/Process/State.h"
#include "linesman/Watch/PerfInstrument.h"
#include "linesman/Watch/PtraceInstrument.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace linesman::process;
using namespace linesman::watch;

namespace linesman::drive {

/// On a machine with more to do than processors a canary may miss its time; a
/// dead instrument fails always.
static constexpr unsigned CanaryTries = 3;

static Expected<CanaryResult>
tryCanary(function_ref<Expected<CanaryResult>()> Run) {
  Expected<CanaryResult> Result = Run();
  for (unsigned Try = 1; Try != CanaryTries && !Result; ++Try) {
    Error Failed = Error::success();
    if (reasonOf(Result.takeError(), Failed) != Refusal::DeadInstrument)
      return std::move(Failed);
    consumeError(std::move(Failed));
    Result = Run();
  }
  return Result;
}

static Expected<ProvenInstrument> provePtrace(std::string Note) {
  Expected<std::unique_ptr<PtraceInstrument>> Tool = PtraceInstrument::start();
  if (!Tool)
    return Tool.takeError();
  Expected<CanaryResult> Canary =
      tryCanary([&] { return (*Tool)->runCanary(); });
  if (!Canary)
    return Canary.takeError();
  return ProvenInstrument{std::move(*Tool), *Canary, std::nullopt,
                          std::move(Note)};
}

/// How many of \p Threads \p Tool finds no registers for; all of them when it
/// cannot say.
static size_t countTaken(Instrument &Tool, ArrayRef<ThreadId> Threads,
                         RunAddress Somewhere) {
  Expected<watch::Preparation> Ready =
      Tool.prepare(Threads.take_front(Tool.batchSize()), Somewhere);
  if (Ready)
    return Ready->Taken.size();
  consumeError(Ready.takeError());
  return Threads.size();
}

Expected<ProvenInstrument> proveInstrument(InstrumentChoice Choice,
                                           ProcessId Process,
                                           RunAddress Somewhere) {
  if (Choice == InstrumentChoice::Ptrace)
    return provePtrace("watched by ptrace, as it was asked for");
  Expected<CanaryResult> Canary = tryCanary(runCanary);
  if (Canary) {
    auto Perf = std::make_unique<PerfInstrument>();
    std::vector<ThreadId> Threads = listThreads(Process);
    size_t Taken = Choice == InstrumentChoice::Auto
                       ? countTaken(*Perf, Threads, Somewhere)
                       : 0;
    // One that has them by ptrace now would refuse a second tracer.
    if (Taken && tracerOf(Threads.front()).Value == 0) {
      Perf.reset();
      Expected<ProvenInstrument> Other = provePtrace(
          utostr(Taken) +
          " threads have debug registers that an earlier ptrace session (a "
          "debugger, or linesman by ptrace) reserved: Linux gives them back "
          "when the thread ends, and until then only ptrace can use them; "
          "watched by ptrace");
      if (Other && countTaken(*Other->Tool, Threads, Somewhere) < Taken)
        return Other;
      // Then a watcher that lives has them, and perf says so.
      if (!Other)
        consumeError(Other.takeError());
      Perf = std::make_unique<PerfInstrument>();
    }
    ProvenInstrument Proven{std::move(Perf), *Canary, std::nullopt, ""};
    // Without it there are no rates, and all else is as good.
    if (Expected<HitCost> Cost = measureHitCost())
      Proven.Cost = *Cost;
    else
      consumeError(Cost.takeError());
    return Proven;
  }
  Error Refused = Error::success();
  Refusal Refusing = reasonOf(Canary.takeError(), Refused);
  if (Choice == InstrumentChoice::Perf ||
      (Refusing != Refusal::NotPermitted && Refusing != Refusal::NotSupported))
    return std::move(Refused);
  std::string Reason = toString(std::move(Refused));
  Expected<ProvenInstrument> Other =
      provePtrace(Reason + "; watched by ptrace, which stops a thread longer "
                           "at each hit");
  if (Other)
    return Other;
  return make_error<WatchError>(Refusing, Reason + "; and " +
                                              toString(Other.takeError()));
}

} // namespace linesman::drive
