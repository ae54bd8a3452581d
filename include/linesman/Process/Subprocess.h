// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command that is waited for, and what it said.

#ifndef LINESMAN_PROCESS_SUBPROCESS_H
#define LINESMAN_PROCESS_SUBPROCESS_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace linesman::process {

/// A folder that goes with everything in it.
class TemporaryFolder {
public:
  static llvm::Expected<TemporaryFolder> make();
  TemporaryFolder(TemporaryFolder &&Other) : Path(std::move(Other.Path)) {
    Other.Path.clear();
  }
  TemporaryFolder &operator=(TemporaryFolder &&) = delete;
  ~TemporaryFolder();

  const std::string &path() const { return Path; }

private:
  explicit TemporaryFolder(std::string Path) : Path(std::move(Path)) {}
  std::string Path;
};

struct Output {
  /// The exit code; below 0 after a signal.
  int Code = 0;
  std::string Stdout, Stderr;
};

/// Fails where \p Command cannot be started. Its first word is a path or a name
/// in PATH; its input is empty.
llvm::Expected<Output> runAndCapture(const std::vector<std::string> &Command);

} // namespace linesman::process

#endif // LINESMAN_PROCESS_SUBPROCESS_H
