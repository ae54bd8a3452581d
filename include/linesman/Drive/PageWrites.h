// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which static pages of a process are being written.
//
//     store: 2 of 31 static pages written, 20 scans in 2 s
//       0x4000     20 of 20 scans     log_prefix, nil_root, log_level

#ifndef LINESMAN_DRIVE_PAGEWRITES_H
#define LINESMAN_DRIVE_PAGEWRITES_H

#include "linesman/Control/WriteWatch.h"
#include "linesman/Drive/StaticPages.h"
#include "linesman/Process/Address.h"
#include "linesman/Process/Signals.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <optional>

namespace linesman::drive {

struct PageWrites {
  /// How often each page was seen written.
  std::map<process::RunAddress, uint64_t> Pages;
  uint64_t Scans = 0;
  /// The process ended between two scans.
  bool Ended = false;

  /// What one scan saw written; whole pages.
  void add(llvm::ArrayRef<process::RunRange> Regions);
};

struct WriteSchedule {
  /// Scans in a second.
  double Rate = 10;
  /// Until it is asked to end where there is none.
  std::optional<uint64_t> Scans;
};

/// Adds scans to \p Seen at regular times, until there are enough of them,
/// \p Process has ended, or \p Ends has come. Calls \p Look after each. Fails
/// where nothing was seen.
llvm::Error watchWrites(control::WriteWatch &Watch, process::ProcessId Process,
                        const WriteSchedule &Schedule,
                        process::EndRequests &Ends, PageWrites &Seen,
                        llvm::function_ref<llvm::Error()> Look);

/// \p Pages as they are after the last scan: modules come and go.
void writeText(const PageWrites &Seen, StaticPages &Pages,
               llvm::raw_ostream &OS);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_PAGEWRITES_H
