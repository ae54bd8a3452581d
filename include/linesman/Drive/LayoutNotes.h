// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the reader of a layout report must know about what is not in it.

#ifndef LINESMAN_DRIVE_LAYOUTNOTES_H
#define LINESMAN_DRIVE_LAYOUTNOTES_H

#include "linesman/Input/ReadBinary.h"
#include "linesman/Layout/Types.h"

namespace linesman::drive {

/// Where symbols and facts came from, and what has none.
std::vector<std::string> describeGaps(const input::Binary &Binary);

/// The one of these that puts all findings in question, and that there are
/// none; empty mostly.
std::string describeDoubt(const input::Binary &Binary);

/// Why so many lines are not shown, of which nothing says that threads meet
/// there.
std::vector<std::string> describeGuesses(const layout::GuessedLines &Lines);

/// What a report of types leaves out. \p Conflicts are the names that have
/// several layouts.
std::vector<std::string>
describeTypeGaps(const input::Binary &Binary, const layout::TypeScene &Scene,
                 llvm::ArrayRef<std::string> Conflicts);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_LAYOUTNOTES_H
