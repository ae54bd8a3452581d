// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the source defines an object: the place to change it.

#ifndef LINESMAN_LAYOUT_DEFINITION_H
#define LINESMAN_LAYOUT_DEFINITION_H

#include <cstdint>
#include <string>

namespace linesman::layout {

struct Definition {
  /// As the debug information has it; empty when it is not known.
  std::string File;
  uint32_t Line = 0;
  /// As the source can write it: "Node<int>", "struct stat *", "long[3]"; empty
  /// for a type without a name, and where that is not known.
  std::string Type;
  /// Whether other units do not know the object: it is static, or in an
  /// anonymous namespace.
  bool IsLocal = false;
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_DEFINITION_H
