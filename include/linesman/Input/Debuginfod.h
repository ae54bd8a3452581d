// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debug files from a debuginfod server. The transfer is done by LLVM's or
// elfutils' own client, as a process: linesman itself opens no connection.

#ifndef LINESMAN_INPUT_DEBUGINFOD_H
#define LINESMAN_INPUT_DEBUGINFOD_H

#include "linesman/Input/DebugFile.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace linesman::input {

/// Where \p Binary has no symbol table, and \p Search leads to no debug file on
/// this machine: makes the one that \p Servers have (URLs, separated by spaces)
/// the file of \p Search. That none has it costs names, not the report: then
/// returns a note that says why, otherwise "".
std::string askDebuginfod(const llvm::MemoryBuffer &Binary,
                          llvm::StringRef Servers, DebugSearch &Search);

} // namespace linesman::input

#endif // LINESMAN_INPUT_DEBUGINFOD_H
