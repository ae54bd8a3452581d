// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that take and leave locks, by name: those of libraries, and of a
// project as far as they name the kind of lock. A guard (std::lock_guard and
// what is made like it) is an object of a class that locks in its constructor;
// optimised code has the calls of its members inlined, -O0 has not.

#include "LockCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace linesman::facts;

namespace {

struct Critical {
  StringLiteral Name;
  LockUse Use;
  unsigned Lock;
};

/// The named critical sections of OpenMP.
constexpr Critical Criticals[] = {
    {"GOMP_critical_name_start", LockUse::Takes, 0},
    {"GOMP_critical_name_end", LockUse::Leaves, 0},
    {"__kmpc_critical", LockUse::Takes, 2},
    {"__kmpc_critical_with_hint", LockUse::Takes, 2},
    {"__kmpc_end_critical", LockUse::Leaves, 2}};

/// Functions of a project have many things in their names that lock: an entry
/// of a cache, a reference that is counted.
bool isOfLockType(StringRef Name) {
  static constexpr StringLiteral Words[] = {"mutex", "mtx_", "rwlock", "spin",
                                            "futex"};
  return any_of(
      Words, [&](StringRef Word) { return Name.contains_insensitive(Word); });
}

/// _ZNSt10lock_guardISt5mutexEC2ERS0_, and with D of its destructor.
bool isConstructor(StringRef Name) {
  return Name.contains("C1E") || Name.contains("C2E");
}
bool isDestructor(StringRef Name) {
  return Name.ends_with("D1Ev") || Name.ends_with("D2Ev");
}

/// A guard that others of the standard library lock and unlock.
bool isOfGuard(StringRef Name) {
  return Name.contains("unique_lock") || Name.contains("shared_lock");
}

} // namespace

std::optional<LockCallees::Kind> LockCallees::classify(const Function &F) {
  StringRef Name = F.getName();
  if (F.isIntrinsic() || F.arg_empty())
    return std::nullopt;
  if (waitsForCondition(Name)) {
    Kind Found;
    Found.Waits = true;
    return Found;
  }
  for (const Critical &C : Criticals)
    if (Name == C.Name)
      return Kind{C.Use, C.Lock, std::nullopt, true, false};
  LockUse Use = soundsLikeLock(Name);
  if (Use == LockUse::None)
    return std::nullopt;
  if (Name.starts_with("_Z")) {
    if (isConstructor(Name)) {
      // With the lock as its argument; a lock's own has none.
      if (F.arg_size() < 2 || !F.getArg(1)->getType()->isPointerTy())
        return std::nullopt;
      bool Locks = !Name.contains("defer_lock") && !Name.contains("adopt_lock");
      return Kind{Locks ? LockUse::Takes : LockUse::None, 1, 0,
                  holdsAlone(Name), false};
    }
    if (isDestructor(Name))
      return Kind{LockUse::Leaves, std::nullopt, 0, true, false};
    if (isOfGuard(Name))
      return Kind{Use, std::nullopt, 0, holdsAlone(Name), false};
  }
  bool IsGiven = isGivenItsLock(Name);
  if (!IsGiven && !isOfLockType(Name) && !F.isDeclaration())
    return std::nullopt;
  return Kind{Use, IsGiven ? std::optional(0u) : std::nullopt, std::nullopt,
              holdsAlone(Name), false};
}

LockCallees::LockCallees(const Module &M) {
  for (const Function &F : M)
    if (std::optional<Kind> Found = classify(F)) {
      Kinds[&F] = *Found;
      for (const User *Using : F.users())
        if (const auto *Call = dyn_cast<CallBase>(Using))
          Callers.insert(Call->getFunction());
    }
}

std::optional<LockCall> LockCallees::find(const CallBase &Call) const {
  const Function *Callee = Call.getCalledFunction();
  auto It = Callee ? Kinds.find(Callee) : Kinds.end();
  if (It == Kinds.end())
    return std::nullopt;
  auto Argument = [&](std::optional<unsigned> Number) -> const Value * {
    return Number && *Number < Call.arg_size() ? Call.getArgOperand(*Number)
                                               : nullptr;
  };
  const Kind &Found = It->second;
  return LockCall{Found.Use, Argument(Found.Lock), Argument(Found.Guard),
                  Found.HoldsAlone, Found.Waits};
}
