// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second step of a relink: which definitions the edits mean.

#ifndef LINESMAN_LIB_RELINK_CHOOSEEDITS_H
#define LINESMAN_LIB_RELINK_CHOOSEEDITS_H

#include "LinkedFile.h"
#include "ResolveEdits.h"

namespace linesman::relink {

/// The edits of \p Config, each with its symbols: a shift of a section is one
/// before its first object, and which that is only a link can tell. The inputs'
/// definitions of these symbols are read then.
llvm::Expected<std::vector<plan::Edit>> nameEdits(ReadLink &Link,
                                                  const RelinkConfig &Config,
                                                  const ScratchFolder &Scratch);

/// What the next link is to be.
struct ChosenEdits {
  std::vector<ResolvedEdit> Edits;
  /// Bytes; the longest that an edit asks for: what follows new sections keeps
  /// its place on it.
  uint64_t Line = 0;
  Tails After;
};

/// The tails are those that \p Old needed, the outputs that there are, because
/// that is nearly always right; without one, or where it is wrong, the first
/// link tells, and a second is needed.
ChosenEdits chooseEdits(std::vector<ResolvedEdit> Edits,
                        llvm::ArrayRef<std::string> Old);

/// Thread-local objects are isolated where they are, and .data comes behind
/// them: where that was without edits, only a link without edits tells.
bool growsThreadBlock(const LinkInputs &Inputs,
                      llvm::ArrayRef<ResolvedEdit> Edits);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_CHOOSEEDITS_H
