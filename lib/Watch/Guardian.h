// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A debug register that was set through ptrace stays set when its tracer dies,
// and the next access then kills the traced process with SIGTRAP. So linesman
// is not the tracer: a guardian is, a process that does nothing else, in a
// session of its own and deaf to signals. When linesman goes away, in whatever
// way, the guardian finds their connection closed, clears every register,
// detaches, and ends. Rejected: PTRACE_O_EXITKILL, which ends the target
// instead.
//
//     linesman ── one byte: do it ──▶ guardian ── ptrace ──▶ threads
//        │  ◀── one byte: done ───       │
//        └────── GuardBoard (shared) ────┘
//
// Only a SIGKILL for the guardian itself, while registers are armed, leaves
// them behind.

#ifndef LINESMAN_LIB_WATCH_GUARDIAN_H
#define LINESMAN_LIB_WATCH_GUARDIAN_H

#include "linesman/Watch/Instrument.h"
#include <atomic>

namespace linesman::watch {

enum class GuardCall : uint8_t { Prepare, Arm, Disarm };

enum class GuardState : uint8_t {
  Watched,
  /// It has too few free debug registers.
  Taken,
  /// PTRACE_SEIZE failed with Error.
  Refused,
  /// It died, or executed another program.
  Vanished,
  /// It could not be stopped, or had no free debug register.
  Missed,
};

/// A request and its answer, in memory that both processes share. Fixed sizes,
/// because pointers mean nothing to the other one.
struct GuardBoard {
  static constexpr unsigned MostThreads = 16;
  /// Twice the bound (accesses, and writes after them) at two ranges each, with
  /// the session's bound of 10: 640.
  static constexpr unsigned MostHits = 1024;

  struct Range {
    uint64_t Address;
    unsigned Size;
  };
  struct Thread {
    int Number;
    GuardState State;
    int Error;
    unsigned Traps, Ceilings;
    /// By aim, as far as the bound.
    unsigned Accesses[2], Writes[2];
    /// Nanoseconds for which it ran while it was armed.
    uint64_t Ran;
  };
  struct Access {
    int Thread;
    uint8_t AimIndex;
    AccessKind Kind;
    bool AllArmed;
    /// Of the instruction after the access.
    uint64_t Instruction;
    /// CLOCK_MONOTONIC, in nanoseconds.
    uint64_t Time;
  };

  GuardCall Call;
  /// Prepare: which threads, and any address. Arm: what, and how often.
  unsigned WantedCount;
  int Wanted[MostThreads];
  uint64_t Somewhere;
  unsigned AimCount;
  Range Aims[2];
  unsigned Bound;

  /// The answer: all threads that there is something to say of.
  unsigned ThreadCount;
  Thread Threads[4 * MostThreads];
  unsigned Ranges;
  unsigned HitCount;
  Access Hits[MostHits];
  uint64_t Lost;

  /// While it is armed.
  std::atomic<uint64_t> MostTraps, AllTraps;
  /// The process is stopped, and not by us.
  std::atomic<bool> IsGroupStop;
};

/// What the guardian does from its first instruction to its end.
[[noreturn]] void runGuardian(GuardBoard &Board, int Control);

} // namespace linesman::watch

#endif // LINESMAN_LIB_WATCH_GUARDIAN_H
