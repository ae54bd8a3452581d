// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands with their output in files: a pipe that nobody empties would stop
// them.

#include "linesman/Process/Subprocess.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace linesman::process {

Expected<TemporaryFolder> TemporaryFolder::make() {
  SmallString<128> Path;
  if (std::error_code EC = sys::fs::createUniqueDirectory("linesman", Path))
    return createFileError("a temporary folder", EC);
  return TemporaryFolder(Path.str().str());
}

TemporaryFolder::~TemporaryFolder() {
  if (!Path.empty())
    sys::fs::remove_directories(Path);
}

Expected<Output> runAndCapture(const std::vector<std::string> &Command) {
  ErrorOr<std::string> Program = sys::findProgramByName(Command.front());
  if (!Program)
    return createFileError(Command.front(), Program.getError());
  Expected<TemporaryFolder> Folder = TemporaryFolder::make();
  if (!Folder)
    return Folder.takeError();
  std::string Out = Folder->path() + "/out", Err = Folder->path() + "/err";
  SmallVector<StringRef> Words(Command.begin(), Command.end());
  std::string Problem;
  Output Result;
  Result.Code = sys::ExecuteAndWait(
      *Program, Words, /*Env=*/std::nullopt,
      {StringRef(""), StringRef(Out), StringRef(Err)}, /*SecondsToWait=*/0,
      /*MemoryLimit=*/0, &Problem);
  if (Result.Code == -1)
    return createFileError(Command.front(), createStringError(Problem));
  auto Read = [](StringRef Path) {
    auto File = MemoryBuffer::getFile(Path);
    return File ? (*File)->getBuffer().str() : std::string();
  };
  Result.Stdout = Read(Out);
  Result.Stderr = Read(Err);
  return Result;
}

} // namespace linesman::process
