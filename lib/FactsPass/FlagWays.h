// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where control goes past the tests of a flag.

#ifndef LINESMAN_LIB_FACTSPASS_FLAGWAYS_H
#define LINESMAN_LIB_FACTSPASS_FLAGWAYS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/BasicBlock.h"

namespace linesman::facts {

/// An edge of the control flow graph, from a test to where control goes while
/// the flag is unset.
using FlagWay = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;

using BlockSet = llvm::DenseSet<const llvm::BasicBlock *>;

/// The blocks that control reaches from the entry without these edges.
BlockSet reachWithout(const llvm::Function &F, llvm::ArrayRef<FlagWay> Ways);

/// Where control goes while a flag is unset, up to what sets it.
struct UnsetWays {
  /// To a test again: while (running) ... running = 0.
  bool ComeBack = false;
  /// Out of the function, without an exception.
  bool Leave = false;
  /// To what sets the flag.
  bool Set = false;

  /// if (!ready) make(); ready = 1.
  bool alwaysSet() const { return Set && !Leave; }
};

UnsetWays followUnset(llvm::ArrayRef<FlagWay> Ways, const BlockSet &Setters);

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_FLAGWAYS_H
