// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By the pointers of the table: size and alignment are none.

#include "ClosureTable.h"

namespace linesman::input {

std::optional<uint64_t> runOfClosure(uint64_t Table, const CodeMap &Map) {
  if (!Map.hasClosures() || Map.isData(Table))
    return std::nullopt;
  std::optional<uint64_t> Run = Map.pointerAt(Table + ClosureRunAt),
                          Drop = Map.pointerAt(Table);
  if (!Run || !Map.isFunction(*Run) || (Drop && !Map.isFunction(*Drop)) ||
      Map.pointerAt(Table + 8) || Map.pointerAt(Table + 16))
    return std::nullopt;
  return Run;
}

} // namespace linesman::input
