// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who called the library whose instructions touch a word: a debug register of
// each thread waits for the word, and the kernel notes the stack.
//
//     nil_lock   pthread_mutex_lock+0x1c   called at shard.cpp:40

#ifndef LINESMAN_WATCH_CATCHCALLERS_H
#define LINESMAN_WATCH_CATCHCALLERS_H

#include "linesman/Process/Ids.h"
#include "linesman/Process/Modules.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace linesman::watch {

/// One access by a library.
struct CaughtCall {
  process::ThreadId Thread;
  /// Of the access, as in Hit, and of the call from outside of its module.
  process::RunAddress Site, Caller;
};

struct CaughtCalls {
  std::vector<CaughtCall> Calls;
  /// How often a thread was interrupted: the one with the most, and all.
  uint64_t MostTraps = 0, AllTraps = 0;
};

/// Waits at \p Words (of 8 bytes) for up to \p Seconds, or until \p ShouldStop.
/// Each thread comes a few times at most. A thread whose debug registers are
/// taken, or that is gone, is left out. Every debug register that is waited
/// with must be free.
CaughtCalls catchCallers(llvm::ArrayRef<process::ThreadId> Threads,
                         llvm::ArrayRef<process::RunAddress> Words,
                         const process::ModuleMap &Modules, double Seconds,
                         llvm::function_ref<bool()> ShouldStop);

} // namespace linesman::watch

#endif // LINESMAN_WATCH_CATCHCALLERS_H
