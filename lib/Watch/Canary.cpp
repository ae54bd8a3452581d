// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One write must count 1, one read must count 1 more; then 64 writes are timed.

#include "linesman/Watch/Canary.h"
#include "OwnWatch.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace llvm;

namespace linesman::watch {

Expected<CanaryResult> runCanary() {
  alignas(8) volatile uint64_t Word = 0;
  Expected<OwnWatch> Watch = OwnWatch::open(Word);
  if (!Watch)
    return Watch.takeError();

  // More than are made, so that nothing is cut off.
  constexpr unsigned Timed = 64, Bound = 2 * Timed;
  if (Error E = Watch->arm(Bound))
    return std::move(E);
  Word = 1;
  uint64_t Read = Word;
  uint64_t Writes = Watch->Write.hits(), Accesses = Watch->ReadWrite.hits();
  if (Read != 1 || Writes != 1 || Accesses != 2)
    return make_error<WatchError>(
        Refusal::DeadInstrument,
        "hardware watchpoints do not work on this machine: of one write and "
        "one read, " +
            Twine(Writes) + " writes and " + Twine(Accesses) +
            " accesses were seen (a hypervisor may drop debug registers)");

  // The median: on a busy machine some of them lose the processor.
  std::array<uint64_t, Timed> Times;
  for (unsigned I = 0; I != Timed; ++I) {
    uint64_t Start = monotonicTime();
    Word = I;
    Times[I] = monotonicTime() - Start;
  }
  llvm::sort(Times);
  if (Expected<Breakpoint::Count> Count = Watch->ReadWrite.disarm(); !Count)
    return Count.takeError();
  Expected<Breakpoint::Count> Count = Watch->Write.disarm();
  if (!Count)
    return Count.takeError();
  if (Count->Hits != Timed + 1)
    return make_error<WatchError>(
        Refusal::DeadInstrument,
        "hardware watchpoints lose hits on this machine: " +
            Twine(Count->Hits) + " of " + Twine(Timed + 1) +
            " writes were seen");
  return CanaryResult{double(Times[Timed / 2]) * 1e-9};
}

} // namespace linesman::watch
