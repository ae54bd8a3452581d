// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/WriteCeiling.h"

namespace linesman::drive {

std::vector<WriteCeiling> findCeilings(const report::Document &Report,
                                       const ContendedWrite &Cost,
                                       size_t Most) {
  std::vector<WriteCeiling> Result;
  for (const report::Finding &Found : Report.Findings) {
    double Writes = 0;
    for (const report::FindingOccupant &Occupant : Found.Occupants)
      if (Occupant.HasWeights)
        Writes += Occupant.Writes + Occupant.Atomics;
    if (Writes > 0 && Cost.Contended > 0 && Result.size() != Most)
      Result.push_back({Found.Id, Writes, 1e9 / (Writes * Cost.Contended)});
  }
  return Result;
}

} // namespace linesman::drive
