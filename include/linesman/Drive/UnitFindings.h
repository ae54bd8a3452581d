// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the facts of objects or of a binary say, for a merged list.

#ifndef LINESMAN_DRIVE_UNITFINDINGS_H
#define LINESMAN_DRIVE_UNITFINDINGS_H

#include "linesman/Input/ReadBinary.h"
#include "linesman/Report/Merge.h"

namespace linesman::drive {

struct FactFindings {
  /// Variables, and fields of types.
  std::vector<report::FindingsList> Lists;
  /// By plain identity, why facts contradict a suspicion.
  llvm::StringMap<std::string> Contradicted;
  /// Whether who runs what is known: objects may be of several programs.
  bool IsOneProgram = true;
  /// Why no gate can judge it (whyBlind), or "".
  std::string Blind;
  /// Plain identities of the variables that are there at all.
  llvm::StringMap<bool> Variables;
};

/// Reads a binary, or objects before the link. The lists are of \p Name. Fails
/// as readBinary does, and where there are no facts.
llvm::Expected<FactFindings> readFactFindings(llvm::StringRef Path,
                                              llvm::StringRef Name);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_UNITFINDINGS_H
