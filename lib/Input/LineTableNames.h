// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of a DWARF 5 line table has lists of folders and files, and the
// forms of their names. LLVM 22 jumps to an arbitrary address for a form that
// it does not know, makes room for as many names as a list claims to have, and
// believes what a name says of its length: all this is checked before it reads
// the table.

#ifndef LINESMAN_LIB_INPUT_LINETABLENAMES_H
#define LINESMAN_LIB_INPUT_LINETABLENAMES_H

#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

namespace linesman::input {

/// Fails for what LLVM would not survive. Other damage it reports itself.
llvm::Error checkLineTableNames(llvm::DWARFUnit &Unit);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_LINETABLENAMES_H
