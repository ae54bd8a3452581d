// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places where a lock is taken for nothing but to count, for nothing but to
// read one or two words, or around a few statements of a function.
//
//     pthread_mutex_lock(&stats_lock);         lock_guard guard(m);
//     stats.items++;                           return items.size();
//     stats.bytes += size;
//     pthread_mutex_unlock(&stats_lock);

#ifndef LINESMAN_TIDY_ANALYSIS_LOCKS_COUNTINGSECTIONS_H
#define LINESMAN_TIDY_ANALYSIS_LOCKS_COUNTINGSECTIONS_H

#include "Analysis/Names/TypeKinds.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace linesman::tidy {

/// The counting (++, --, +=, -=) between one lock and its unlock, or the end of
/// its guard; at least one. An extreme that is kept (keepsExtreme()) counts,
/// too.
using CountingSection = llvm::SmallVector<const clang::Expr *, 2>;

enum class LockPlace : uint8_t {
  /// One for the whole program, as far as its name tells: a variable with
  /// static storage, or hidden in a function without arguments
  /// (`STATS_LOCK()`).
  Static,
  /// A member of an object: `table->lock`, or a method's own. What is counted
  /// is in the same object.
  Member,
  /// Any variable or member, for who knows that several threads run the code.
  /// What is counted may be anywhere.
  Anywhere,
};

/// `most = std::max(most, n)`: the largest or smallest value so far.
bool keepsExtreme(const clang::Expr &Counting);

/// What a section's expression counts in, or keeps an extreme in.
const clang::Expr &countedIn(const clang::Expr &Counting);

/// The lock that \p S takes at \p Place, by a call or for the rest of its
/// block; or the call that hides it.
const clang::Expr *takenLock(const clang::Stmt &S, const TypeKinds &Kinds,
                             LockPlace Place);

/// Those of \p Function whose lock is at \p Place.
std::vector<CountingSection>
countingSections(const clang::FunctionDecl &Function, const TypeKinds &Kinds,
                 LockPlace Place);

/// A lock that a function takes, and what it does until it gives it back.
struct HeldLock {
  const clang::Expr *Lock = nullptr;
  /// The statements in between, in one block; at least one.
  llvm::ArrayRef<clang::Stmt *> Body;
  /// The innermost loop of the function around it, if each turn of that loop
  /// takes the lock.
  const clang::Stmt *Loop = nullptr;
};

/// The first lock at \p Place that the outermost block of \p Function takes,
/// for what follows it or up to its unlock.
std::optional<HeldLock> heldLock(const clang::FunctionDecl &Function,
                                 const TypeKinds &Kinds, LockPlace Place);

/// All of \p Function at \p Place, in blocks of whatever depth.
std::vector<HeldLock> heldLocks(const clang::FunctionDecl &Function,
                                const TypeKinds &Kinds, LockPlace Place);

/// Whether \p Held is there to add up and to store, and for nothing else: to
/// numbers of the object, or of an element that a reference is declared for.
bool isRecord(const HeldLock &Held);

/// The one or two words that \p Held is there to read, beside constants:
/// `return closed;`, `n = list->length;`, `return items.empty();`. Of a
/// member's lock, those in the same object. Nothing where it is there for
/// anything else.
llvm::SmallVector<const clang::ValueDecl *, 2> wordsRead(const HeldLock &Held,
                                                         LockPlace Place);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_LOCKS_COUNTINGSECTIONS_H
