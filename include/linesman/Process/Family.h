// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process and what it has forked. A forked process has the same static data
// at the same addresses, first on pages that all share, then, page by page as
// it writes them, on pages of its own.

#ifndef LINESMAN_PROCESS_FAMILY_H
#define LINESMAN_PROCESS_FAMILY_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace linesman::process {

/// Nothing for a process that is not there.
std::optional<ProcessId> parentOf(ProcessId Process);

/// All processes below \p Process, parents first.
std::vector<ProcessId> readDescendants(ProcessId Process);

/// A process and those of its descendants that were forked from the same
/// program and have executed no other.
class Family {
public:
  /// \p Orphans: descendants of that process belong to it, too (a linesman that
  /// is PR_SET_CHILD_SUBREAPER, whose programs may have become daemons).
  explicit Family(ProcessId Root,
                  std::optional<ProcessId> Orphans = std::nullopt);

  /// As they are now, the root first, where it still runs.
  std::vector<ProcessId> members() const;

private:
  ProcessId Root;
  std::optional<ProcessId> Orphans;
  /// The program's file and where it is mapped: after a fork the same.
  std::optional<std::pair<std::string, RunAddress>> Image;
};

/// What tells that a process had children that have ended: a number that only
/// grows. 0 when the process is gone.
uint64_t countEndedChildren(ProcessId Process);

/// Ends processes: asks them (SIGTERM), waits for two seconds, kills the rest,
/// and reaps those that are ours. Returns how many there were.
size_t endProcesses(const std::vector<ProcessId> &Processes);

} // namespace linesman::process

#endif // LINESMAN_PROCESS_FAMILY_H
