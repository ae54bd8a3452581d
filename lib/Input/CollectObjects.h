// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a path to relocatable objects: the file itself, the members of an
// archive, or all that is below a folder.

#ifndef LINESMAN_LIB_INPUT_COLLECTOBJECTS_H
#define LINESMAN_LIB_INPUT_COLLECTOBJECTS_H

#include "linesman/Input/ReadBinary.h"
#include "llvm/Object/Archive.h"

namespace linesman::input {

struct CollectedObjects {
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> Files;
  std::unique_ptr<llvm::object::Archive> Archive;
  /// ELF64 little-endian relocatable objects, by name; they point into Files.
  std::vector<llvm::MemoryBufferRef> Objects;
  /// Objects of link-time optimisation.
  uint64_t Bitcode = 0;
};

/// Whether \p Bytes are those of an archive or a relocatable object.
bool isUnlinked(llvm::StringRef Bytes);

/// All objects below the folder \p Path. Fails where there is none, with what
/// was found instead.
llvm::Expected<CollectedObjects> collectFolder(llvm::StringRef Path);

/// \p File, or the members of it. Fails likewise.
llvm::Expected<CollectedObjects>
collectFile(std::unique_ptr<llvm::MemoryBuffer> File);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_COLLECTOBJECTS_H
