// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two address spaces. A run-time address is what the running process uses;
// a link-time address is what its ELF files say. They differ by a module's load
// bias and look alike, so they are two types (the other one is Layout's), and
// only LoadBias converts one into the other.

#ifndef LINESMAN_PROCESS_ADDRESS_H
#define LINESMAN_PROCESS_ADDRESS_H

#include "linesman/Layout/Address.h"
#include <algorithm>
#include <compare>
#include <cstdint>

namespace linesman::process {

using layout::LinkAddress;

/// An address in a running process.
struct RunAddress {
  uint64_t Value = 0;
  friend auto operator<=>(const RunAddress &, const RunAddress &) = default;
  friend RunAddress operator+(RunAddress A, uint64_t Bytes) {
    return {A.Value + Bytes};
  }
};

/// A half-open range of run-time addresses.
struct RunRange {
  RunAddress Begin, End;
  uint64_t size() const { return End.Value - Begin.Value; }
  bool contains(RunAddress A) const { return Begin <= A && A < End; }
  friend auto operator<=>(const RunRange &, const RunRange &) = default;
};

/// What is common to \p A and \p B; empty where there is nothing.
inline RunRange intersect(RunRange A, RunRange B) {
  RunAddress Begin = std::max(A.Begin, B.Begin);
  return {Begin, std::max(Begin, std::min(A.End, B.End))};
}

/// Run-time address minus link-time address, of one module in one process.
struct LoadBias {
  uint64_t Value = 0;
  RunAddress toRun(LinkAddress A) const { return {A.Value + Value}; }
  LinkAddress toLink(RunAddress A) const { return {A.Value - Value}; }
  friend bool operator==(LoadBias, LoadBias) = default;
};

} // namespace linesman::process

#endif // LINESMAN_PROCESS_ADDRESS_H
