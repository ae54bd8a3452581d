// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ring belongs to this thread, and both watchpoints send their hits there.

#include "OwnWatch.h"
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

Expected<OwnWatch> OwnWatch::open(const volatile uint64_t &Word) {
  ThreadId Self = {static_cast<int>(::syscall(SYS_gettid))};
  RunAddress Address = {reinterpret_cast<uint64_t>(&Word)};
  Expected<Breakpoint> Write =
      Breakpoint::open(Self, Address, sizeof(Word), TriggerKind::Write);
  if (!Write)
    return Write.takeError();
  Expected<Breakpoint> ReadWrite =
      Breakpoint::open(Self, Address, sizeof(Word), TriggerKind::ReadWrite);
  if (!ReadWrite)
    return ReadWrite.takeError();
  Expected<SampleRing> Ring = SampleRing::open(Self);
  if (!Ring)
    return Ring.takeError();
  for (Breakpoint *Watch : {&*Write, &*ReadWrite})
    if (Error E = Ring->attach(*Watch))
      return std::move(E);
  return OwnWatch{std::move(*Write), std::move(*ReadWrite), std::move(*Ring)};
}

Error OwnWatch::arm(unsigned Hits) {
  if (Error E = Write.arm(Hits))
    return E;
  return ReadWrite.arm(Hits);
}

} // namespace linesman::watch
