// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several commands at a time, each with a bound on its time and memory.

#ifndef LINESMAN_LIB_SCAN_JOBPOOL_H
#define LINESMAN_LIB_SCAN_JOBPOOL_H

#include "linesman/Process/Descriptor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Program.h"
#include <chrono>
#include <optional>
#include <vector>

namespace linesman::scan {

struct JobEnd {
  /// The number that it was started with.
  size_t Job;
  /// The exit code; below 0 where it was killed, and Problem says why.
  int Code;
  std::string Problem;
  /// Of processor time.
  double Seconds;
  uint64_t PeakKiB;
};

class JobPool {
public:
  /// At most \p Most at a time, for \p Seconds each (wall clock) and with
  /// \p Megabytes of memory; 0 is no bound. A sanitized program has no bound of
  /// memory: its shadow takes terabytes of addresses.
  JobPool(unsigned Most, unsigned Seconds, unsigned Megabytes)
      : Most(Most), Limit(Seconds),
        Megabytes(LLVM_ADDRESS_SANITIZER_BUILD ? 0 : Megabytes) {}
  JobPool(const JobPool &) = delete;
  JobPool &operator=(const JobPool &) = delete;
  /// Kills what runs.
  ~JobPool();

  bool isFull() const { return Running.size() >= Most; }
  bool isEmpty() const { return Running.empty(); }

  /// What \p Command prints goes into the file \p Log.
  llvm::Error start(size_t Job, llvm::ArrayRef<std::string> Command,
                    llvm::StringRef Log);
  /// Waits for the next that ends. Nothing where \p Wake becomes readable
  /// before. At least one runs.
  std::optional<JobEnd> await(int Wake);

private:
  using Clock = std::chrono::steady_clock;
  struct Process {
    size_t Job;
    llvm::sys::ProcessInfo Is;
    process::Descriptor End;
    Clock::time_point Begun;
    bool IsLate = false;
  };
  unsigned Most;
  std::chrono::seconds Limit;
  unsigned Megabytes;
  std::vector<Process> Running;

  JobEnd reap(size_t Index);
};

} // namespace linesman::scan

#endif // LINESMAN_LIB_SCAN_JOBPOOL_H
