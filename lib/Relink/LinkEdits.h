// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The third step of a relink: copies with the edits are linked, until what only
// a link can tell is as it was expected.

#ifndef LINESMAN_LIB_RELINK_LINKEDITS_H
#define LINESMAN_LIB_RELINK_LINKEDITS_H

#include "ChooseEdits.h"
#include "ReadBack.h"

namespace linesman::relink {

/// A linked file, read back.
struct EditedFile {
  LinkedFile File;
  /// With the definitions that the linker took.
  ChosenEdits Chosen;
  Linked Contents;
  /// Of all symbols, of which only those of edits are in Contents if they
  /// agree.
  LinkedScan::Verdict Symbols = LinkedScan::Verdict::Agrees;
};

/// Links into \p Path. \p Output is the file that the user will have. Joins the
/// index of \p Link while the linker runs.
llvm::Expected<EditedFile> linkEdits(llvm::StringRef Path, ReadLink &Link,
                                     ChosenEdits Chosen, llvm::StringRef Output,
                                     const ScratchFolder &Scratch);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_LINKEDITS_H
