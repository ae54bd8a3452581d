// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses through pointers, by record type:
//
//     store i32 1, (gep i8, ptr %p, 8), !tbaa {S, int, 8}    S: write 4 at 8
//     atomicrmw add (gep i8, ptr %p, 16), 1                  S: atomic 8 at 16
//
// The second has no tag. It is of an S all the same, because another access
// says what %p points to. So accesses are noted first, and resolved when the
// function has been seen.

#ifndef LINESMAN_LIB_FACTSPASS_RECORDACCESSES_H
#define LINESMAN_LIB_FACTSPASS_RECORDACCESSES_H

#include "ModuleFacts.h"
#include "RecordTypes.h"

namespace llvm {
class GEPOperator;
} // namespace llvm

namespace linesman::facts {

class HeldLocks;

class RecordAccessCollector {
public:
  RecordAccessCollector(const llvm::Function &F, RecordTypes &Types);

  void add(const llvm::Instruction &I, const llvm::Value *Pointer,
           AccessKind Kind, uint64_t Size);
  /// After the last access.
  void resolve();
  bool foundAny() const { return !Resolved.empty(); }
  /// \p Held is null where no locks are known.
  std::vector<RecordAccesses> weigh(BlockWeights &Weights,
                                    const CallOrder *Order,
                                    const HeldLocks *Held) const;

private:
  /// What pointers are told apart by: a value, or an element of the array that
  /// begins there.
  using Key =
      std::pair<std::pair<const llvm::Value *, const llvm::Value *>, uint64_t>;
  struct Root {
    const llvm::Value *Pointer;
    const llvm::Value *Index = nullptr;
    /// Bytes from one element to the next.
    uint64_t Stride = 0;
    Key key() const { return {{Pointer, Index}, Stride}; }
  };
  struct Place {
    Root Start;
    int64_t Offset = 0;
    /// Structs that the address arithmetic goes through, and where they begin.
    llvm::SmallVector<std::pair<TypeNumber, int64_t>, 2> Enclosing;
  };
  /// An object that begins at this offset from a root.
  struct Candidate {
    TypeNumber Type;
    int64_t Begin;
  };
  struct Noted {
    const llvm::Instruction *I;
    Root Start;
    int64_t Offset;
    AccessKind Kind;
    uint64_t Size;
    bool IsSynchronised;
    bool IsLock;
    /// What the access itself says.
    std::optional<Candidate> Own;
    /// The call that has just made the object.
    const llvm::Instruction *Maker;
  };
  struct Found {
    const llvm::Instruction *I;
    TypeNumber Type;
    TypeAccess Access;
    const llvm::Instruction *Maker;
  };

  using Candidates = llvm::SmallVector<Candidate, 2>;

  void readVariables();
  Place findPlace(const llvm::Value *Pointer) const;
  bool stepOverIndex(const llvm::GEPOperator &GEP, Place &Spot) const;
  bool isPrivate(const llvm::Value *Object) const;
  Candidates &candidatesAt(const Root &Start);
  void addCandidate(Candidates &Chosen, Candidate New);
  int64_t offsetIn(const Candidate &Object, const Noted &Access) const;
  std::optional<Candidate> choose(const Noted &Access) const;
  void resolve(const Noted &Access);
  bool resolveIndexed(const Noted &Access, Found &Result);

  const llvm::Function &F;
  const llvm::DataLayout &DL;
  RecordTypes &Types;
  bool IsStructor;
  /// Types of what variables of the source point to: the pointers themselves,
  /// and the stack slots that hold one.
  /// The pointer to an object is also that to its first member, where a method
  /// of that is inlined.
  using TypesOf =
      llvm::DenseMap<const llvm::Value *, llvm::SmallVector<TypeNumber, 1>>;
  TypesOf Pointees, Slots;
  llvm::DenseMap<Key, Candidates> Known;
  std::vector<Noted> Accesses;
  std::vector<Found> Resolved;
};

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_RECORDACCESSES_H
