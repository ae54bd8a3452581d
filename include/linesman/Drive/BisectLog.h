// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log of windows as a file: an oracle that answers from it while it can,
// and writes each new window before the next one starts.

#ifndef LINESMAN_DRIVE_BISECTLOG_H
#define LINESMAN_DRIVE_BISECTLOG_H

#include "linesman/Drive/BisectSetup.h"

namespace linesman::drive {

enum class LogStart : uint8_t { New, Resume };

/// Fails where a new log can not be: what is there stays.
llvm::Error checkNewLog(llvm::StringRef Path);

class LoggedOracle : public bisect::Oracle {
public:
  /// Opens the log. New: it must not exist, so that no window that somebody
  /// paid for is overwritten. Resume: it must be of the same search, and \p Log
  /// becomes what it is.
  static llvm::Expected<std::unique_ptr<LoggedOracle>>
  open(llvm::StringRef Path, LogStart Start, bisect::WindowLog &Log);

  bisect::WindowOutcome measure(const bisect::WindowRequest &Window) override;
  bisect::Lengthening lengthen(double Factor) override;

  /// Who measures what the log does not have.
  void setInner(bisect::Oracle &Oracle) { Inner = &Oracle; }
  llvm::Error takeError() { return std::move(Problem); }
  ~LoggedOracle() override { llvm::consumeError(std::move(Problem)); }

private:
  LoggedOracle() { llvm::consumeError(std::move(Problem)); }

  bisect::Oracle *Inner = nullptr;
  std::vector<bisect::LoggedWindow> Known;
  size_t Next = 0;
  std::string Path;
  std::unique_ptr<llvm::raw_fd_ostream> File;
  llvm::Error Problem = llvm::Error::success();
};

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_BISECTLOG_H
