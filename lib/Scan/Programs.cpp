// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files by their magic number; packages by Debian's own tools.

#include "Programs.h"
#include "linesman/Guard/Document.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::scan {

/// What cannot be read may be one: who reads it says why.
static bool mayBeProgram(StringRef Path) {
  // LLVM's identify_magic reads a device to its end, and waits for a pipe.
  Expected<std::unique_ptr<MemoryBuffer>> File = guard::mapFile(Path);
  if (!File) {
    consumeError(File.takeError());
    return true;
  }
  file_magic Magic = identify_magic((*File)->getBuffer());
  return Magic == file_magic::elf_executable ||
         Magic == file_magic::elf_shared_object;
}

Expected<std::vector<std::string>> findPrograms(StringRef Path) {
  if (!sys::fs::is_directory(Path)) {
    if (!mayBeProgram(Path))
      return createFileError(Path, createStringError("neither a program nor a "
                                                     "shared object (ELF)"));
    return std::vector<std::string>{Path.str()};
  }
  std::vector<std::string> Found;
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator It(Path, EC, /*follow_symlinks=*/
                                                false),
       End;
       It != End && !EC; It.increment(EC)) {
    const std::string &Path = It->path();
    bool IsClosed = It->type() == sys::fs::file_type::directory_file &&
                    ::access(Path.c_str(), R_OK | X_OK) != 0;
    bool IsWanted = It->type() == sys::fs::file_type::regular_file &&
                    !StringRef(Path).contains("/usr/lib/debug/") &&
                    mayBeProgram(Path);
    if (IsClosed || IsWanted)
      Found.push_back(Path);
  }
  if (EC)
    return createFileError(Path, EC);
  std::sort(Found.begin(), Found.end());
  return Found;
}

/// Fails with the last line of what it said.
static Expected<std::string> run(const std::vector<std::string> &Command) {
  Expected<Output> Said = runAndCapture(Command);
  if (!Said)
    return Said.takeError();
  if (Said->Code == 0)
    return std::move(Said->Stdout);
  StringRef Last = StringRef(Said->Stderr).rtrim();
  Last = Last.substr(Last.rfind('\n') + 1);
  Last.consume_front("E: "); // apt's mark of an error.
  return createStringError(Last.empty() ? Command.front() + " failed"
                                        : Last.str());
}

static Expected<Unpacked> unpackInto(TemporaryFolder Folder, StringRef Path) {
  std::string Root = Folder.path() + "/root";
  Expected<std::string> Is =
      run({"dpkg-deb", "-W", "--showformat=${Package} ${Version}", Path.str()});
  if (!Is)
    return Is.takeError();
  auto [Name, Version] = StringRef(*Is).split(' ');
  Origin Source{Name.str(), Version.str()};
  if (Expected<std::string> Done = run({"dpkg-deb", "-x", Path.str(), Root});
      !Done)
    return Done.takeError();
  return Unpacked{std::move(Folder), std::move(Source), std::move(Root)};
}

Expected<Unpacked> unpack(StringRef Path) {
  Expected<TemporaryFolder> Folder = TemporaryFolder::make();
  if (!Folder)
    return Folder.takeError();
  return unpackInto(std::move(*Folder), Path);
}

Expected<Unpacked> download(StringRef Name) {
  Expected<TemporaryFolder> Folder = TemporaryFolder::make();
  if (!Folder)
    return Folder.takeError();
  // It writes into the folder that it is in.
  if (Expected<std::string> Done =
          run({"sh", "-c", "cd \"$1\" && exec apt-get -qq download \"$2\"",
               "sh", Folder->path(), Name.str()});
      !Done)
    return Done.takeError();
  std::error_code EC;
  sys::fs::directory_iterator It(Folder->path(), EC), End;
  if (EC || It == End)
    return createStringError("apt-get downloaded nothing");
  std::string Archive = It->path();
  Expected<Unpacked> Result = unpackInto(std::move(*Folder), Archive);
  sys::fs::remove(Archive);
  return Result;
}

Expected<TargetKind> classify(StringRef Target) {
  if (sys::fs::is_directory(Target))
    return TargetKind::Path;
  if (sys::fs::exists(Target))
    return Target.ends_with(".deb") ? TargetKind::Archive : TargetKind::Path;
  // Debian Policy 5.6.1, and an architecture.
  if (Regex("^[a-z0-9][a-z0-9+.-]+(:[a-z0-9-]+)?$").match(Target))
    return TargetKind::Package;
  return createFileError(
      Target, createStringError("no such file or folder, and not the "
                                "name of a package"));
}

Expected<Content> readContent(StringRef Path) {
  Expected<std::unique_ptr<MemoryBuffer>> File = guard::mapFile(Path);
  if (!File)
    return File.takeError();
  StringRef Bytes = (*File)->getBuffer();
  XXH128_hash_t Hash = xxh3_128bits(arrayRefFromStringRef(Bytes));
  return Content{utohexstr(Hash.high64, /*LowerCase=*/true, 16) +
                     utohexstr(Hash.low64, /*LowerCase=*/true, 16),
                 Bytes.size()};
}

} // namespace linesman::scan
