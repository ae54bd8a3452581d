// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary files.

#include "Scratch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

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

/// The kernel frees a file's memory when the last that knows it lets go, which
/// takes long for a large one: a tenth of a link. A child does it that nobody
/// waits for, as mold frees its own memory.
static void removeUnawaited(StringRef Path) {
  int Held = ::open(Path.str().c_str(), O_RDONLY | O_CLOEXEC);
  sys::fs::remove(Path);
  if (Held < 0)
    return;
  if (::fork() == 0) {
    // The standard streams first: somebody may wait for the end of a pipe.
    ::syscall(SYS_close_range, 0u, ~0u, 0);
    ::_exit(0);
  }
  ::close(Held);
}

Error replaceFile(StringRef Old, StringRef New) {
  // To rename over a file makes some file systems write the new one to the disk
  // at once, as a guard against power cuts; a linker's output needs none, and
  // for a large one it takes long. So they change places, and the old one goes.
  if (::renameat2(AT_FDCWD, New.str().c_str(), AT_FDCWD, Old.str().c_str(),
                  RENAME_EXCHANGE) == 0) {
    removeUnawaited(New);
    return Error::success();
  }
  if (std::error_code EC = sys::fs::rename(New, Old))
    return createFileError(Old, EC);
  return Error::success();
}

Error writeFile(StringRef Path, function_ref<void(raw_ostream &)> Write) {
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  if (!EC) {
    Write(OS);
    OS.close();
    EC = OS.error();
    OS.clear_error();
  }
  return EC ? createFileError(Path, EC) : Error::success();
}

Error writeFile(StringRef Path, ArrayRef<char> Bytes) {
  return writeFile(
      Path, [&](raw_ostream &OS) { OS.write(Bytes.data(), Bytes.size()); });
}

} // namespace linesman::relink
