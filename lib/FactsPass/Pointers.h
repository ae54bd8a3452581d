// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions do through pointers that they were given, and whom they give
// theirs to: linesman/Facts/Pointers.h in terms of the IR.

#ifndef LINESMAN_LIB_FACTSPASS_POINTERS_H
#define LINESMAN_LIB_FACTSPASS_POINTERS_H

#include "ModuleFacts.h"
#include "RecordTypes.h"
#include "linesman/Facts/Pointers.h"

namespace llvm {
class DominatorTree;
class ICmpInst;
class StoreInst;
} // namespace llvm

namespace linesman::facts {

class HeldLocks;
class OnceFlags;

/// See Origin. Of Object and Variable, GV is the variable; of Result, the
/// function that returned it. Numbers of types are those of RecordTypes, and
/// of ModuleFacts::Types once the module is done.
struct PointerOrigin {
  Origin::OriginKind Kind = Origin::Unknown;
  const llvm::GlobalValue *GV = nullptr;
  uint32_t Number = 0;
  std::optional<uint64_t> Offset;
  TypeNumber Type = 0;

  auto key() const { return std::make_tuple(Kind, GV, Number, Offset, Type); }
};

/// See PointerUse.
struct PointerFact {
  PointerUse::UseKind Kind = PointerUse::Access;
  PointerOrigin Source;
  std::optional<int64_t> Offset = 0;
  ElementSteps Steps = {};
  bool IsMay = false;
  AccessKind Does = AccessKind::Read;
  bool IsLock = false;
  uint64_t Size = 0;
  const llvm::Function *Callee = nullptr;
  uint32_t Parameter = 0;
  PointerOrigin Destination;
  /// What From is not, by a test.
  Base Except = {nullptr, 0};
  /// Weight, source and stages.
  Access Touched;
  LockState Held;
  ObjectPlace Flag;

  auto key() const {
    return std::make_tuple(
        Kind, Source.key(), Offset, Steps.Stride, Steps.First, Steps.IsByThread,
        IsMay, Does, IsLock, Size, Callee, Parameter, Destination.key(),
        Except.Object, Except.Offset, Held.IsLocked, Held.Lock.Object,
        Held.Lock.Offset, Flag.Object, Flag.Offset);
  }
};

class PointerCollector {
public:
  PointerCollector(const llvm::Function &F, RecordTypes &Types);

  /// The objects that \p Pointer may point into where \p User uses it: none
  /// that a test has excluded.
  Bases resolve(const llvm::Instruction &User,
                const llvm::Value *Pointer) const;
  /// An access through a pointer that resolves to \p Pointers.
  void addAccess(const llvm::Instruction &I, const Bases &Pointers,
                 AccessKind Kind, uint64_t Size);
  void addCall(const llvm::CallBase &Call);
  void addStore(const llvm::StoreInst &Store);
  void addReturn(const llvm::Instruction &Return);
  bool foundAny() const { return !Noted.empty(); }
  /// Whether an access to an object may come of it: those through parameters
  /// are their callers'.
  bool foundObjects() const;
  /// \p Held is null where no locks are known.
  std::vector<PointerFact> weigh(BlockWeights &Weights, bool HasProfile,
                                 const CallOrder *Order, const HeldLocks *Held,
                                 const OnceFlags &Flags) const;

private:
  struct Found {
    const llvm::Instruction *I;
    PointerFact Fact;
    double Share;
  };
  /// Adds a use of each alternative of a pointer.
  void addUses(const llvm::Instruction &I, const Bases &Pointers,
               PointerFact Use);
  void addHanded(const llvm::CallBase &Call, const llvm::Value *Given,
                 const llvm::Function &Callee, uint32_t Parameter);
  std::optional<PointerOrigin> originOf(const Root &Place) const;
  std::optional<PointerOrigin> memberAt(const llvm::Instruction &I,
                                        const llvm::Value *Pointer) const;
  std::optional<PointerOrigin> atomicMemberAt(const llvm::Value *Pointer) const;
  bool isPointer(const llvm::Instruction &Access,
                 const llvm::Value &Moved) const;
  void findComparisons();
  void addComparisons(const llvm::BasicBlock &BB, const llvm::ICmpInst &Compare,
                      const llvm::BasicBlock *IfOther,
                      const llvm::CallBase *Call);
  Base excluded(const llvm::Instruction &I, const Root &R) const;

  /// Where control comes from Begin to End, Root is not Object. Root may be a
  /// phi or a select.
  struct Comparison {
    const llvm::BasicBlock *Begin, *End;
    const llvm::Value *Root;
    Base Object;
  };

  const llvm::Function &F;
  const llvm::DataLayout &DL;
  RecordTypes &Types;
  std::vector<Found> Noted;
  std::vector<Comparison> Comparisons;
  /// Only where there are comparisons.
  std::shared_ptr<const llvm::DominatorTree> Dominators;
};

/// A table of constants that the passes behind this one may replace by another
/// and erase (RelLookupTableConverter does with those of a switch): nothing may
/// refer to it.
bool mayVanish(const llvm::GlobalVariable &GV);

/// The variable that an address lies in; constants, too. Sets \p Offset where
/// it is known.
const llvm::GlobalVariable *variableAt(const llvm::Value *Pointer,
                                       const llvm::DataLayout &DL,
                                       std::optional<uint64_t> &Offset);

/// Addresses that variables hold from the start.
std::vector<PointerFact> findInitialPointers(const llvm::Module &M,
                                             RecordTypes &Types);

/// Drops what can not lead to an access, as far as the module shows.
void prunePointers(ModuleFacts &Facts);

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_POINTERS_H
