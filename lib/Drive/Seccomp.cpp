// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Seccomp:" of /proc/self/status is 0 (off), 1 (strict) or 2 (filters).

#include "linesman/Drive/Seccomp.h"
#include "linesman/Process/ProcFiles.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace linesman::drive {

static std::optional<unsigned> statusNumber(StringRef Status, StringRef Name) {
  StringRef Rest = Status.split(("\n" + Name + ":").str()).second;
  unsigned Number = 0;
  if (!to_integer(Rest.split('\n').first.trim(), Number, 10))
    return std::nullopt;
  return Number;
}

std::optional<Seccomp> readSeccomp(StringRef Root) {
  std::string Status =
      process::readProcFile(Root.rtrim('/') + "/proc/self/status");
  std::optional<unsigned> Mode = statusNumber(Status, "Seccomp");
  if (!Mode)
    return std::nullopt;
  return Seccomp{*Mode != 0, statusNumber(Status, "Seccomp_filters")};
}

} // namespace linesman::drive
