// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Seccomp:" of /proc/self/status is 0 (off), 1 (strict) or 2 (filters).

#include "linesman/Drive/Seccomp.h"
#include "linesman/Process/ProcFiles.h"

using namespace llvm;

namespace linesman::drive {

std::optional<Seccomp> readSeccomp(StringRef Root) {
  std::string Status =
      process::readProcFile(Root.rtrim('/') + "/proc/self/status");
  std::optional<uint64_t> Mode = process::statusField(Status, "Seccomp");
  if (!Mode)
    return std::nullopt;
  return Seccomp{*Mode != 0, process::statusField(Status, "Seccomp_filters")};
}

} // namespace linesman::drive
