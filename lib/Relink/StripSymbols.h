// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links that strip. A relink reads symbols back, so it links without, and
// strips what it has verified.

#ifndef LINESMAN_LIB_RELINK_STRIPSYMBOLS_H
#define LINESMAN_LIB_RELINK_STRIPSYMBOLS_H

#include "linesman/Relink/Link.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace linesman::relink {

/// What a link drops; All has the others in it.
struct Stripping {
  bool Debug = false, Locals = false, All = false;
  bool isNone() const { return !Debug && !Locals && !All; }
};

/// Takes the options that drop symbols out of \p Command, a linker's or a
/// driver's, and returns what is still to be dropped. Debug information is
/// dropped by the link where it can, which is cheaper.
Stripping takeStripping(std::vector<std::string> &Command);

/// Drops that of the linked file \p Path. Nothing that is loaded moves.
llvm::Error stripSymbols(llvm::StringRef Path, Stripping Stripped);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_STRIPSYMBOLS_H
