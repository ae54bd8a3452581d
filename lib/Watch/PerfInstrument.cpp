// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a pair of registers tells reads from writes. A write triggers both, a
// read only the read-write one, and the samples of a thread are in one ring in
// the order of the accesses:
//
//     W ip1, RW ip1, RW ip2, W ip1, RW ip1     = write, read, write
//
// So a read-write sample without a write sample of the same instruction next to
// it is a read. Writing is armed first and disarmed last, so that no write can
// be taken for a read; when it reaches its bound first, read-write samples
// after that are ambiguous and are not used.

#include "linesman/Watch/PerfInstrument.h"
#include "linesman/Watch/WatchError.h"

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

static Expected<RangeWatch> openPair(ThreadId Thread, SampleRing &Ring,
                                     RunAddress Somewhere) {
  Expected<Breakpoint> Write =
      Breakpoint::open(Thread, Somewhere, 8, TriggerKind::Write);
  if (!Write)
    return Write.takeError();
  Expected<Breakpoint> ReadWrite =
      Breakpoint::open(Thread, Somewhere, 8, TriggerKind::ReadWrite);
  if (!ReadWrite)
    return ReadWrite.takeError();
  for (Breakpoint *Watch : {&*Write, &*ReadWrite})
    if (Error E = Ring.attach(*Watch))
      return std::move(E);
  return RangeWatch{std::move(*Write), std::move(*ReadWrite)};
}

Expected<ThreadProbe> ThreadProbe::open(ThreadId Thread, RunAddress Somewhere) {
  Expected<SampleRing> Ring = SampleRing::open(Thread);
  if (!Ring)
    return Ring.takeError();
  Expected<RangeWatch> First = openPair(Thread, *Ring, Somewhere);
  if (!First)
    return First.takeError();
  std::optional<RangeWatch> Second;
  if (Expected<RangeWatch> Pair = openPair(Thread, *Ring, Somewhere)) {
    Second = std::move(*Pair);
  } else {
    Error Rest = Error::success();
    if (reasonOf(Pair.takeError(), Rest) != Refusal::RegistersTaken)
      return std::move(Rest);
    consumeError(std::move(Rest));
  }
  return ThreadProbe(Thread, std::move(*Ring), std::move(*First),
                     std::move(Second));
}

/// Aims \p Watch, or puts a new one in its place when it is spent.
Error ThreadProbe::replaceSpent(Breakpoint &Watch, RunAddress Address,
                                unsigned Size, TriggerKind Kind) {
  if (!Watch.isSpent())
    return Watch.aim(Address, Size);
  // The old one must give its register back first.
  {
    Breakpoint Old = std::move(Watch);
  }
  Expected<Breakpoint> Next = Breakpoint::open(Thread, Address, Size, Kind);
  if (!Next)
    return Next.takeError();
  Watch = std::move(*Next);
  return Ring.attach(Watch);
}

Error ThreadProbe::arm(ArrayRef<Aim> Aims, unsigned Hits) {
  Armed = Aims.size();
  for (unsigned I = 0; I != Armed; ++I) {
    RangeWatch &W = watch(I);
    RunAddress Address = Aims[I].Address;
    unsigned Size = Aims[I].Bytes.Size;
    if (Error E = replaceSpent(W.Write, Address, Size, TriggerKind::Write))
      return E;
    if (Error E =
            replaceSpent(W.ReadWrite, Address, Size, TriggerKind::ReadWrite))
      return E;
  }
  for (unsigned I = 0; I != Armed; ++I) {
    if (Error E = watch(I).Write.arm(Hits))
      return E;
    if (Error E = watch(I).ReadWrite.arm(Hits))
      return E;
  }
  ArmedSince = monotonicTime();
  return Error::success();
}

uint64_t ThreadProbe::traps() {
  uint64_t Sum = 0;
  for (unsigned I = 0; I != Armed; ++I)
    Sum += std::max(watch(I).Write.hits(), watch(I).ReadWrite.hits());
  return Sum;
}

