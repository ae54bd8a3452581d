// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A debug register of one thread that notes what the thread has: its registers
// and what lies on top of its stack. Unlike a Breakpoint it has a ring of its
// own and ends with its last hit.

#ifndef LINESMAN_LIB_WATCH_USERSAMPLER_H
#define LINESMAN_LIB_WATCH_USERSAMPLER_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Descriptor.h"
#include "linesman/Process/Ids.h"
#include "linesman/Watch/CatchCallers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace linesman::watch {

class UserSampler {
public:
  enum class Trigger : uint8_t { Execution, Access };

  struct Request {
    process::ThreadId Thread;
    Trigger Kind = Trigger::Execution;
    process::RunAddress Address;
    /// Of an access: 1, 2, 4 or 8.
    unsigned Bytes = 8;
    /// Bit I asks for the register that the kernel calls I.
    uint64_t Registers = 0;
    /// Bytes of the stack from its pointer on, a multiple of 8.
    uint32_t StackBytes = 0;
    /// Each costs the thread some microseconds.
    unsigned MostHits = 1;
  };

  /// Armed at once. Fails with a WatchError.
  static llvm::Expected<UserSampler> open(const Request &Asked);

  UserSampler(UserSampler &&Other) noexcept;
  UserSampler &operator=(UserSampler &&) = delete;
  ~UserSampler();

  struct Sample {
    /// On x86, of an access: the instruction after it.
    process::RunAddress Instruction;
    const KernelRegisters &Registers;
    /// What could be read of it.
    llvm::ArrayRef<uint8_t> Stack;
  };

  /// Calls \p Visit for each hit and empties the ring.
  void drain(llvm::function_ref<void(const Sample &)> Visit);

private:
  UserSampler(process::Descriptor Event, void *Ring, size_t Pages,
              const Request &Asked)
      : Event(std::move(Event)), Ring(Ring), RingPages(Pages), Asked(Asked) {}

  process::Descriptor Event;
  void *Ring;
  size_t RingPages;
  Request Asked;
};

} // namespace linesman::watch

#endif // LINESMAN_LIB_WATCH_USERSAMPLER_H
