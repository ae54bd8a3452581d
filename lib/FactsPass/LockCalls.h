// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls do with locks, by the names of their callees.

#ifndef LINESMAN_LIB_FACTSPASS_LOCKCALLS_H
#define LINESMAN_LIB_FACTSPASS_LOCKCALLS_H

#include "linesman/Facts/KnownThreads.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace llvm {
class CallBase;
class Function;
class Module;
class Value;
} // namespace llvm

namespace linesman::facts {

struct LockCall {
  /// None for the constructor of a guard that does not lock, or that adopts a
  /// lock.
  LockUse Use = LockUse::None;
  /// A pointer to the lock; null where the call does not say.
  const llvm::Value *Lock = nullptr;
  /// The guard that the call makes or uses; of a guard that is used, Lock is
  /// null.
  const llvm::Value *Guard = nullptr;
  /// Who comes back holds the lock, and nobody else does.
  bool HoldsAlone = true;
  /// It waits for a condition: leaves a lock and takes it again.
  bool Waits = false;
};

/// The functions of a module that deal with locks.
class LockCallees {
public:
  explicit LockCallees(const llvm::Module &M);

  /// Whether \p F calls any of them.
  bool areCalledBy(const llvm::Function &F) const {
    return Callers.contains(&F);
  }
  std::optional<LockCall> find(const llvm::CallBase &Call) const;

private:
  struct Kind {
    LockUse Use = LockUse::None;
    /// Numbers of arguments.
    std::optional<unsigned> Lock, Guard;
    bool HoldsAlone = true;
    bool Waits = false;
  };
  static std::optional<Kind> classify(const llvm::Function &F);

  llvm::DenseMap<const llvm::Function *, Kind> Kinds;
  llvm::DenseSet<const llvm::Function *> Callers;
};

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_LOCKCALLS_H
