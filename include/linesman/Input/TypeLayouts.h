// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of types by name, from a binary's DWARF: what facts about types have
// offsets for, debug info has names for.

#ifndef LINESMAN_INPUT_TYPELAYOUTS_H
#define LINESMAN_INPUT_TYPELAYOUTS_H

#include "linesman/Input/ReadBinary.h"
#include "linesman/Layout/Types.h"

namespace linesman::input {

/// The layout of each of \p Types, or nothing for those that debug info does
/// not define, or not in the size that the facts have. Corrupt DWARF is as good
/// as none.
std::vector<std::optional<layout::TypeLayout>>
readTypeLayouts(const Binary &File, llvm::ArrayRef<layout::AccessedType> Types);

} // namespace linesman::input

#endif // LINESMAN_INPUT_TYPELAYOUTS_H
