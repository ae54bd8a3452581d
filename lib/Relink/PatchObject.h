// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives definitions lines of their own in a copy of their object.

#ifndef LINESMAN_LIB_RELINK_PATCHOBJECT_H
#define LINESMAN_LIB_RELINK_PATCHOBJECT_H

#include "InputObject.h"
#include "linesman/Layout/Address.h"

namespace linesman::relink {

/// Fails when \p D can not be moved by itself: it is thread-local or
/// read-only, or its section holds other symbols too.
llvm::Error checkIsolation(const InputObject &Object, const Definition &D);

/// The bytes of \p Object with each of \p Isolated aligned to a line and
/// filling its last line. Every one passed checkIsolation.
llvm::SmallVector<char, 0>
patchObject(const InputObject &Object,
            llvm::ArrayRef<const Definition *> Isolated, layout::LineSize Line);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_PATCHOBJECT_H
