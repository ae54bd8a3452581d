// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run-time address is what the running process uses; a link-time address is
// what its ELF files say. They differ by a module's load bias and look alike,
// so they are two types (the other one is Layout's), and only Modules.h
// converts one into the other.

#ifndef LINESMAN_WATCH_ADDRESS_H
#define LINESMAN_WATCH_ADDRESS_H

#include "linesman/Layout/Address.h"
#include <compare>
#include <cstdint>

namespace linesman::watch {

using layout::LinkAddress;

/// An address in a running process.
struct RunAddress {
  uint64_t Value = 0;
  friend auto operator<=>(const RunAddress &, const RunAddress &) = default;
  friend RunAddress operator+(RunAddress A, uint64_t Bytes) {
    return {A.Value + Bytes};
  }
};

/// A thread, by the kernel's number.
struct ThreadId {
  int Value = 0;
  friend auto operator<=>(const ThreadId &, const ThreadId &) = default;
};

/// A process, by the kernel's number.
struct ProcessId {
  int Value = 0;
  friend auto operator<=>(const ProcessId &, const ProcessId &) = default;
};

} // namespace linesman::watch

#endif // LINESMAN_WATCH_ADDRESS_H
