// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's numbers.

#ifndef LINESMAN_PROCESS_IDS_H
#define LINESMAN_PROCESS_IDS_H

#include <compare>

namespace linesman::process {

/// A process, by the kernel's number.
struct ProcessId {
  int Value = 0;
  friend auto operator<=>(ProcessId, ProcessId) = default;
};

/// A thread, by the kernel's number.
struct ThreadId {
  int Value = 0;
  friend auto operator<=>(ThreadId, ThreadId) = default;
};

} // namespace linesman::process

#endif // LINESMAN_PROCESS_IDS_H
