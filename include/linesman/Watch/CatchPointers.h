// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where objects are, by who uses them: a debug register of each thread waits
// for an instruction, and the kernel notes what the registers hold when a
// thread comes to it. The threads go on at once.
//
//     0x55d0c41a2f1f: mov %rdx, 0x20(%rax)    thread 71, rax + 0x20
//                                             thread 72, rax + 0x20

#ifndef LINESMAN_WATCH_CATCHPOINTERS_H
#define LINESMAN_WATCH_CATCHPOINTERS_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace linesman::watch {

/// An instruction that uses an object.
struct PointerUse {
  process::RunAddress Instruction;
  /// A general register by its number in the encoding, and one that is added
  /// so many times, unless that is 0.
  uint8_t Register = 0, Index = 0;
  uint32_t IndexBytes = 0;
  /// Bytes from where they point to what is looked for.
  int64_t Distance = 0;
};

/// What was used where a thread came by.
struct CaughtPointer {
  process::ThreadId Thread;
  process::RunAddress Address;
};

/// As many instructions as a thread has debug registers.
inline constexpr size_t MostPointerUses = 4;

/// Waits at the first MostPointerUses of \p Uses for at most \p Seconds, and
/// less where two threads came with one address, or \p ShouldStop. A thread
/// comes a few times, so that it is not held up. Empty when nobody came; fails
/// with a WatchError where the kernel does not let us.
llvm::Expected<std::vector<CaughtPointer>>
catchPointers(process::ProcessId Process, llvm::ArrayRef<PointerUse> Uses,
              double Seconds, llvm::function_ref<bool()> ShouldStop);

/// The address that most threads use, and of several the one that is used most
/// often; \p Caught is not empty.
process::RunAddress mostShared(llvm::ArrayRef<CaughtPointer> Caught);

} // namespace linesman::watch

#endif // LINESMAN_WATCH_CATCHPOINTERS_H
