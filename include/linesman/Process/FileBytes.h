// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of a process that is open once, for all who read it: segments, names,
// findings. Each reader owns what it was handed, and the last one closes it.

#ifndef LINESMAN_PROCESS_FILEBYTES_H
#define LINESMAN_PROCESS_FILEBYTES_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace linesman::process {

/// Null where the file could not be opened.
using FileBytes = std::shared_ptr<const llvm::MemoryBuffer>;

/// \p Bytes, which are not null, for one more reader. Fails for a file that
/// has become shorter since it was opened: reading what it has lost would end
/// this process (SIGBUS).
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> handOn(FileBytes Bytes);

} // namespace linesman::process

#endif // LINESMAN_PROCESS_FILEBYTES_H
