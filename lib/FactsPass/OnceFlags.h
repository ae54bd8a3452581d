// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which code of a function runs only until a flag is set, and sets it:
//
//     if (!ready) {
//       table = build();      while ready is 0
//       ready = true;         while ready is 0
//     }
//     return table;
//
//     if (first) {
//       first = false;        while first is not 0
//     }
//
// Flags of the second form have FlagForm::FirstBit in their offsets. A wait
// until somebody else sets a flag is behind it, too:
//
//     while (!started)
//       pthread_cond_wait(...);
//
// The same as lib/Input/OnceCode.h says of machine code. That nobody else
// clears the flag only the whole binary tells (lib/Layout/OnceFlags.cpp).

#ifndef LINESMAN_LIB_FACTSPASS_ONCEFLAGS_H
#define LINESMAN_LIB_FACTSPASS_ONCEFLAGS_H

#include "FlagWays.h"
#include "ModuleFacts.h"

namespace linesman::facts {

class OnceFlags {
public:
  explicit OnceFlags(const llvm::Function &F);

  /// No object where there is no flag.
  ObjectPlace at(const llvm::Instruction &I) const;
  /// Of a call, which may be what sets the flag that was just found zero.
  ObjectPlace ofCall(const llvm::Instruction &I) const;

private:
  /// A block ends with a question whether an object is zero; IfUnset is where
  /// control goes while the flag is not set.
  struct Test {
    const llvm::BasicBlock *Block;
    const llvm::BasicBlock *IfUnset;
    ObjectPlace Flag;
  };

  static void findTests(const llvm::BasicBlock &BB,
                        llvm::SmallVectorImpl<Test> &Tests);
  static bool maySet(const llvm::Instruction &I, ObjectPlace Flag);

  /// A flag, and where control goes from its tests while it is not set.
  struct Tested {
    ObjectPlace Flag;
    llvm::SmallVector<FlagWay, 2> Ways;
  };
  /// In the order of their first tests; those that somebody clears again come
  /// last.
  static void group(llvm::ArrayRef<Test> Tests,
                    llvm::SmallVectorImpl<Tested> &Flags);

  /// Flags that are set behind their own tests, by the blocks there: first
  /// those that the block itself sets.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<ObjectPlace, 1>>
      Behind;
  /// What waits until others set a flag, and does nothing else meanwhile.
  llvm::DenseMap<const llvm::Instruction *, ObjectPlace> Awaiting;
  /// Of blocks right behind a test.
  llvm::DenseMap<const llvm::BasicBlock *, ObjectPlace> Next;
};

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_ONCEFLAGS_H
