// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets into sources, as clang-tidy exports them, to lines.

#ifndef LINESMAN_LIB_INPUT_SOURCETEXTS_H
#define LINESMAN_LIB_INPUT_SOURCETEXTS_H

#include "linesman/Layout/Suspected.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <optional>

namespace linesman::input {

/// Of bytes of a file by others.
struct Replacement {
  std::string File;
  uint64_t Offset = 0, Length = 0;
  std::string Text;
};

/// Reads each source once.
class SourceTexts {
public:
  /// "/src/a.cpp:12"; without a line where the source cannot be read. \p Folder
  /// is what a relative path is of, or empty.
  std::string place(llvm::StringRef Path, llvm::StringRef Folder,
                    uint64_t Offset);

  /// The lines that \p Changes make. Nothing where a source cannot be read, and
  /// where the changes do not fit to it or to each other.
  std::vector<layout::SourceEdit> edits(llvm::ArrayRef<Replacement> Changes,
                                        llvm::StringRef Folder);

private:
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> Files;

  std::optional<llvm::StringRef> read(llvm::StringRef Path);
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_SOURCETEXTS_H
