// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that stand where a file has addresses, and are none.

#ifndef LINESMAN_FACTS_DISCARDED_H
#define LINESMAN_FACTS_DISCARDED_H

#include <cstdint>

namespace linesman::facts {

/// All ones is what lld's -z dead-reloc-in-nonalloc= is commonly set to.
/// LLVM's hash maps keep it and the number below for themselves: neither may
/// become a key.
constexpr bool isDiscarded(uint64_t Address) {
  return Address >= UINT64_MAX - 1;
}

} // namespace linesman::facts

#endif // LINESMAN_FACTS_DISCARDED_H
