// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exits of a function where a call failed:
//
//     if (pthread_mutex_lock(&m) != 0) return -1;    once in 17 times
//     if (fflush(f) < 0) ...                         the same
//     if (step(s) < 0) return -1;                    the same: it is passed on
//
// LLVM takes the first for more likely than not, so that each such exit would
// take more than half of what follows it.

#ifndef LINESMAN_LIB_FACTSPASS_FAILEDCALLS_H
#define LINESMAN_LIB_FACTSPASS_FAILEDCALLS_H

#include "llvm/IR/PassManager.h"
#include <memory>

namespace llvm {
class BlockFrequencyInfo;
class LoopInfo;
} // namespace llvm

namespace linesman::facts {

/// The frequencies of a function's blocks with such exits; null where it has
/// none.
std::unique_ptr<llvm::BlockFrequencyInfo>
weighFailedCalls(const llvm::Function &F, const llvm::LoopInfo &Loops,
                 llvm::FunctionAnalysisManager &FAM);

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_FAILEDCALLS_H
