// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `linesman doctor` finds out:
//
//     Machine ─┐
//     Probes  ─┼─ diagnose ─▶ Advice ─▶ Diagnosis
//     Process ─┘

#ifndef LINESMAN_DRIVE_EXAMINE_H
#define LINESMAN_DRIVE_EXAMINE_H

#include "linesman/Drive/LineTransfers.h"
#include "linesman/Drive/Machine.h"
#include "linesman/Drive/NodeSpeeds.h"
#include "linesman/Drive/Probes.h"
#include "linesman/Drive/WriteCeiling.h"
#include "llvm/Support/Error.h"

namespace linesman::drive {

/// What is asked.
struct Examination {
  /// Of /sys and /proc.
  std::string Root = "/";
  /// Also about this process.
  std::optional<int> Process;
  /// Also what handing a line over costs, which takes seconds.
  bool Measures = false;
  /// Findings (JSON) whose writes are measured against that; empty for none.
  std::string Report;
};

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

/// Fails where there is no such machine, process or report. What cannot be
/// measured is advice, not a failure.
llvm::Expected<Diagnosis> examine(const Examination &Asked);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_EXAMINE_H
