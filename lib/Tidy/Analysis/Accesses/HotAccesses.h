// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of a unit's accesses can cost something? Those that run per operation
// and not under a lock that serialises them anyway. FieldRoles adds them up.

#ifndef LINESMAN_TIDY_ANALYSIS_ACCESSES_HOTACCESSES_H
#define LINESMAN_TIDY_ANALYSIS_ACCESSES_HOTACCESSES_H

#include "Analysis/Accesses/OperationPaths.h"
#include "Analysis/Accesses/UnitAccesses.h"
#include "Analysis/Names/RecordLines.h"

namespace linesman::tidy {

class HotAccesses {
public:
  /// A counter's own line or a few: what is larger is the program's state
  /// (redis's `server`), and its plain fields are one thread's or locked in
  /// ways that are not visible.
  static constexpr uint64_t MaxPlainRecordLines = 4;

  HotAccesses(const UnitAccesses &Accesses, const TypeKinds &Kinds)
      : Accesses(Accesses), Kinds(Kinds), Paths(Accesses), Locks(Kinds) {}

  /// The access's kind where the object's type says more than the call: a lock
  /// or an atomic of an option's that is handed to a function is updated.
  AccessKind kindOf(const Access &Use) const;
  bool isAtomic(const Access &Use) const;
  /// The walk's own answer, or the options' for types that only they know.
  AtomicOperation operationOf(const Access &Use) const {
    return Use.Kind == AccessKind::Mutate ? Kinds.operationOf(*Use.Site)
                                          : Use.Atomic;
  }
  /// By the field's or variable's type, or by a cast of the place alone:
  /// `*(volatile int *)&p->ready = 1`.
  static bool isVolatile(const Access &Use);
  /// A call of a method that counts in an atomic of its object: a wrapper such
  /// as `struct Counter { void add() { value.fetch_add(1); } ... }`.
  bool callsAtomicUpdate(const Access &Use) const;

  /// ++, --, += or -= on a plain number whose result nobody looks at: how
  /// statistics are kept. (|= sets a flag, and `p = next++` hands out numbers.)
  static bool isPlainCounting(const Access &Use);

  /// Per operation, to an object that others can see.
  bool isOnOperationPath(const Access &Use);
  bool isOperation(const clang::FunctionDecl *Function) {
    return Paths.isOperation(Function);
  }
  /// Some lock is held, by the function or by all its visible callers, or the
  /// declaration says so (GUARDED_BY).
  bool isLocked(const Access &Use);
  /// The function itself holds a lock there, whatever its callers hold.
  /// Of locks that are held together with others only for what reads.
  bool isLockedHere(const Access &Use) {
    LockNames Held = Locks.heldAt(Use.code());
    if (Use.writes())
      LockEvidence::dropShared(Held);
    return !Held.empty();
  }
  /// The function itself holds a lock there, and others may hold it as well:
  /// what it writes, several write at once.
  bool isLockedTogether(const Access &Use) {
    LockNames Held = Locks.heldAt(Use.code());
    const bool IsLocked = !Held.empty();
    LockEvidence::dropShared(Held);
    return IsLocked && Held.empty();
  }
  /// A lock is held around the whole of the access's loop. It cannot keep away
  /// those for whom the loop waits.
  bool isLockedAroundLoop(const Access &Use);
  /// Read before, in the same function: a test, or a value derived from it.
  bool isReadBefore(const Access &Use) const;

  /// On an operation path, unlocked, written.
  bool isHotWrite(const Access &Use) {
    return Use.writes() && isOnOperationPath(Use) && !isLocked(Use);
  }

  const UnitAccesses &accesses() const { return Accesses; }

private:
  const UnitAccesses &Accesses;
  const TypeKinds &Kinds;
  OperationPaths Paths;
  LockEvidence Locks;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ACCESSES_HOTACCESSES_H
