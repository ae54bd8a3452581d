// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all Markdown of ours is made of.

#ifndef LINESMAN_LIB_REPORT_MARKDOWN_H
#define LINESMAN_LIB_REPORT_MARKDOWN_H

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <string>

namespace linesman::report {

/// No row of a picture begins with one; a row of marks may be of tildes.
inline constexpr llvm::StringLiteral Fence = "```";

/// Names are from binaries; nothing in them is markup.
inline std::string code(llvm::StringRef Text) {
  std::string Result = Text.str();
  std::replace(Result.begin(), Result.end(), '`', '\'');
  std::replace(Result.begin(), Result.end(), '\n', ' ');
  return "`" + Result + "`";
}

} // namespace linesman::report

#endif // LINESMAN_LIB_REPORT_MARKDOWN_H
