// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run of an instrumented program, and what its runtime wrote.

#ifndef LINESMAN_DRIVE_RECORDRUN_H
#define LINESMAN_DRIVE_RECORDRUN_H

#include "linesman/Watch/RecordFile.h"
#include "llvm/ADT/ArrayRef.h"

namespace linesman::drive {

struct RecordedRun {
  /// The path of the program's file, behind all links.
  std::string Program;
  watch::Record Recorded;
};

/// Runs \p Command to its end. Fails where it leaves no record: it is not
/// instrumented, or was killed.
llvm::Expected<RecordedRun> recordRun(llvm::ArrayRef<std::string> Command);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_RECORDRUN_H
