// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which files a process has mapped, and where to open them today.

#ifndef LINESMAN_LIB_CONTROL_LOADEDFILES_H
#define LINESMAN_LIB_CONTROL_LOADEDFILES_H

#include "linesman/Control/Process.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace linesman::control {

/// /proc/PID/NAME
std::string procPath(ProcessId Process, llvm::StringRef Name);

/// Reads a file of /proc, whose size is not known before. Names the process,
/// not the file: that is what the user gave.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readProc(ProcessId Process, llvm::StringRef Name);

/// A file that is mapped from its first byte on.
struct LoadedFile {
  RunAddress Start;
  /// The file's path as the process sees it, or saw it when it still was there.
  std::string Path;
  /// Where that very file can be opened: its path, or, where that leads to
  /// another one by now or to nothing, a way through /proc.
  std::string File;
  bool IsExecutable = false;
};

/// By address, each file once. Fails when the process is gone or another
/// user's.
llvm::Expected<std::vector<LoadedFile>> readLoadedFiles(ProcessId Process);

} // namespace linesman::control

#endif // LINESMAN_LIB_CONTROL_LOADEDFILES_H
