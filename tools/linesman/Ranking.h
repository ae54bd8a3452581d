// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binaries as linesman layout ranks them, for all commands that speak of
// findings: the same facts, the same roles, the same scores.

#ifndef LINESMAN_TOOLS_RANKING_H
#define LINESMAN_TOOLS_RANKING_H

#include "linesman/Input/ReadBinary.h"
#include "linesman/Layout/Finding.h"

namespace linesman::tool {

/// Whether it is known where threads start. Where it is not, all but start-up
/// code may run on any number of threads.
enum class Threads : uint8_t { Known, Unknown };

/// Gives \p Accesses the roles that \p Calls tell. \p Entries are functions at
/// which threads start, besides the known ones.
Threads assignRoles(const layout::CallGraph &Calls,
                    layout::AccessTable &Accesses,
                    llvm::ArrayRef<layout::NodeIndex> Entries = {});

/// Whether anything tells what functions do: facts or code that was read.
bool hasFacts(const input::Binary &Binary);

/// Reads \p Path and assigns its roles.
llvm::Expected<input::Binary>
readRanked(llvm::StringRef Path,
           input::FactsFrom Facts = input::FactsFrom::Auto);

/// The findings of \p Binary, highest score first.
std::vector<layout::LineFinding> rankLines(const input::Binary &Binary,
                                           layout::LineSize Line = {});

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_RANKING_H
