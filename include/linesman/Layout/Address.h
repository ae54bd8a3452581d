// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses and sizes that look alike and must not be mixed up. A link-time
// address is what the symbol table says; where the loader puts it is another
// type's business (Runtime).

#ifndef LINESMAN_LAYOUT_ADDRESS_H
#define LINESMAN_LAYOUT_ADDRESS_H

#include <compare>
#include <cstdint>

namespace linesman::layout {

/// An address as the linker assigned it, in bytes.
struct LinkAddress {
  uint64_t Value = 0;

  friend auto operator<=>(LinkAddress, LinkAddress) = default;
  friend LinkAddress operator+(LinkAddress A, uint64_t Bytes) {
    return {A.Value + Bytes};
  }
  friend uint64_t operator-(LinkAddress A, LinkAddress B) {
    return A.Value - B.Value;
  }
};

/// A half-open range of link-time addresses.
struct AddressRange {
  LinkAddress Begin, End;

  uint64_t size() const { return End - Begin; }
  bool contains(LinkAddress A) const { return Begin <= A && A < End; }
  bool overlaps(AddressRange Other) const {
    return Begin < Other.End && Other.Begin < End;
  }
  friend auto operator<=>(AddressRange, AddressRange) = default;
};

/// The common part of two ranges; empty where there is none.
inline AddressRange intersect(AddressRange A, AddressRange B) {
  LinkAddress Begin = A.Begin < B.Begin ? B.Begin : A.Begin;
  LinkAddress End = A.End < B.End ? A.End : B.End;
  return {Begin, End < Begin ? Begin : End};
}

/// Bytes of a cache line: a power of two, from the smallest line that was ever
/// in use to a generous sector.
struct LineSize {
  static constexpr uint64_t Least = 16, Most = 4096;
  uint64_t Bytes = 64;
};
/// Bytes of a page: a power of two.
struct PageSize {
  static constexpr uint64_t Least = 4096, Most = uint64_t(1) << 30;
  uint64_t Bytes = Least;
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_ADDRESS_H
