// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What it costs to hand a cache line from one processor to another, measured:
// two pinned threads that answer each other, and two that fight.

#ifndef LINESMAN_DRIVE_LINETRANSFERS_H
#define LINESMAN_DRIVE_LINETRANSFERS_H

#include "linesman/Drive/Machine.h"

namespace linesman::drive {

/// One direction of a ping-pong between two processors, in nanoseconds: the
/// quick ones of many short stretches.
struct Transfer {
  int Sender = 0, Receiver = 0;
  double Nanoseconds = 0;
};

/// Of a pair of processors.
struct ContendedWrite {
  /// Nanoseconds of an atomic addition with the line in the own cache, and
  /// while another processor adds to the same line.
  double Alone = 0, Contended = 0;
  /// Nanoseconds of a cycle, while only one processor is busy.
  double Cycle = 0;
};

/// At most \p Most processors, chosen so that different packages, last-level
/// caches and cores come first. Fails where threads may not be pinned, and
/// where there are not two processors that they may run on.
llvm::Expected<std::vector<Transfer>> measureTransfers(const Machine &Host,
                                                       unsigned Most);

/// Of the two processors that are farthest apart by \p Measured.
llvm::Expected<ContendedWrite>
measureContendedWrite(llvm::ArrayRef<Transfer> Measured);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_LINETRANSFERS_H
