// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rust hands a thread a boxed closure: the address of what it has captured, and
// that of a table, which is constant:
//
//     .quad drop         or nothing
//     .quad size, align
//     .quad call_once    what the thread runs
//
// Tables of other traits have their first method there.

#ifndef LINESMAN_LIB_INPUT_CLOSURETABLE_H
#define LINESMAN_LIB_INPUT_CLOSURETABLE_H

#include "CodeMap.h"

namespace linesman::input {

/// Where in the table is what a closure runs.
inline constexpr uint64_t ClosureRunAt = 24;

/// What a closure with the table at \p Table runs; nothing where that is no
/// such table.
std::optional<uint64_t> runOfClosure(uint64_t Table, const CodeMap &Map);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_CLOSURETABLE_H
