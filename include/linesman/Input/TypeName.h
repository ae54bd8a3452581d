// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One spelling of a type's name. Compilers and demanglers differ:
//
//     ring<const int, 64UL, list<int> >    DWARF
//     ring<int const, 64ul, list<int>>     a demangled symbol
//     ring<intconst,64,list<int>>          both

#ifndef LINESMAN_INPUT_TYPENAME_H
#define LINESMAN_INPUT_TYPENAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace linesman::input {

/// To compare, not to print: spaces and the suffixes of numbers go, and a
/// qualifier stands behind what it qualifies.
std::string comparableTypeName(llvm::StringRef Name);

} // namespace linesman::input

#endif // LINESMAN_INPUT_TYPENAME_H
