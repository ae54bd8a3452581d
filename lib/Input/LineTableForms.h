// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of a DWARF 5 line table names the forms of its file and folder
// names. LLVM 22 jumps to an arbitrary address for a form that it does not
// know, so the forms are checked before it reads the table.

#ifndef LINESMAN_LIB_INPUT_LINETABLEFORMS_H
#define LINESMAN_LIB_INPUT_LINETABLEFORMS_H

#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

namespace linesman::input {

/// Fails for a form that LLVM does not know. Other damage LLVM reports itself.
llvm::Error checkLineTableForms(llvm::DWARFUnit &Unit);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_LINETABLEFORMS_H
