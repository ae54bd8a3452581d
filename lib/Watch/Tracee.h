// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread that the guardian traces: its debug registers, its hits, and how
// it goes on after a stop.
//
//     register   0: writes of aim 0    1: all accesses of aim 0
//                2: writes of aim 1    3: all accesses of aim 1

#ifndef LINESMAN_LIB_WATCH_TRACEE_H
#define LINESMAN_LIB_WATCH_TRACEE_H

#include "Guardian.h"
#include <sys/ptrace.h>

namespace linesman::watch {

struct Tracee {
  int Thread = 0;
  bool IsGone = false;
  bool IsStopped = false;
  /// In a group stop: it must stay in it.
  bool IsListening = false;
  /// To be delivered when it goes on.
  int Signal = 0;
  /// The kernel unblocks SIGTRAP to force it on a thread.
  bool BlocksTrap = false;
  bool IsArmed = false;
  unsigned Accesses[2] = {}, Writes[2] = {};
  unsigned Traps = 0;
  /// Nanoseconds for which it ran while it was armed. Exact, because its clock
  /// is read while it is stopped.
  uint64_t Ran = 0, ClockAtArm = 0;
  /// That it has registers for.
  unsigned Ranges = 0;

  long control(__ptrace_request Request, uintptr_t Address = 0,
               uintptr_t Data = 0) const;

  /// Attaches and stops nobody. Returns 0 or an errno.
  int seize(int Number);
  /// What waitpid said of it. A hit is noted in \p Board.
  void take(int Status, GuardBoard &Board);
  /// It must be stopped from here on.
  void resume();
  void detach();
  /// Counts anew, and sets what the step aims at. Returns whether it is armed.
  bool arm(const GuardBoard &Board);
  /// Returns whether every register is cleared.
  bool disarm(const GuardBoard &Board);
  /// Reserves the registers of as many ranges as it has free ones for.
  void reserve(uint64_t Somewhere);
  /// A SIGTRAP of ours is still to be delivered.
  bool hasTrapPending() const;
  /// Bit I: the bound of aim I was reached.
  unsigned ceilings(const GuardBoard &Board) const;

private:
  bool isBelowBound(const GuardBoard &Board, unsigned Aim, bool Reads) const;
  bool setRegisters(const GuardBoard &Board) const;
  bool takeHit(GuardBoard &Board);
  void keepTrapBlocked() const;
  uint64_t clock() const;
};

} // namespace linesman::watch

#endif // LINESMAN_LIB_WATCH_TRACEE_H
