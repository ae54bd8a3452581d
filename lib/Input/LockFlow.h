// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function does while it holds a lock:
//
//     call pthread_mutex_lock
//     inc  qword [total]            locked
//     call add                      locked, and so is what add does
//     call pthread_mutex_unlock
//     inc  qword [other]
//
// That there is one, perhaps; HeldLocks.h says which one it certainly is.

#ifndef LINESMAN_LIB_INPUT_LOCKFLOW_H
#define LINESMAN_LIB_INPUT_LOCKFLOW_H

#include "HeldLocks.h"
#include "RegisterFlow.h"
#include "llvm/ADT/DenseMap.h"

namespace linesman::input {

/// Who takes and leaves locks: library functions by their names, and small
/// functions of the binary that do nothing else with them.
class LockCallees {
public:
  LockCallees(const CodeFunctions &Functions, const Architecture &Arch,
              const CodeMap &Map);
  facts::LockUse useOf(const Step &S) const;
  facts::LockUse useOf(uint64_t Callee) const {
    return Uses.lookup_or(Callee, facts::LockUse::None);
  }

private:
  /// By address: of a function, its PLT entry, or the slot it is called
  /// through.
  llvm::DenseMap<uint64_t, facts::LockUse> Uses;
};

/// Fills in IsLocked and HeldLock of what was found, Takes and LeavesLock.
void markLocked(llvm::ArrayRef<Step> Steps, const ControlFlow &Flow,
                const LockCallees &Locks, FoundFacts &Found);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_LOCKFLOW_H
