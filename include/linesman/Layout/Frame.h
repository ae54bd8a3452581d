// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A place in the source, as a call stack has them.

#ifndef LINESMAN_LAYOUT_FRAME_H
#define LINESMAN_LAYOUT_FRAME_H

#include <cstdint>
#include <string>

namespace linesman::layout {

struct Frame {
  /// The linker's name; empty when it is not known.
  std::string Function;
  std::string File;
  uint32_t Line = 0;
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_FRAME_H
