// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes that often change nothing, and that nobody tests for it first:
//
//     while (lock.exchange(1)) pause();          waits by writing
//     if (!pending.exchange(true)) wake();       set until somebody wakes up
//     if (CAS(&request, 1, 0)) serve();          fails nearly always
//     stats->last_used = seconds();              the same for a second
//     seen.fetch_add(0)                          a load that takes the line
//     x.compare_exchange(old, max(old, v))       mostly the same maximum
//     for (i = n->hint; ...) n->hint = i;        as likely what it was
//     tree->modified = 1;                        set already
//     if (used > high) full = true;              as long as it is above
//     if (!late) late = is_late();               "no", over and over
//     while (...) { alive = true; ... }          once would do
//     work(): dirty = true; ...                  until clean() puts it back
//     if (found_shorter) { ...; changed = 1; }   all threads of a region
//
// Each needs evidence that several threads have the object: an atomic
// operation, or a record with atomics or locks in it.
//
// Writes: hot accesses that store what is there already, or that nobody needs.
//
//     HotAccesses ─▶ BlindWrites, RepeatedStores, RepeatedAnswers, SetAgain,
//                 │  LevelFlags, LastUses, MarkedBits, UndoneTries, Extremes,
//                 │  FlagAnswers, OnlyValues, RandomDraws, SharedFlags
//                 ├▶ WriteShares, TestedWrites: how often
//                 └▶ Statistics: whether code decides by the value

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_BLINDWRITES_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_BLINDWRITES_H

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Threads/ThreadStarts.h"

namespace linesman::tidy {

enum class BlindWrite : uint8_t {
  None,
  /// exchange or test_and_set as a loop's way out.
  Spin,
  /// A compare-exchange that expects a constant.
  Exchange,
  /// An exchange that asks whether a flag was set, and mostly finds it so.
  Claim,
  /// A time in seconds.
  Time,
  /// The time of the last use, by a fine clock.
  LastUse,
  /// A read-modify-write that changes nothing.
  Neutral,
  /// A maximum or a minimum, exchanged also for itself.
  Extreme,
  /// A hint, stored back as it was read.
  Hint,
  /// A flag that stays set.
  Mark,
  /// A flag for an amount that is above another, as long as it is.
  Level,
  /// A question's answer, also when it is what the test before it has seen.
  Answer,
  /// A constant, on every turn of a loop.
  Repeated,
  /// A constant, into a flag of all threads, on turns of a loop that they run.
  Flag,
  /// A constant, into what another function tests and puts back; any constant
  /// if PlainStores asks for it.
  Store,
};

class BlindWrites {
public:
  BlindWrites(const UnitAccesses &Accesses, const TypeKinds &Kinds,
              const ThreadStarts &Starts, const clang::ASTContext &Unit)
      : Accesses(Accesses), Kinds(Kinds), Starts(Starts), Hot(Accesses, Kinds),
        Unit(Unit) {}

  /// All of BlindWrite::Store only when \p WithStores.
  BlindWrite kindOf(const Access &Use, bool WithStores);

  /// A loop that waits by calling what exchanges: `while (!l.try_lock());`.
  /// The exchange, or null.
  const Access *spinThrough(const UnitAccesses::CallSite &Call);

  /// A loop that tries to take a lock of a library until it has it:
  /// `while (pthread_mutex_trylock(&m));`. The lock, or null.
  const clang::ValueDecl *triesInLoop(const UnitAccesses::CallSite &Call);

private:
  bool isBlindSpin(const Access &Use);
  /// The loop goes on until somebody else changes the word.
  bool waitsFor(const Access &Use, BlindWrite Kind) const;
  /// The loop tries the same word again.
  bool isRepeatedTry(const Access &Use) const;
  bool isBlindCompareExchange(const Access &Use);
  bool isBlindClaim(const Access &Use);
  bool takesByComparing(const Access &Use) const;
  bool isTime(const Access &Use);
  bool isHint(const Access &Use);
  bool isMark(const Access &Use);
  bool isBlindStore(const Access &Use);

  /// The exchange or test_and_set of a lock, by what it stores.
  bool takes(const Access &Use) const;
  bool isLoadedIn(const clang::Stmt &Loop, const Access &Use) const;
  bool isLoadedByCallIn(const clang::Stmt &Loop, const Access &Use) const;
  bool isConstantExpectation(const clang::Expr &Expected,
                             const Access &Use) const;
  std::optional<uint64_t> expectedConstant(const clang::Expr &Expected) const;
  /// The struct around the word was handed to a function that reads it.
  bool isWholeReadBefore(const Access &Use) const;
  bool isPutBack(const Access &Use, uint64_t Value) const;
  /// Another function stores the value there, and it is certain.
  bool isLeft(const Access &Use, uint64_t Value) const;
  bool isUpdatedAtAll(const Access &Use) const;
  bool isOnlyStoreIn(const Access &Use) const;
  /// Several threads have objects of this type, or the unit could do without
  /// what is in it.
  bool isOfSharedRecord(const Access &Use) const;
  llvm::ArrayRef<unsigned> usesOf(const Access &Use) const;

  const UnitAccesses &Accesses;
  const TypeKinds &Kinds;
  const ThreadStarts &Starts;
  HotAccesses Hot;
  const clang::ASTContext &Unit;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_BLINDWRITES_H
