// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What strip took away and kept in a file of its own: symbols, facts and DWARF.
// Distributions install such files by build ID, others name them in the binary:
//
//     /usr/lib/debug/.build-id/ab/cdef....debug      by build ID
//     server.debug                                   by .gnu_debuglink: beside
//     .debug/server.debug                              the binary, below it,
//     /usr/lib/debug/opt/bin/server.debug              or in the folder's tree

#ifndef LINESMAN_INPUT_DEBUGFILE_H
#define LINESMAN_INPUT_DEBUGFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace linesman::input {

/// Where to look for a debug file.
struct DebugSearch {
  /// This one, which must belong to the binary. Empty: look for one.
  std::string File;
  std::vector<std::string> Folders = {"/usr/lib/debug"};
};

struct DebugFile {
  /// Null where there is none.
  std::unique_ptr<llvm::MemoryBuffer> Bytes;
  /// Hexadecimal digits of the binary's build ID; empty where it has none.
  std::string BuildId;
  /// Why files that were found do not belong to the binary. Sentences.
  std::vector<std::string> Rejected;

  llvm::StringRef path() const { return Bytes->getBufferIdentifier(); }
};

/// Finds the debug file of \p Binary, an ELF file. Fails when the file that
/// \p Search names can not be read or belongs to another binary; of those that
/// it finds by itself it takes the first that belongs.
llvm::Expected<DebugFile> findDebugFile(llvm::MemoryBufferRef Binary,
                                        const DebugSearch &Search);

} // namespace linesman::input

#endif // LINESMAN_INPUT_DEBUGFILE_H
