// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instrument for where perf is refused, as in containers: debug registers
// through ptrace. Every hit stops its thread until another process has looked
// at it, so it costs several times what perf's does. x86-64 only.

#ifndef LINESMAN_WATCH_PTRACEINSTRUMENT_H
#define LINESMAN_WATCH_PTRACEINSTRUMENT_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Descriptor.h"
#include "linesman/Process/Ids.h"
#include "linesman/Watch/Breakpoint.h"
#include "linesman/Watch/Canary.h"
#include "linesman/Watch/Instrument.h"
#include <memory>

namespace linesman::watch {

struct GuardBoard;

class PtraceInstrument : public Instrument {
public:
  /// Starts the guardian (lib/Watch/Guardian.h). This process must have one
  /// thread.
  static llvm::Expected<std::unique_ptr<PtraceInstrument>> start();
  /// Clears every register and lets all threads go; those that cannot be let
  /// go within a second, the guardian lets go later.
  ~PtraceInstrument() override;

  /// One write and one read of a child of this process must be seen as such,
  /// and the child must survive them.
  llvm::Expected<CanaryResult> runCanary();

  llvm::StringRef name() const override { return "ptrace"; }
  unsigned batchSize() const override;
  llvm::Expected<Preparation> prepare(llvm::ArrayRef<process::ThreadId> Threads,
                                      process::RunAddress Somewhere) override;
  llvm::Error arm(llvm::ArrayRef<Aim> Aims, unsigned Hits) override;
  Traps peek() override;
  llvm::Expected<StepResult> disarm() override;
  bool isStopForeign() const override;

private:
  PtraceInstrument(GuardBoard *Board, process::Descriptor Control, int Guardian)
      : Board(Board), Control(std::move(Control)), Guardian(Guardian) {}
  llvm::Error ask();

  [[maybe_unused]] GuardBoard *Board;
  process::Descriptor Control;
  [[maybe_unused]] int Guardian;
};

} // namespace linesman::watch

#endif // LINESMAN_WATCH_PTRACEINSTRUMENT_H
