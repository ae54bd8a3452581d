// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binaries as linesman layout ranks them, for all commands that speak of
// findings: the same facts, the same roles, the same scores.

#ifndef LINESMAN_INPUT_RANKING_H
#define LINESMAN_INPUT_RANKING_H

#include "linesman/Input/ReadBinary.h"
#include "linesman/Layout/Finding.h"

namespace linesman::input {

/// Whether it is known where threads start. Where it is not, all but start-up
/// code may run on any number of threads.
enum class Threads : uint8_t { Known, Unknown };

/// Gives \p Accesses the roles that the calls of \p File tell. \p Entries are
/// functions at which threads start, besides the known ones.
Threads assignRoles(const Binary &File, layout::AccessTable &Accesses,
                    llvm::ArrayRef<layout::NodeIndex> Entries = {});

/// Whether anything tells what functions do: facts or code that was read.
bool hasFacts(const Binary &File);

/// Reads \p Path and assigns its roles.
llvm::Expected<Binary> readRanked(llvm::StringRef Path,
                                  FactsFrom Facts = FactsFrom::Auto);

/// The same of a file that is open.
llvm::Expected<Binary> readRanked(std::unique_ptr<llvm::MemoryBuffer> File);

/// The findings of \p File, highest score first.
std::vector<layout::LineFinding>
rankLines(const Binary &File, layout::LineSize Line = {},
          layout::Guesses Kept = layout::Guesses::LeftOut);

} // namespace linesman::input

#endif // LINESMAN_INPUT_RANKING_H
