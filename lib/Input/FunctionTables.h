// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions whose addresses initialised data holds: vtables, tables of
// commands, records of operations. At which distance from its record's start a
// pointer is tells which calls through pointers can be calls of it:
//
//     static struct command commands[] = {      call *0x48(%rbx)
//       {"get", ..., get}, {"set", ..., set}};  can be get, set, ...

#ifndef LINESMAN_LIB_INPUT_FUNCTIONTABLES_H
#define LINESMAN_LIB_INPUT_FUNCTIONTABLES_H

#include "CodeMap.h"
#include "linesman/Layout/CallGraph.h"

namespace linesman::input {

/// One edge for each function and slot. \p References are the addresses that
/// code forms: objects begin there, and where pointers lead.
std::vector<facts::CallEdge>
findFunctionTables(const CodeMap &Map, std::vector<uint64_t> References);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_FUNCTIONTABLES_H
