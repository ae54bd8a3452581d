// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run-queue waits from /proc.

#include "linesman/Process/ProcessGroup.h"
#include "linesman/Process/ProcFiles.h"
#include "linesman/Process/State.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <unistd.h>

using namespace llvm;

namespace linesman::process {

std::vector<ProcessId> listGroup(ProcessId Leader) {
  std::vector<ProcessId> Members;
  for (int Process : listNumbers("/proc")) {
    std::string Text = readProcFile(procPath({Process}, "stat"));
    SmallVector<StringRef> Fields = statFields(Text);
    int Number;
    if (Fields.size() > 2 && to_integer(Fields[2], Number) &&
        Number == Leader.Value)
      Members.push_back({Process});
  }
  return Members;
}

void ProcessGroup::sample() {
  if (Samples == NextSearch) {
    Members = listGroup(Group);
    NextSearch = std::min(2 * Samples + 1, Samples + 25);
  }
  ++Samples;
  for (ProcessId Process : Members)
    for (ThreadId Thread : listThreads(Process))
      if (ThreadClock Clock = clockOf(Process, Thread); Clock.Slices)
        Waits[Thread.Value] = Clock.Waited;
}

double ProcessGroup::waitSeconds() const {
  double Sum = 0;
  for (const auto &[Thread, Wait] : Waits)
    Sum += double(Wait);
  return Sum * 1e-9;
}

double busySeconds() {
  // "cpu user nice system idle iowait irq softirq steal guest guest_nice"; a
  // guest's time is in user already.
  std::string Text = readProcFile("/proc/stat");
  SmallVector<StringRef> Words;
  StringRef(Text)
      .take_until([](char C) { return C == '\n'; })
      .split(Words, ' ', -1, /*KeepEmpty=*/false);
  constexpr unsigned Busy[] = {1, 2, 3, 6, 7, 8};
  double Ticks = 0;
  for (unsigned Column : Busy)
    if (unsigned long long Value;
        Column < Words.size() && to_integer(Words[Column], Value))
      Ticks += double(Value);
  return Ticks / double(::sysconf(_SC_CLK_TCK));
}

} // namespace linesman::process
