// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a linked file back and checks that it is what was asked for.

#ifndef LINESMAN_LIB_RELINK_VERIFY_H
#define LINESMAN_LIB_RELINK_VERIFY_H

#include "FindDefinitions.h"
#include "linesman/Layout/LineMap.h"
#include "linesman/Relink/Relink.h"

namespace linesman::relink {

/// Where \p Name (from \p File, if it is local) is in \p Of, after checking
/// that its lines hold nobody else.
llvm::Expected<Placed> verifyIsolation(const layout::Image &Of,
                                       const Definition &Wanted,
                                       layout::LineSize Line);

/// Checks that every data symbol of \p Of that an input defines has the size
/// and the alignment that one of its definitions gives it. \p Edited are
/// excused: common symbols grow when they are isolated.
llvm::Error verifyOthers(const layout::Image &Of, const LinkInputs &Inputs,
                         llvm::ArrayRef<DefinitionRef> Edited);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_VERIFY_H
