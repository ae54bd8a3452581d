// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The metric in a program's output: "12.5 M queries/s".

#ifndef LINESMAN_DRIVE_OUTPUTNUMBER_H
#define LINESMAN_DRIVE_OUTPUTNUMBER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace linesman::drive {

/// The last match of the regular expression \p Match in \p Output: its first
/// group, or the whole. Lines count one by one for ^ and $; an empty match is
/// none.
std::optional<llvm::StringRef> findLastMatch(llvm::StringRef Output,
                                             llvm::StringRef Match);

/// The number that the last match is. Fails, naming \p Match, without a match
/// and when it is no number.
llvm::Expected<double> readNumber(llvm::StringRef Output,
                                  llvm::StringRef Match);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_OUTPUTNUMBER_H
