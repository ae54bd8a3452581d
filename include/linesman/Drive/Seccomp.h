// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a filter of system calls is on this process: what a container refuses
// by one looks like a missing right, and is none.

#ifndef LINESMAN_DRIVE_SECCOMP_H
#define LINESMAN_DRIVE_SECCOMP_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace linesman::drive {

struct Seccomp {
  bool IsFiltering = false;
  /// How many filters there are; nothing before Linux 5.9, which does not say.
  std::optional<unsigned> Filters;
};

/// Of this process, from below \p Root. Nothing where /proc does not tell: it
/// is not mounted, or the kernel has no seccomp.
std::optional<Seccomp> readSeccomp(llvm::StringRef Root = "/");

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_SECCOMP_H
