// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Process/Handles.h"
#include "linesman/Process/ProcFiles.h"
#include "linesman/Process/State.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;

namespace linesman::process {

Descriptor openProcess(ProcessId Process) {
  return Descriptor(int(::syscall(SYS_pidfd_open, Process.Value, /*flags=*/0)));
}

Expected<Descriptor> openPagemap(ProcessId Process) {
  std::string Path = procPath(Process, "pagemap");
  Descriptor File(::open(Path.c_str(), O_RDONLY | O_CLOEXEC));
  if (File.isOpen())
    return std::move(File);
  const int Reason = errno;
  if (Error E = checkReadable(Process))
    return std::move(E);
  return createStringError(Path + ": " + sys::StrError(Reason));
}

std::vector<OpenFile> listOpenFiles(const Twine &Folder,
                                    std::error_code &Problem) {
  std::vector<OpenFile> Result;
  for (sys::fs::directory_iterator It(Folder, Problem), End;
       It != End && !Problem; It.increment(Problem)) {
    OpenFile File;
    char Target[PATH_MAX];
    ssize_t Size = ::readlink(It->path().c_str(), Target, sizeof Target);
    // It may have been closed meanwhile.
    if (Size < 0 ||
        sys::path::filename(It->path()).getAsInteger(10, File.Number))
      continue;
    File.Target.assign(Target, Size);
    Result.push_back(std::move(File));
  }
  return Result;
}

} // namespace linesman::process
