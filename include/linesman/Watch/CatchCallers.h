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
#include <array>
#include <map>
#include <vector>

namespace linesman::watch {

/// Registers by the numbers that the kernel's samples have for them
/// (asm/perf_regs.h); 0 where one was not asked for.
using KernelRegisters = std::array<uint64_t, 64>;

/// One access, and what the thread had.
struct CaughtAccess {
  process::ThreadId Thread;
  /// As in Hit, and what the sample says: on x86 the instruction after it.
  process::RunAddress Site, Instruction;
  KernelRegisters Registers = {};
  /// From the stack's pointer on.
  std::vector<uint8_t> Stack;
};

struct CaughtAccesses {
  std::vector<CaughtAccess> All;
  /// How often a thread was interrupted: the one with the most, and all.
  uint64_t MostTraps = 0, AllTraps = 0;
};

/// Waits at \p Words (of 8 bytes) for up to \p Seconds, or until \p ShouldStop.
/// Each thread comes a few times at most. A thread whose debug registers are
/// taken, or that is gone, is left out. Every debug register that is waited
/// with must be free.
CaughtAccesses catchAccesses(llvm::ArrayRef<process::ThreadId> Threads,
                             llvm::ArrayRef<process::RunAddress> Words,
                             double Seconds,
                             llvm::function_ref<bool()> ShouldStop);

/// How often a call (an address inside of its instruction) from outside led to
/// an instruction of a library, for each thread and instruction.
using CallerCounts = std::map<std::pair<process::ThreadId, process::RunAddress>,
                              std::map<process::RunAddress, uint64_t>>;

/// Reads .eh_frame of all modules that there are frames of, once each. Calls
/// that cannot be told are left out.
CallerCounts findCallers(llvm::ArrayRef<CaughtAccess> Caught,
                         const process::ModuleMap &Modules);

} // namespace linesman::watch

#endif // LINESMAN_WATCH_CATCHCALLERS_H
