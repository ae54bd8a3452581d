// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which fields are locks, and who takes them? A lock's word is written by every
// attempt to take it, also by readers, and by those who spin in vain; what lies
// beside it pays for that.
//
// Much C code has its own locks: integers that macros operate on. Their names
// tell (`updt_lock`), together with the fact that somebody modifies them.

#ifndef LINESMAN_TIDY_ANALYSIS_LOCKS_LOCKUSES_H
#define LINESMAN_TIDY_ANALYSIS_LOCKS_LOCKUSES_H

#include "Analysis/Accesses/FieldRoles.h"

namespace linesman::tidy {

/// The last word of a name says that it is a lock: "updt_lock", "lock_",
/// "queueMutex", "WT_SPINLOCK", "ha_rwlock_t".
bool soundsLikeLock(llvm::StringRef Name);

/// A known lock type, a record or typedef that is named like one, or a word
/// that is.
bool isLockType(clang::QualType Type, const TypeKinds &Kinds);
bool isLockField(const clang::FieldDecl &Field, const TypeKinds &Kinds);

/// Who takes one lock on an operation's path.
struct LockUse {
  FunctionSet Takers;
  /// Those that take it together with others, for reading.
  FunctionSet ReadTakers;
  /// The first in each function.
  llvm::SmallVector<const Access *, 4> Takes;
  const Access *Take = nullptr;
  const Access *ReadTake = nullptr;
};

LockUse findUses(const clang::FieldDecl &Lock, HotAccesses &Hot,
                 const clang::ASTContext &Unit);
/// Of a lock with static storage.
LockUse findUses(const clang::VarDecl &Lock, HotAccesses &Hot,
                 const clang::ASTContext &Unit);

/// Who takes \p Lock, a field of the type of \p Holder, through the holder:
/// `state.lock()`, `state.mutex` in a guard.
LockUse findUsesThrough(const clang::FieldDecl &Holder,
                        const clang::FieldDecl &Lock, HotAccesses &Hot,
                        const clang::ASTContext &Unit);

/// The function, the guard's type, by any of its names or the policy that it is
/// made of, or one of the macros that an access goes through says "read" or
/// "shared".
bool takesForReading(const Access &Use, const clang::ASTContext &Unit);

/// An unlock, by the name of the function or method.
bool releasesLock(const Access &Use);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_LOCKS_LOCKUSES_H
