// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which units of debug information can have a variable at one of some
// addresses, without reading them: the address of a variable stands in its unit
// (DW_OP_addr) or in the unit's table of addresses (DW_OP_addrx). Reading a
// unit takes ten times as long as looking for some bytes in it.

#ifndef LINESMAN_LIB_INPUT_UNITFILTER_H
#define LINESMAN_LIB_INPUT_UNITFILTER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace llvm {
class DWARFContext;
class DWARFUnit;
} // namespace llvm

namespace linesman::input {

class UnitFilter {
public:
  UnitFilter(llvm::DWARFContext &Context, std::vector<uint64_t> Addresses);

  /// Says yes too often, never too rarely. \p Unit is one of the file itself,
  /// if need be the skeleton of what was split off; its first entry is read.
  bool mayHave(llvm::DWARFUnit &Unit) const;

private:
  /// Sorted.
  std::vector<uint64_t> Addresses;
  /// How far before a variable the address in its place can be.
  uint64_t MostDistance = 0;
  llvm::StringRef Info, Table;
  /// Where in Info and in Table one of the addresses stands.
  std::vector<uint64_t> InInfo, InTable;

  bool isNear(uint64_t Address) const;
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_UNITFILTER_H
