// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that become the command in their operands, as `taskset -c 0
// ./server` does: who starts one means the server.

#ifndef LINESMAN_PROCESS_LAUNCHERS_H
#define LINESMAN_PROCESS_LAUNCHERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace linesman::process {

/// Launchers stand in front: there are as many of them as programs execute
/// another one before the last words do.
struct LaunchedCommand {
  /// The first word of each launcher.
  llvm::SmallVector<std::string, 1> Launchers;
  llvm::ArrayRef<std::string> Words;
};

/// Only launchers that stay the same process, and only where each of their
/// words is known: of others the launcher is the command.
LaunchedCommand skipLaunchers(llvm::ArrayRef<std::string> Command);

/// Whether a file of this name runs what its arguments say, or starts it as
/// another process: shells, interpreters, `timeout`, and launchers whose words
/// are not known.
bool isInterpreter(llvm::StringRef Path);

} // namespace linesman::process

#endif // LINESMAN_PROCESS_LAUNCHERS_H
