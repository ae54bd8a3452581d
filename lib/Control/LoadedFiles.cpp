// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// /proc/PID/maps, and the links beside it. A process goes on with its files
// when they are deleted or replaced; maps then says "PATH (deleted)".

#include "LoadedFiles.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::control {

std::string procPath(ProcessId Process, StringRef Name) {
  return formatv("/proc/{0}/{1}", Process.Value, Name);
}

Expected<std::unique_ptr<MemoryBuffer>> readProc(ProcessId Process,
                                                 StringRef Name) {
  std::string Path = procPath(Process, Name);
  // As a stream: the size of a file in /proc is 0 until it is read.
  auto Buffer = MemoryBuffer::getFileAsStream(Path);
  if (Buffer)
    return std::move(*Buffer);
  std::error_code EC = Buffer.getError();
  if (EC == std::errc::no_such_file_or_directory ||
      EC == std::errc::no_such_process)
    return createStringError("there is no process " + Twine(Process.Value));
  return createStringError("process " + Twine(Process.Value) + ": " + Path +
                           ": " + EC.message());
}

Expected<std::vector<LoadedFile>> readLoadedFiles(ProcessId Process) {
  Expected<std::string> Executable = executablePath(Process);
  if (!Executable)
    return Executable.takeError();
  Expected<std::unique_ptr<MemoryBuffer>> Maps = readProc(Process, "maps");
  if (!Maps)
    return Maps.takeError();
  std::vector<LoadedFile> Result;
  StringSet<> Known;
  StringRef Rest = (*Maps)->getBuffer();
  while (!Rest.empty()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    // begin-end perms offset dev inode path; the path may contain blanks.
    SmallVector<StringRef, 6> Fields;
    Line.split(Fields, ' ', /*MaxSplit=*/5, /*KeepEmpty=*/false);
    uint64_t Begin, End, Offset;
    if (Fields.size() < 6 || !Fields[5].ltrim().starts_with("/") ||
        Fields[2].getAsInteger(16, Offset) || Offset != 0 ||
        Fields[0].split('-').first.getAsInteger(16, Begin) ||
        Fields[0].split('-').second.getAsInteger(16, End))
      continue;
    StringRef Name = Fields[5].ltrim(), Path = Name;
    if (!Known.insert(Name).second)
      continue;
    // Through the process's own root: it may live in a container.
    std::string Inside = procPath(Process, "root") + Name.str();
    bool IsDeleted =
        !sys::fs::exists(Inside) && Path.consume_back(" (deleted)");
    LoadedFile Found;
    Found.Start = {Begin};
    Found.Path = Path.str();
    Found.IsExecutable = Name == *Executable;
    if (Found.IsExecutable)
      Found.File = procPath(Process, "exe");
    else if (IsDeleted) // For the administrator only.
      Found.File = procPath(
          Process, formatv("map_files/{0:x-}-{1:x-}", Begin, End).str());
    else
      Found.File = Inside;
    // By its path, if that leads there: debug files may be beside it.
    bool IsSame = false;
    if (!IsDeleted && !sys::fs::equivalent(Path, Found.File, IsSame) && IsSame)
      Found.File = Found.Path;
    Result.push_back(std::move(Found));
  }
  return Result;
}

} // namespace linesman::control
