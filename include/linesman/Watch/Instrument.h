// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can see accesses: perf's breakpoints, or ptrace's debug registers where
// perf is refused. One step watches a few byte ranges on some threads at once,
// each with a bounded number of hits:
//
//     prepare(threads) -> how many ranges fit    arm -> peek... -> disarm
//
// The session decides what to watch and for how long; an instrument only does
// it.

#ifndef LINESMAN_WATCH_INSTRUMENT_H
#define LINESMAN_WATCH_INSTRUMENT_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include "linesman/Watch/SharingMatrix.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <vector>

namespace linesman::watch {

/// One range to watch: part of line number Line of the session.
struct Aim {
  unsigned Line = 0;
  ByteRange Bytes;
  process::RunAddress Address;
};

/// One access that was seen.
struct Hit {
  process::ThreadId Thread;
  /// Index into the step's aims.
  unsigned AimIndex = 0;
  AccessKind Kind = AccessKind::Read;
  /// The instruction that did it, already corrected for x86, which reports the
  /// one after (as an address inside it, which is enough to symbolise).
  process::RunAddress Site;
  /// All aims of the step were armed on its thread when it happened. They are
  /// armed and disarmed one after the other, and this process may lose its
  /// processor in between.
  bool AllArmed = false;
  /// CLOCK_MONOTONIC, in nanoseconds.
  uint64_t Time = 0;
};

/// How long one thread could have been seen at one aim of a step.
struct Exposure {
  /// Nanoseconds for which it ran while its stores were watched, and while all
  /// of its accesses were.
  uint64_t Stores = 0, Accesses = 0;
  /// There were some, whether or not there is a hit for them.
  bool HasStored = false, HasAccessed = false;
};

/// What happened to one thread in a step.
struct ThreadStep {
  process::ThreadId Thread;
  /// How often the thread was interrupted.
  uint64_t Traps = 0;
  /// Bit I is set when the bound of aim I was reached.
  unsigned Ceilings = 0;
  /// By aim.
  std::array<Exposure, 2> Exposures = {};
};

struct StepResult {
  std::vector<Hit> Hits;
  std::vector<ThreadStep> Threads;
  /// Watchpoints disappeared although their thread had been armed: it died, or
  /// its process executes another program.
  std::vector<process::ThreadId> Vanished;
  /// Threads that live and were not armed: the step says nothing of them.
  std::vector<process::ThreadId> Missed;
  /// Samples that the kernel dropped.
  uint64_t Lost = 0;
};

/// How the threads were taken up.
struct Preparation {
  /// Ranges that every watched thread has registers for: 1 or 2.
  unsigned Ranges = 2;
  /// Threads that have too few free debug registers to be watched.
  std::vector<process::ThreadId> Taken;
  /// Threads whose watchpoints had disappeared since the last step.
  std::vector<process::ThreadId> Vanished;
};

class Instrument {
public:
  virtual ~Instrument() = default;

  /// "perf" or "ptrace", for the report.
  virtual llvm::StringRef name() const = 0;

  /// Most threads that can be watched at once.
  virtual unsigned batchSize() const = 0;

  /// Makes these threads, and no others, ready to be armed. Threads that have
  /// died are left out silently. \p Somewhere is a valid address to aim at.
  virtual llvm::Expected<Preparation>
  prepare(llvm::ArrayRef<process::ThreadId> Threads,
          process::RunAddress Somewhere) = 0;

  /// Lets up to \p Hits accesses of each thread to each of the \p Aims through.
  virtual llvm::Error arm(llvm::ArrayRef<Aim> Aims, unsigned Hits) = 0;

  /// Traps since arm(): of the thread with the most, and of all together.
  struct Traps {
    uint64_t Most = 0, All = 0;
  };
  virtual Traps peek() = 0;

  virtual llvm::Expected<StepResult> disarm() = 0;

  /// Whether a process that /proc shows as stopped has been stopped by somebody
  /// else: an instrument may have to stop threads itself for a moment.
  virtual bool isStopForeign() const { return true; }
};

} // namespace linesman::watch

#endif // LINESMAN_WATCH_INSTRUMENT_H
