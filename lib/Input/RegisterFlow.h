// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which objects the instructions of a function access, and whom it calls, by
// what its registers hold. A pointer that is one of several splits its
// executions evenly, as compiler facts do.

#ifndef LINESMAN_LIB_INPUT_REGISTERFLOW_H
#define LINESMAN_LIB_INPUT_REGISTERFLOW_H

#include "PointerUses.h"
#include "llvm/ADT/DenseMap.h"

namespace linesman::input {

/// An access to memory at a known address.
struct FoundAccess {
  uint64_t Address = 0;
  /// Only the object is known, not the place in it.
  bool IsSomewhere = false;
  /// Then: see facts::Access. IsByThread, if threads start at the function.
  uint64_t Stride = 0;
  bool IsByThread = false;
  facts::AccessKind Kind = facts::AccessKind::Read;
  uint64_t Size = 0;
  double Weight = 0;
  /// Of the instruction, from the function's start.
  uint32_t Offset = 0;
  uint32_t Block = 0;
  /// See facts::Access.
  std::optional<uint64_t> Stored;
  uint64_t OnceFlag = 0;
  bool IsLocked = false;
  uint64_t HeldLock = 0;
};

/// What a function does with another one, where.
struct FoundCall {
  facts::CallKind Kind = facts::CallKind::Direct;
  facts::FunctionRef Callee;
  /// Several threads at once.
  bool IsTeam = false;
  uint32_t Offset = 0;
  uint32_t Block = 0;
  /// Executions per entry of the function.
  double Weight = 0;
  /// See layout::SlotSignature.
  uint8_t Signature = 0;
  /// See facts::Access.
  uint64_t OnceFlag = 0;
  bool IsLocked = false;
  uint64_t HeldLock = 0;
  /// See facts::CallEdge.
  bool IsOneForAll = false;
  /// No call: see facts::ClosureUse.
  enum class ClosureUse : uint8_t {
    No,
    Taken,
    Handed
  } Closure = ClosureUse::No;
};

/// The end of a block asks whether what is at an address is zero, or another
/// number: what a state is once all is done.
struct FlagTest {
  uint32_t Block = 0;
  /// Where it goes on if it is, or is not that number.
  uint32_t IfUnset = 0;
  uint64_t Address = 0;
  bool IsOfZero = true;
  /// It is none of several numbers: the last test of a row.
  bool IsOfSeveral = false;
};

/// A call waits for a condition.
struct ConditionWait {
  uint32_t Block = 0, Offset = 0;
};

struct FoundFacts {
  std::vector<FoundAccess> Accesses;
  /// Only where they were asked for. Calls of libraries are left out, unless
  /// they are given a function.
  std::vector<FoundCall> Calls;
  std::vector<FlagTest> Tests;
  /// Only as far as they were asked for.
  std::vector<FoundUse> Uses;
  std::vector<uint64_t> Loaded, UsedResults;
  bool StoresThrough = false;
  bool HandsPerhaps = false;
  bool tellsOfPointers() const {
    return !Uses.empty() || !Loaded.empty() || !UsedResults.empty() ||
           StoresThrough;
  }
  /// By the instruction: the lock, or the variable that points to it, that a
  /// call is given which leaves it, or takes it for one alone and does not
  /// fail.
  llvm::DenseMap<uint32_t, uint64_t> GivenLocks;
  llvm::SmallVector<ConditionWait, 0> Waits;
  llvm::SmallVector<facts::LockTake, 0> Takes;
  /// See layout::OwnFlag.
  llvm::SmallVector<uint64_t, 0> OwnFlagsSet;
  /// It may leave a lock that it has not taken.
  bool LeavesLock = false;
};

enum class CallsWanted : uint8_t { No, Yes };

/// All accesses of a function to data and its calls, in the order of their
/// instructions. Names slots of the stack and multiples in \p Steps,
/// where it follows registers at all.
FoundFacts followRegisters(llvm::MutableArrayRef<Step> Steps,
                           const ControlFlow &Flow,
                           const CodeFunction &Function,
                           const Architecture &Arch, const CodeMap &Map,
                           CallsWanted Calls, PointersWanted Pointers);

/// The address that a function hands to the first one that it calls, as the
/// first argument; nothing where it is not one and known.
std::optional<uint64_t> findHandedToFirstCall(llvm::ArrayRef<Step> Steps,
                                              const ControlFlow &Flow,
                                              const Architecture &Arch,
                                              const CodeMap &Map);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_REGISTERFLOW_H
