// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the scheduler did to the processes of a group.

#ifndef LINESMAN_LIB_DRIVE_PROCESSGROUP_H
#define LINESMAN_LIB_DRIVE_PROCESSGROUP_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace linesman::drive {

/// Sampled from /proc: a thread's counters are gone when it ends, so the last
/// sample of each counts.
class ProcessGroup {
public:
  explicit ProcessGroup(int Group) : Group(Group) {}

  /// Reads the counters of all threads that live now. New members are looked
  /// for at some of the calls, ever fewer, because that means to ask about
  /// every process of the machine.
  void sample();

  /// Seconds in which threads were ready and had no processor.
  double waitSeconds() const;

private:
  int Group;
  unsigned Samples = 0, NextSearch = 0;
  llvm::SmallVector<int> Members;
  /// By thread: nanoseconds, as the kernel counts them.
  llvm::DenseMap<int, unsigned long long> Waits;

  void findMembers();
};

/// Seconds that all processors have been busy since the machine started, for
/// anybody, and that the machine below took from them.
double busySeconds();

} // namespace linesman::drive

#endif // LINESMAN_LIB_DRIVE_PROCESSGROUP_H
