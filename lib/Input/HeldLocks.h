// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which locks a function certainly holds, where:
//
//     call pthread_mutex_lock      of [big], an address
//     inc  qword [total]           big
//     call pthread_mutex_lock      of [rbx], who knows
//     inc  qword [other]           big, the one that was taken first
//
// A lock counts if it is held on every way, in contrast to LockFlow.h, which
// asks whether there may be one.

#ifndef LINESMAN_LIB_INPUT_HELDLOCKS_H
#define LINESMAN_LIB_INPUT_HELDLOCKS_H

#include "ControlFlow.h"
#include "linesman/Facts/KnownThreads.h"

namespace linesman::input {

/// A lock is taken or left.
struct LockChange {
  /// Of the instruction, from the function's start.
  uint32_t Offset = 0;
  facts::LockUse Use = facts::LockUse::None;
  /// See facts::Access::HeldLock; 0 if it is not known, and where who goes on
  /// after taking it may not hold it, or not alone.
  uint64_t Lock = 0;
};

/// By block, in the order of instructions.
using LockChanges = std::vector<llvm::SmallVector<LockChange, 2>>;

class HeldLocks {
public:
  HeldLocks(const ControlFlow &Flow, const LockChanges &Changes);

  /// The one that was taken first; 0 for none.
  uint64_t firstAt(uint32_t Block, uint32_t Offset) const;
  /// Whether a lock may be left that the function has not taken.
  bool leavesCallers() const { return LeavesCallers; }

private:
  struct Locks {
    /// In the order in which they were taken.
    llvm::SmallVector<uint64_t, 2> Known;
    /// How many others.
    uint32_t Others = 0;

    bool operator==(const Locks &) const = default;
  };

  const ControlFlow &Flow;
  const LockChanges &Changes;
  /// By block, at its start; nothing where no way leads.
  std::vector<std::optional<Locks>> AtStart;
  bool LeavesCallers = false;

  /// Whether a lock is left that may be another function's.
  static bool apply(const LockChange &Change, Locks &Held);
  void solve(llvm::ArrayRef<uint32_t> Entries);
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_HELDLOCKS_H
