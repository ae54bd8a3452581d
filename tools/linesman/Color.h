// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When text has colour: report::paint.

#ifndef LINESMAN_TOOLS_COLOR_H
#define LINESMAN_TOOLS_COLOR_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace linesman::tool {

enum class ColorWhen : uint8_t { Auto, Always, Never };

struct ColorOption : llvm::cl::opt<ColorWhen> {
  explicit ColorOption(llvm::cl::SubCommand &Command);

  /// Whether text on stdout has colour: auto is a terminal that has some, and
  /// no NO_COLOR in the environment (no-color.org).
  bool isWanted() const;
};

/// \p Report on stdout, in colour. What it quotes a terminal does not obey.
llvm::Error writePainted(llvm::StringRef Report);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_COLOR_H
