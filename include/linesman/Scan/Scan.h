// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of many programs, each read by a process of its own: what one of
// them costs in time and memory, or a crash, is nobody else's.
//
//     files, folders, packages ─▶ linesman layout, several at a time ─▶ State

#ifndef LINESMAN_SCAN_SCAN_H
#define LINESMAN_SCAN_SCAN_H

#include "linesman/Process/Signals.h"
#include "linesman/Scan/State.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace linesman::scan {

struct ScanRequest {
  /// Programs and shared objects, folders of them, Debian's packages as files
  /// or by name.
  std::vector<std::string> Targets;
  /// The program whose layout command reads a file.
  std::string Reader;
  /// So many files at a time.
  unsigned Jobs = 1;
  /// So many findings of a file are kept.
  unsigned Top = 10;
  /// For one file: wall-clock seconds, and megabytes; 0 is no bound.
  unsigned Seconds = 0, Megabytes = 0;
};

struct ScanEnd {
  /// Before all was read.
  bool IsStopped = false;
  /// Packages that could not be had, each with the reason.
  std::vector<std::string> Missing;
};

/// Adds to \p Known what is not known yet of \p Request; \p Tell gets a
/// sentence for each package, and now and then for files. Fails before anything
/// is read where a target is nothing that can be read. Stops where \p Requests
/// has one; what runs then is lost.
llvm::Expected<ScanEnd> runScan(const ScanRequest &Request, State &Known,
                                process::EndRequests &Requests,
                                llvm::function_ref<void(llvm::StringRef)> Tell);

} // namespace linesman::scan

#endif // LINESMAN_SCAN_SCAN_H
