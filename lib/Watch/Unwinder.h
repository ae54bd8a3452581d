// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who called the library: from what a sample has of a stack, by the frames that
// .eh_frame describes.
//
//     stack of the sample       .eh_frame of libc: the caller's address is
//     sp ─▶ ...                 at sp + 8 here
//           return address ───▶ in the program: shard.cpp:40

#ifndef LINESMAN_LIB_WATCH_UNWINDER_H
#define LINESMAN_LIB_WATCH_UNWINDER_H

#include "UserSampler.h"
#include "linesman/Process/Modules.h"
#include <map>
#include <memory>
#include <optional>

namespace linesman::watch {

class Unwinder {
public:
  /// \p Modules must live as long.
  explicit Unwinder(const process::ModuleMap &Modules);
  ~Unwinder();

  /// What a sample must have; 0 where this processor is not known.
  static uint64_t wantedRegisters();
  static constexpr uint32_t WantedStackBytes = 512;

  /// The call (an address inside of its instruction) that led from another
  /// module into the one of \p Sample; nothing where its frames are not
  /// described, or lie deeper than the sample.
  std::optional<process::RunAddress>
  callFromOutside(const UserSampler::Sample &Sample);

private:
  struct Frames;
  struct State;

  /// One frame up; false where that cannot be told.
  bool step(State &Now, llvm::ArrayRef<uint8_t> Stack,
            process::RunAddress StackBegin);
  const Frames &framesOf(const process::Module &M);

  const process::ModuleMap &Modules;
  std::map<const process::Module *, std::unique_ptr<Frames>> Known;
};

} // namespace linesman::watch

#endif // LINESMAN_LIB_WATCH_UNWINDER_H
