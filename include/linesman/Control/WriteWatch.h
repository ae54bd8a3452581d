// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which static pages of a process are written, seen from outside. The process
// gives a userfaultfd away before main, and keeps no copy; linesman run holds
// it and does nothing with it until somebody asks:
//
//     linesman run     holds the userfaultfd, by WatchOffer
//     linesman dirty   copies it (pidfd_getfd), registers ranges, scans
//
// userfaultfd in write-protect-async mode marks writes in the page table, and
// no fault reaches user space; PAGEMAP_SCAN lists the marks and sets them again
// in one call. Unprivileged, 2 to 35 us a scan of 1,280 pages (measured, Linux
// 6.18). Rejected: soft-dirty bits (often compiled out, and one reset for the
// whole process), mprotect with SIGSEGV (breaks system calls that write to the
// page).

#ifndef LINESMAN_CONTROL_WRITEWATCH_H
#define LINESMAN_CONTROL_WRITEWATCH_H

#include "linesman/Control/Actuator.h"
#include "linesman/Process/Address.h"
#include "linesman/Process/Descriptor.h"
#include "linesman/Process/Ids.h"
#include <memory>

namespace linesman::control {

/// Lets others of the same user watch a process that this one has started, for
/// as long as this object and this process live.
class WatchOffer {
public:
  /// \p Watcher is the process's userfaultfd, or why there is none: then those
  /// who ask are told.
  static llvm::Expected<WatchOffer>
  make(process::ProcessId Process, llvm::Expected<process::Descriptor> Watcher);
  process::ProcessId process() const { return Process; }
  /// Whether the process has ended.
  bool isOver() const;

private:
  process::ProcessId Process;
  process::Descriptor Watcher, Note;
};

/// A watch; its end leaves nothing behind in the process.
class WriteWatch {
public:
  /// Over a userfaultfd that the process has given away.
  static llvm::Expected<std::unique_ptr<WriteWatch>>
  begin(Actuator &Watched, process::Descriptor Watcher);
  /// Over the one that the linesman which started the process offers.
  static llvm::Expected<std::unique_ptr<WriteWatch>> attach(Actuator &Watched);
  ~WriteWatch();

  /// The pages written since the last scan, or since the begin.
  llvm::Expected<std::vector<process::RunRange>> scan();
  /// Ranges that can not be watched.
  unsigned unwatched() const { return Unwatched; }

private:
  WriteWatch() = default;
  process::Descriptor Watcher, Pagemap, Lock;
  std::vector<process::RunRange> Ranges;
  unsigned Unwatched = 0;
};

} // namespace linesman::control

#endif // LINESMAN_CONTROL_WRITEWATCH_H
