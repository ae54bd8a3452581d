// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of many addresses. A large binary has a million symbols and as many
// facts; sorting them by comparison took a third of a report's time.

#ifndef LINESMAN_LIB_LAYOUT_ADDRESSORDER_H
#define LINESMAN_LIB_LAYOUT_ADDRESSORDER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <vector>

namespace linesman::layout {

/// The indices below \p Count by ascending \p AddressOf, equals in ascending
/// order of index. A radix sort (least digit first): linear, and a binary's
/// addresses have few digits.
std::vector<uint32_t>
orderByAddress(uint32_t Count,
               llvm::function_ref<uint64_t(uint32_t)> AddressOf);

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_ADDRESSORDER_H
