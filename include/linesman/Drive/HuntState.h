// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder of a hunt, which it can be resumed from.

#ifndef LINESMAN_DRIVE_HUNTSTATE_H
#define LINESMAN_DRIVE_HUNTSTATE_H

#include "linesman/Drive/Hunt.h"

namespace linesman::drive {

enum class HuntBegin : uint8_t { Anew, Resumed };

/// Makes \p Folder, or sees that it is of this hunt: the same command, metric
/// and file of the program. \p Request gets its whole path.
llvm::Error openState(llvm::StringRef Folder, HuntBegin Begin,
                      HuntRequest &Request);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_HUNTSTATE_H
