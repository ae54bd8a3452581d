// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of `linesman watch`, where it is not that of another command.

#ifndef LINESMAN_DRIVE_WATCHREPORT_H
#define LINESMAN_DRIVE_WATCHREPORT_H

#include "linesman/Watch/Observation.h"
#include "llvm/Support/JSON.h"

namespace linesman::drive {

/// What the reader must know to judge a "not seen".
std::vector<std::string> sessionNotes(const watch::SessionResult &Session);

void writeWatchText(llvm::ArrayRef<watch::Observation> Seen,
                    const watch::SessionResult &Session,
                    llvm::ArrayRef<std::string> Notes, llvm::raw_ostream &OS);

llvm::json::Value toWatchJson(llvm::ArrayRef<watch::Observation> Seen,
                              llvm::ArrayRef<std::string> Notes,
                              unsigned LineSize);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_WATCHREPORT_H
