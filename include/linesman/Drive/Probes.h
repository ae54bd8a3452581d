// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernel allows this process, found out by trying it.

#ifndef LINESMAN_DRIVE_PROBES_H
#define LINESMAN_DRIVE_PROBES_H

#include "linesman/Drive/Seccomp.h"
#include <string>
#include <vector>

namespace linesman::drive {

struct Probe {
  /// "mbind", "hardware counters".
  std::string Name;
  /// What linesman needs it for.
  std::string NeededFor;
  bool Works = false;
  /// Why not, and what would allow it; empty when it works.
  std::string Problem;
};

/// Tries each of them on this process, and changes nothing. \p Filters is what
/// may refuse calls here that are allowed elsewhere; it is the first of them.
std::vector<Probe> runProbes(std::optional<Seccomp> Filters);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_PROBES_H
