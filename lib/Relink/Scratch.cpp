// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary folders and files.

#include "Scratch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;

namespace linesman::relink {

/// Between prefix and suffix of a folder's name.
static constexpr StringLiteral Unique = "%%%%%%%%";

/// Opens and locks the folder \p Path of this user. The lock ends with the
/// process, however that ends. -1 where another has it.
static int openLocked(const std::string &Path) {
  int Folder =
      ::open(Path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat Opened, Named;
  bool IsOurs =
      Folder >= 0 && ::fstat(Folder, &Opened) == 0 &&
      Opened.st_uid == ::geteuid() && ::flock(Folder, LOCK_EX | LOCK_NB) == 0 &&
      // Nobody has collected it meanwhile.
      ::lstat(Path.c_str(), &Named) == 0 && Named.st_ino == Opened.st_ino;
  if (!IsOurs && Folder >= 0)
    ::close(Folder);
  return IsOurs ? Folder : -1;
}

/// Removes folders of this name that nobody has locked.
static void collectLeftovers(StringRef Prefix, StringRef Suffix) {
  StringRef Folder = sys::path::parent_path(Prefix);
  StringRef Name = sys::path::filename(Prefix);
  std::error_code EC;
  sys::fs::directory_iterator It(Folder.empty() ? "." : Folder, EC), End;
  for (; !EC && It != End; It.increment(EC)) {
    StringRef Found = sys::path::filename(It->path());
    if (Found.size() != Name.size() + Unique.size() + Suffix.size() ||
        !Found.starts_with(Name) || !Found.ends_with(Suffix))
      continue;
    int Lock = openLocked(It->path());
    if (Lock < 0)
      continue;
    sys::fs::remove_directories(It->path());
    ::close(Lock);
  }
}

Expected<ScratchFolder> ScratchFolder::make(const Twine &Prefix,
                                            StringRef Suffix) {
  std::string Begin = Prefix.str();
  collectLeftovers(Begin, Suffix);
  constexpr unsigned MostAttempts = 100;
  int Problem = EEXIST;
  for (unsigned I = 0; I != MostAttempts; ++I) {
    // Percent signs of the path are not to be replaced.
    SmallString<16> Middle;
    sys::fs::createUniquePath(Unique, Middle, /*MakeAbsolute=*/false);
    std::string Path = (Begin + Middle + Suffix).str();
    if (::mkdir(Path.c_str(), 0700) != 0) {
      Problem = errno;
      if (Problem != EEXIST)
        break;
      continue;
    }
    if (int Lock = openLocked(Path); Lock >= 0)
      return ScratchFolder(std::move(Path), Lock);
    // Where files cannot be locked, nobody collects either.
    if (sys::fs::is_directory(Path))
      return ScratchFolder(std::move(Path), -1);
  }
  return errorCodeToError(std::error_code(Problem, std::generic_category()));
}

Expected<ScratchFolder> ScratchFolder::create() {
  SmallString<128> Prefix;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Prefix);
  sys::path::append(Prefix, "linesman-relink-");
  Expected<ScratchFolder> Made = make(Prefix, "");
  if (!Made)
    return createFileError("temporary folder", Made.takeError());
  return Made;
}

Expected<ScratchFolder> ScratchFolder::createBeside(StringRef File) {
  Expected<ScratchFolder> Made = make(File + ".", ".linesman");
  if (!Made)
    return createFileError(File, Made.takeError());
  return Made;
}

ScratchFolder::~ScratchFolder() {
  if (!Path.empty())
    sys::fs::remove_directories(Path);
  if (Lock >= 0)
    ::close(Lock);
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
