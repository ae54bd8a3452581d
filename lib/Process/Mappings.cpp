// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing /proc/PID/maps.

#include "linesman/Process/Mappings.h"
#include "linesman/Process/ProcFiles.h"
#include "linesman/Process/State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::process {

std::vector<Mapping> parseMappings(StringRef Text) {
  std::vector<Mapping> Result;
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n', -1, false);
  for (StringRef Line : Lines) {
    // begin-end perms offset dev inode path; the path may contain blanks.
    SmallVector<StringRef, 6> Parts;
    Line.split(Parts, ' ', 5, true);
    if (Parts.size() < 5)
      continue;
    auto [Begin, End] = Parts[0].split('-');
    Mapping M;
    if (Begin.getAsInteger(16, M.Range.Begin.Value) ||
        End.getAsInteger(16, M.Range.End.Value) ||
        Parts[2].getAsInteger(16, M.FileOffset))
      continue;
    M.Permissions = Parts[1].str();
    M.FileId = (Parts[3] + " " + Parts[4]).str();
    if (Parts.size() == 6)
      M.Path = Parts[5].ltrim().str();
    Result.push_back(std::move(M));
  }
  return Result;
}

Expected<std::vector<Mapping>> readMappings(ProcessId Process) {
  std::string Text = readProcFile(procPath(runningThread(Process), "maps"));
  std::vector<Mapping> Result = parseMappings(Text);
  if (!Result.empty())
    return Result;
  if (Error E = checkReadable(Process))
    return std::move(E);
  return createStringError(
      std::make_error_code(std::errc::no_such_process),
      formatv("process {0} has nothing mapped: it is ending", Process.Value));
}

bool isShared(ArrayRef<Mapping> Mappings, RunAddress Address) {
  return any_of(Mappings, [&](const Mapping &M) {
    return M.Range.contains(Address) && StringRef(M.Permissions).ends_with("s");
  });
}

Expected<std::vector<RunRange>> readPrivateMemory(ProcessId Process) {
  Expected<std::vector<Mapping>> Mappings = readMappings(Process);
  if (!Mappings)
    return Mappings.takeError();
  std::vector<RunRange> Result;
  for (const Mapping &M : *Mappings)
    if (StringRef(M.Permissions).starts_with("rw-p"))
      Result.push_back(M.Range);
  return Result;
}

} // namespace linesman::process
