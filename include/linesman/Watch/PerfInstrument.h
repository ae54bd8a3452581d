// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The usual instrument: perf breakpoints, two pairs (write, read-write) a
// thread, re-aimed from step to step.

#ifndef LINESMAN_WATCH_PERFINSTRUMENT_H
#define LINESMAN_WATCH_PERFINSTRUMENT_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include "linesman/Watch/Breakpoint.h"
#include "linesman/Watch/Instrument.h"
#include <map>
#include <optional>

namespace linesman::watch {

/// Both registers that watch one range on one thread.
struct RangeWatch {
  Breakpoint Write;
  Breakpoint ReadWrite;
};

/// The watchpoints of one thread.
class ThreadProbe {
public:
  static llvm::Expected<ThreadProbe> open(process::ThreadId Thread,
                                          process::RunAddress Somewhere);
  unsigned ranges() const { return Second ? 2 : 1; }
  llvm::Error arm(llvm::ArrayRef<Aim> Aims, unsigned Hits);
  uint64_t traps();
  llvm::Error disarm(unsigned Hits, StepResult &Result);
  bool isGone() const { return First.Write.isGone(); }
  process::ThreadId thread() const { return Thread; }

private:
  ThreadProbe(process::ThreadId Thread, SampleRing Ring, RangeWatch First,
              std::optional<RangeWatch> Second)
      : Thread(Thread), Ring(std::move(Ring)), First(std::move(First)),
        Second(std::move(Second)) {}
  RangeWatch &watch(unsigned Index) { return Index == 0 ? First : *Second; }
  llvm::Error replaceSpent(Breakpoint &Watch, process::RunAddress Address,
                           unsigned Size, TriggerKind Kind);

  process::ThreadId Thread;
  SampleRing Ring;
  RangeWatch First;
  std::optional<RangeWatch> Second;
  unsigned Armed = 0;
  /// When the last aim was armed.
  uint64_t ArmedSince = 0;
};

class PerfInstrument : public Instrument {
public:
  llvm::StringRef name() const override { return "perf"; }
  /// 4 descriptors and 8 KiB of locked memory each: 32 threads stay below an
  /// unprivileged user's usual 1,024 descriptors and 516 KiB
  /// (kernel.perf_event_mlock_kb).
  unsigned batchSize() const override { return 32; }
  llvm::Expected<Preparation> prepare(llvm::ArrayRef<process::ThreadId> Threads,
                                      process::RunAddress Somewhere) override;
  llvm::Error arm(llvm::ArrayRef<Aim> Aims, unsigned Hits) override;
  Traps peek() override;
  llvm::Expected<StepResult> disarm() override;

private:
  std::map<process::ThreadId, ThreadProbe> Probes;
  unsigned Hits = 0;
  /// Threads that died while they were armed.
  std::vector<process::ThreadId> Vanished;
};

} // namespace linesman::watch

#endif // LINESMAN_WATCH_PERFINSTRUMENT_H
