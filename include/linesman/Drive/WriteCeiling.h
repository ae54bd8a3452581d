// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What writes to one line allow at most: only one processor has the line at a
// time, so that writes of all processors come one after the other.
//
//     cycles a second / (writes an operation x cycles of a contended write)

#ifndef LINESMAN_DRIVE_WRITECEILING_H
#define LINESMAN_DRIVE_WRITECEILING_H

#include "linesman/Drive/LineTransfers.h"
#include "linesman/Report/Document.h"

namespace linesman::drive {

/// Of a finding's line.
struct WriteCeiling {
  std::string Id;
  /// Writes and atomic operations an operation, by facts.
  double Writes = 0;
  /// Operations a second of all processors together, if all come to the line.
  double Operations = 0;
};

/// Of the findings of \p Report in its order, the first \p Most whose writes
/// are known.
std::vector<WriteCeiling> findCeilings(const report::Document &Report,
                                       const ContendedWrite &Cost, size_t Most);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_WRITECEILING_H
