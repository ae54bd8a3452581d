// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which locks a function holds, where:
//
//     pthread_mutex_lock(&big);
//     ++total;                       big
//     std::lock_guard Held(*some);
//     ++other;                       big, the one that was taken first
//
// The same as lib/Input/HeldLocks.h and LockFlow.h say of machine code: a lock
// with a name counts where it is held on every way; that there may be some lock
// is enough to be locked.

#ifndef LINESMAN_LIB_FACTSPASS_HELDLOCKS_H
#define LINESMAN_LIB_FACTSPASS_HELDLOCKS_H

#include "ModuleFacts.h"
#include "linesman/Facts/KnownThreads.h"

namespace linesman::facts {

class LockCallees;

class HeldLocks {
public:
  HeldLocks(const llvm::Function &F, const LockCallees &Callees);

  struct Take {
    const llvm::Instruction *I;
    ObjectPlace Lock;
  };

  LockState at(const llvm::Instruction &I) const;
  /// Where it takes locks with a name, also after it has waited without one.
  llvm::ArrayRef<Take> takes() const { return Takes; }
  /// Whether a lock may be left that the function has not taken.
  bool leavesCallers() const { return LeavesCallers; }

private:
  struct Change {
    const llvm::Instruction *I;
    LockUse Use;
    ObjectPlace Lock;
  };
  /// The locks at one place.
  struct Locks {
    /// Certainly, in the order in which they were taken.
    llvm::SmallVector<ObjectPlace, 2> Known;
    /// How many others, certainly, and how many of all, perhaps.
    uint32_t Others = 0;
    uint32_t Perhaps = 0;

    bool operator==(const Locks &) const = default;
  };

  void findChanges(const llvm::Function &F, const LockCallees &Callees);
  /// Whether a lock is left that must be another function's.
  static bool apply(const Change &C, Locks &Held);
  /// Whether that happens anywhere.
  bool solve(const llvm::Function &F, uint32_t PerhapsAtEntry);

  /// By block, in the order of instructions.
  llvm::MapVector<const llvm::BasicBlock *, llvm::SmallVector<Change, 2>>
      Changes;
  llvm::DenseMap<const llvm::BasicBlock *, Locks> AtStart;
  llvm::SmallVector<const llvm::Instruction *, 2> Waits;
  llvm::SmallVector<Take, 4> Takes;
  bool LeavesCallers = false;
};

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_HELDLOCKS_H
