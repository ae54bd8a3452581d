// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a link must not do to its output.

#ifndef LINESMAN_DRIVE_LINKGATES_H
#define LINESMAN_DRIVE_LINKGATES_H

#include "linesman/Input/ReadBinary.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace linesman::drive {

/// Fails where the findings of \p Linked, which was read from \p Output, score
/// more than \p Most together, and where it has no facts to judge.
llvm::Error checkScore(llvm::StringRef Output, const input::Binary &Linked,
                       double Most);

/// Fails where it breaks the lock in the file \p Lock, with what broke.
llvm::Error checkLockOf(llvm::StringRef Output, input::Binary Linked,
                        llvm::StringRef Lock);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_LINKGATES_H
