// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was seen of a line, as findings have it.

#ifndef LINESMAN_LIB_DRIVE_DESCRIBESEEN_H
#define LINESMAN_LIB_DRIVE_DESCRIBESEEN_H

#include "linesman/Report/Finding.h"
#include "linesman/Watch/Observation.h"

namespace linesman::drive {

report::FindingObservation describeSeen(const watch::Observation &Seen);

/// The line alone, without a rung and a kind.
report::Finding describeLine(const watch::Observation &Seen);

} // namespace linesman::drive

#endif // LINESMAN_LIB_DRIVE_DESCRIBESEEN_H