Error ThreadProbe::disarm(unsigned Hits, StepResult &Result) {
  ThreadStep Step;
  Step.Thread = Thread;
  uint64_t Written[2] = {};
  uint64_t ArmedUntil = monotonicTime();
  for (unsigned I = 0; I != Armed; ++I) {
    Expected<Breakpoint::Count> ReadWrite = watch(I).ReadWrite.disarm();
    if (!ReadWrite)
      return ReadWrite.takeError();
    Expected<Breakpoint::Count> Write = watch(I).Write.disarm();
    if (!Write)
      return Write.takeError();
    Written[I] = Write->Hits;
    Step.Traps += std::max(ReadWrite->Hits, Write->Hits);
    if (ReadWrite->Hits >= Hits || Write->Hits >= Hits)
      Step.Ceilings |= 1U << I;
    Step.Exposures[I] = {Write->Ran, ReadWrite->Ran, Write->Hits != 0,
                         ReadWrite->Hits != 0 || Write->Hits != 0};
  }

  struct Sample {
    RunAddress Instruction;
    TriggerKind Kind;
    uint64_t Time;
  };
  std::vector<Sample> Samples[2];
  Result.Lost += Ring.drain([&](const SampleRing::Sample &S) {
    for (unsigned I = 0; I != Armed; ++I) {
      if (S.Id == watch(I).Write.id())
        Samples[I].push_back({S.Instruction, TriggerKind::Write, S.Time});
      else if (S.Id == watch(I).ReadWrite.id())
        Samples[I].push_back({S.Instruction, TriggerKind::ReadWrite, S.Time});
    }
  });

  for (unsigned I = 0; I != Armed; ++I) {
    uint64_t WritesLeft = Written[I];
    const std::vector<Sample> &S = Samples[I];
    for (size_t J = 0; J < S.size(); ++J) {
      AccessKind Kind = AccessKind::Read;
      bool Paired = J + 1 < S.size() && S[J + 1].Kind != S[J].Kind &&
                    S[J + 1].Instruction == S[J].Instruction;
      if (S[J].Kind == TriggerKind::Write || Paired) {
        Kind = AccessKind::Write;
        --WritesLeft;
      } else if (Written[I] >= Hits && WritesLeft == 0) {
        break;
      }
      RunAddress Site = siteOf(S[J].Instruction);
      bool AllArmed = S[J].Time > ArmedSince && S[J].Time < ArmedUntil;
      Result.Hits.push_back({Thread, I, Kind, Site, AllArmed, S[J].Time});
      if (Paired)
        ++J;
    }
  }
  Armed = 0;
  Result.Threads.push_back(Step);
  return Error::success();
}

Expected<Preparation> PerfInstrument::prepare(ArrayRef<ThreadId> Threads,
                                              RunAddress Somewhere) {
  Preparation Result;
  std::map<ThreadId, ThreadProbe> Next;
  for (ThreadId Thread : Threads) {
    if (auto Old = Probes.find(Thread); Old != Probes.end()) {
      if (Old->second.isGone())
        Result.Vanished.push_back(Thread);
      else
        Next.insert(Probes.extract(Old));
    }
  }
  // Give registers back before others are asked for.
  Probes = std::move(Next);
  for (ThreadId Thread : Threads) {
    auto Known = Probes.find(Thread);
    if (Known == Probes.end()) {
      Expected<ThreadProbe> Probe = ThreadProbe::open(Thread, Somewhere);
      if (!Probe) {
        Error Rest = Error::success();
        Refusal Reason = reasonOf(Probe.takeError(), Rest);
        if (Reason == Refusal::RegistersTaken)
          Result.Taken.push_back(Thread);
        else if (Reason != Refusal::Gone)
          return std::move(Rest);
        consumeError(std::move(Rest));
        continue;
      }
      Known = Probes.emplace(Thread, std::move(*Probe)).first;
    }
    Result.Ranges = std::min(Result.Ranges, Known->second.ranges());
  }
  return Result;
}

Error PerfInstrument::arm(ArrayRef<Aim> Aims, unsigned Bound) {
  Hits = Bound;
  Vanished.clear();
  for (auto Probe = Probes.begin(); Probe != Probes.end();) {
    Error Rest = Error::success();
    Refusal Reason = reasonOf(Probe->second.arm(Aims, Bound), Rest);
    if (!Rest) {
      ++Probe;
      continue;
    }
    // A thread may die at any moment.
    if (Reason != Refusal::Gone && !Probe->second.isGone())
      return Rest;
    consumeError(std::move(Rest));
    Vanished.push_back(Probe->first);
    Probe = Probes.erase(Probe);
  }
  return Error::success();
}

Instrument::Traps PerfInstrument::peek() {
  Traps Sum;
  for (auto &[Thread, Probe] : Probes) {
    uint64_t Traps = Probe.traps();
    Sum.Most = std::max(Sum.Most, Traps);
    Sum.All += Traps;
  }
  return Sum;
}

Expected<StepResult> PerfInstrument::disarm() {
  StepResult Result;
  Result.Vanished = std::move(Vanished);
  for (auto Probe = Probes.begin(); Probe != Probes.end();) {
    Error E = Probe->second.disarm(Hits, Result);
    if (Probe->second.isGone()) {
      consumeError(std::move(E));
      Result.Vanished.push_back(Probe->first);
      Probe = Probes.erase(Probe);
      continue;
    }
    if (E)
      return std::move(E);
    ++Probe;
  }
  return Result;
}

} // namespace linesman::watch
