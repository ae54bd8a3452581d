// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the scheduler did to the processes of a group.

#ifndef LINESMAN_PROCESS_PROCESSGROUP_H
#define LINESMAN_PROCESS_PROCESSGROUP_H

#include "linesman/Process/Ids.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace linesman::process {

/// The processes of the group that \p Leader leads, ascending: itself, and what
/// it has started.
std::vector<ProcessId> listGroup(ProcessId Leader);

/// Sampled from /proc: a thread's counters are gone when it ends, so the last
/// sample of each counts.
class ProcessGroup {
public:
  explicit ProcessGroup(ProcessId Group) : Group(Group) {}

  /// Reads the counters of all threads that live now. New members are looked
  /// for at some of the calls, ever fewer, because that means to ask about
  /// every process of the machine.
  void sample();

  /// Seconds in which threads were ready and had no processor.
  double waitSeconds() const;

private:
  ProcessId Group;
  unsigned Samples = 0, NextSearch = 0;
  std::vector<ProcessId> Members;
  /// By thread: nanoseconds, as the kernel counts them.
  llvm::DenseMap<int, unsigned long long> Waits;
};

/// Seconds that all processors have been busy since the machine started, for
/// anybody, and that the machine below took from them.
double busySeconds();

} // namespace linesman::process

#endif // LINESMAN_PROCESS_PROCESSGROUP_H
