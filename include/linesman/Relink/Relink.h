// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links again with edits applied, without recompiling: the input objects are
// copied, their section headers patched, and the same command links the copies.
//
//     command ─▶ inputs ─▶ definitions ─▶ patched copies ─▶ link ─▶ verify ─▶
//     rename
//
// Nothing is left behind when a step fails, and the old output stays as it is.

#ifndef LINESMAN_RELINK_RELINK_H
#define LINESMAN_RELINK_RELINK_H

#include "linesman/Layout/Address.h"
#include "linesman/Plan/Edit.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace linesman::relink {

struct RelinkConfig {
  /// A compiler driver's or a linker's command line, response files expanded.
  std::vector<std::string> Command;
  std::vector<plan::Edit> Edits;
  /// The file to make; replaced in one step when everything holds.
  std::string Output;
  layout::LineSize Line;
};

/// Where an edited symbol is now.
struct Placed {
  /// As the edit names it.
  std::string Symbol;
  layout::LinkAddress Address;
  uint64_t Size = 0;
};

/// Applies, links, verifies. Fails when an edit can not be met (the message
/// names the symbol and says why), when the link fails (with what it printed),
/// or when the result does not hold what was asked.
llvm::Expected<std::vector<Placed>> relink(const RelinkConfig &Config);

} // namespace linesman::relink

#endif // LINESMAN_RELINK_RELINK_H
