// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a link came to, an edit's symbol a line:
//
//     store::nil_root: alone on its line, at 0x84c0

#ifndef LINESMAN_DRIVE_APPLIEDEDITS_H
#define LINESMAN_DRIVE_APPLIEDEDITS_H

#include "linesman/Relink/Relink.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::drive {

void writeApplied(llvm::ArrayRef<relink::AppliedEdit> Applied,
                  llvm::raw_ostream &OS);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_APPLIEDEDITS_H
