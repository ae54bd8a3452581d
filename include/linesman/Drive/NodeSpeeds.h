// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What memory of one node is worth to processors of another, measured.

#ifndef LINESMAN_DRIVE_NODESPEEDS_H
#define LINESMAN_DRIVE_NODESPEEDS_H

#include "linesman/Drive/Machine.h"

namespace linesman::drive {

/// Of the processors of one node and memory on one node; medians over short
/// stretches, in which all pairs took turns.
struct NodeSpeed {
  int CpuNode = 0, MemoryNode = 0;
  /// A load that depends on the one before, of memory that no cache has, in
  /// nanoseconds.
  double Latency = 0;
  /// Of all threads together, in bytes a second.
  double Reads = 0, Writes = 0;
  unsigned Threads = 0;
};

/// Each node with processors and each node with memory; at most eight threads
/// of a node. Fails where threads may not be pinned, or memory may not be
/// bound to a node when there are several.
llvm::Expected<std::vector<NodeSpeed>> measureNodes(const Machine &Host);

/// Whether remote memory has far less bandwidth than its latency explains: the
/// coherence protocol (early snoop) or the link between the sockets is in the
/// way.
std::vector<Advice> diagnose(llvm::ArrayRef<NodeSpeed> Speeds);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_NODESPEEDS_H
