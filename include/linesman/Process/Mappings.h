// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is mapped where: /proc/PID/maps.

#ifndef LINESMAN_PROCESS_MAPPINGS_H
#define LINESMAN_PROCESS_MAPPINGS_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace linesman::process {

/// One line of /proc/PID/maps.
struct Mapping {
  RunRange Range;
  uint64_t FileOffset = 0;
  /// "rw-p" and so on.
  std::string Permissions;
  /// Device and inode, "fe:00 12": two files of one path differ in it.
  std::string FileId;
  /// A file, which may be "PATH (deleted)" by now, "[heap]", or "".
  std::string Path;

  bool isFile() const { return llvm::StringRef(Path).starts_with("/"); }
};

/// Parses the text of a maps file; lines that are none are skipped.
std::vector<Mapping> parseMappings(llvm::StringRef Text);

/// The mappings of \p Process, by address. Fails as checkReadable does.
llvm::Expected<std::vector<Mapping>> readMappings(ProcessId Process);

/// Whether other processes may have the memory at \p Address as well, and write
/// it: a shared mapping, of a file or handed on by fork.
bool isShared(llvm::ArrayRef<Mapping> Mappings, RunAddress Address);

/// All private writable memory of \p Process: static data, heap, stacks, by
/// address.
llvm::Expected<std::vector<RunRange>> readPrivateMemory(ProcessId Process);

} // namespace linesman::process

#endif // LINESMAN_PROCESS_MAPPINGS_H
