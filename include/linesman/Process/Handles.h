// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors of a process and of its page table, and those that it has itself.

#ifndef LINESMAN_PROCESS_HANDLES_H
#define LINESMAN_PROCESS_HANDLES_H

#include "linesman/Process/Descriptor.h"
#include "linesman/Process/Ids.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>
#include <system_error>
#include <vector>

namespace linesman::process {

/// A descriptor that stays this very process's, and is readable when it has
/// ended (pidfd_open). Not open where there is no such process; errno says why.
Descriptor openProcess(ProcessId Process);

/// /proc/PID/pagemap. Fails as checkReadable does.
llvm::Expected<Descriptor> openPagemap(ProcessId Process);

/// What a descriptor of a process refers to, as /proc/PID/fd has it: a path,
/// "/memfd:NAME (deleted)", "anon_inode:[perf_event]".
struct OpenFile {
  int Number = -1;
  std::string Target;
};

/// What is open by \p Folder, a /proc/PID/fd. \p Problem says why some or all
/// are missing: another user's process, or none.
std::vector<OpenFile> listOpenFiles(const llvm::Twine &Folder,
                                    std::error_code &Problem);

} // namespace linesman::process

#endif // LINESMAN_PROCESS_HANDLES_H
