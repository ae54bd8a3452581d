// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of a line table of DWARF 5 says in which forms names of folders
// and files stand. LLVM 22 jumps anywhere for a form that there is not, so they
// are looked at before it reads them.

#ifndef LINESMAN_LIB_INPUT_LINETABLEFORMS_H
#define LINESMAN_LIB_INPUT_LINETABLEFORMS_H

#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

namespace linesman::input {

/// An error names the form. What else is wrong with the unit's table, LLVM
/// says.
llvm::Error checkLineTableForms(llvm::DWARFUnit &Unit);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_LINETABLEFORMS_H
