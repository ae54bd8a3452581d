// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `linesman doctor` prints.

#ifndef LINESMAN_DRIVE_DOCTORREPORT_H
#define LINESMAN_DRIVE_DOCTORREPORT_H

#include "linesman/Drive/LineTransfers.h"
#include "linesman/Drive/Machine.h"
#include "linesman/Drive/NodeSpeeds.h"
#include "linesman/Drive/Probes.h"
#include "linesman/Drive/WriteCeiling.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::drive {

/// All that was found out.
struct Diagnosis {
  Machine Host;
  std::vector<Probe> Probes;
  std::vector<Advice> Advices;
  std::optional<ProcessMemory> Memory;
  std::vector<Transfer> Transfers;
  std::optional<ContendedWrite> Contended;
  /// Of the findings of a report; none where Contended is not known.
  std::vector<WriteCeiling> Ceilings;
  std::vector<NodeSpeed> Speeds;
};

void writeText(const Diagnosis &Is, llvm::raw_ostream &OS);

/// Schema 1.
void writeJson(const Diagnosis &Is, llvm::raw_ostream &OS);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_DOCTORREPORT_H
