// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function's name says about locks. Code without annotations, which is
// nearly all C code, says it nowhere else.

#ifndef LINESMAN_TIDY_ANALYSIS_LOCKS_LOCKWORDS_H
#define LINESMAN_TIDY_ANALYSIS_LOCKS_LOCKWORDS_H

#include "clang/AST/Decl.h"
#include <string>

namespace linesman::tidy {

enum class LockEffect { None, Acquire, TryAcquire, Release };

/// What a function's name says: "pthread_mutex_lock", "STATS_LOCK",
/// "itemUnlock", "ReadLock". Words, so that "block" and "clock" are not locks.
/// \p Subject becomes the name without the locking words.
LockEffect effectOfName(llvm::StringRef Name, std::string &Subject);

/// Whether a call of \p Function, which may be null, has \p Effect by its name.
bool hasEffect(const clang::FunctionDecl *Function, LockEffect Effect);

/// "pthread_rwlock_rdlock", "lock_shared", "ReaderMutexLock": lets in others
/// who ask the same way.
bool saysShared(llvm::StringRef Name);

/// "wq_lock", "spinLock", "owner": an object or function that is there to hold
/// or take a lock, whatever type it has.
bool soundsLikeLock(const clang::NamedDecl *Named);

/// "evict_locked", "RemoveLocked", "link_nolock": to be called with the lock.
bool saysCallerHoldsLock(const clang::FunctionDecl &Function);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_LOCKS_LOCKWORDS_H
