// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of /proc. They have no size before they are read, and go with their
// process at any moment.

#ifndef LINESMAN_PROCESS_PROCFILES_H
#define LINESMAN_PROCESS_PROCFILES_H

#include "linesman/Process/Ids.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace linesman::process {

/// /proc/PID/NAME
std::string procPath(ProcessId Process, const llvm::Twine &Name);

/// The text of a file of /proc; "" when it is gone or not for us.
std::string readProcFile(const llvm::Twine &Path);

/// The numbers that are names in a folder of /proc, ascending: processes in
/// /proc itself, threads in /proc/PID/task.
std::vector<int> listNumbers(const llvm::Twine &Folder);

/// The number behind "NAME:" in \p Status, the text of a status file; nothing
/// where there is none, as of a file that could not be read.
std::optional<uint64_t> statusField(llvm::StringRef Status,
                                    llvm::StringRef Name, unsigned Radix = 10);

/// The fields of a stat file behind the name, which may hold any character:
/// [0] the state, [1] the parent, [2] the group, ... Views into \p Text.
llvm::SmallVector<llvm::StringRef> statFields(llvm::StringRef Text);

} // namespace linesman::process

#endif // LINESMAN_PROCESS_PROCFILES_H
