// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who runs what, and how often.

#ifndef LINESMAN_DRIVE_WEIGHACCESSES_H
#define LINESMAN_DRIVE_WEIGHACCESSES_H

#include "linesman/Input/ReadBinary.h"

namespace linesman::drive {

/// What a user knows of a binary's threads.
struct Weights {
  /// Functions that threads start at, besides those that the binary names.
  std::vector<std::string> ThreadEntries;
  /// A file of samples; empty for none.
  std::string Samples;
};

/// Gives \p Accesses their roles and weights. What the reader must know goes to
/// \p Notes.
llvm::Error weighAccesses(const input::Binary &Binary, const Weights &Weighing,
                          layout::AccessTable &Accesses,
                          std::vector<std::string> &Notes);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_WEIGHACCESSES_H
