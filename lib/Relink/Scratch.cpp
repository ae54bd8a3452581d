// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary files.

#include "Scratch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace linesman::relink {

Expected<ScratchFolder> ScratchFolder::create() {
  SmallString<128> Path;
  if (std::error_code EC =
          sys::fs::createUniqueDirectory("linesman-relink", Path))
    return createFileError("temporary folder", EC);
  return ScratchFolder(Path.str());
}

ScratchFolder::~ScratchFolder() {
  if (!Path.empty())
    sys::fs::remove_directories(Path);
}

Error writeFile(StringRef Path, ArrayRef<char> Bytes) {
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  if (!EC) {
    OS.write(Bytes.data(), Bytes.size());
    OS.close();
    EC = OS.error();
    OS.clear_error();
  }
  return EC ? createFileError(Path, EC) : Error::success();
}

} // namespace linesman::relink
