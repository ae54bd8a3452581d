// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `linesman doctor` prints.

#ifndef LINESMAN_DRIVE_DOCTORREPORT_H
#define LINESMAN_DRIVE_DOCTORREPORT_H

#include "linesman/Drive/Examine.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::drive {

void writeText(const Diagnosis &Is, llvm::raw_ostream &OS);

/// Schema 1.
void writeJson(const Diagnosis &Is, llvm::raw_ostream &OS);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_DOCTORREPORT_H
