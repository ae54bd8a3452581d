// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links of intermediate code: the linker's own native objects stand in for it.

#ifndef LINESMAN_LIB_RELINK_LTOOBJECTS_H
#define LINESMAN_LIB_RELINK_LTOOBJECTS_H

#include "InputObject.h"
#include "Scratch.h"

namespace linesman::relink {

struct NativeLink {
  Link Command;
  /// What the first link printed: the optimizer's warnings.
  std::string Said;
};

/// Links once, keeps the native objects that the link-time optimizer made, and
/// returns a link of them without the intermediate code. Fails
/// when the link does, or leaves no objects.
llvm::Expected<NativeLink> linkNativeObjects(const Link &Original,
                                             const LinkInputs &Inputs,
                                             const ScratchFolder &Scratch);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_LTOOBJECTS_H
