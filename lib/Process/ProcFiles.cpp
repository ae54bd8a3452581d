// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading /proc: of a thousand threads a thousand files are read, hence no
// buffer on the heap.

#include "linesman/Process/ProcFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace linesman::process {

std::string procPath(ProcessId Process, const Twine &Name) {
  return ("/proc/" + Twine(Process.Value) + "/" + Name).str();
}

std::string readProcFile(const Twine &Path) {
  Expected<sys::fs::file_t> File = sys::fs::openNativeFileForRead(Path);
  if (!File) {
    consumeError(File.takeError());
    return {};
  }
  SmallString<1024> Text;
  Error Problem = sys::fs::readNativeFileToEOF(*File, Text, Text.capacity());
  sys::fs::closeFile(*File);
  if (Problem) {
    consumeError(std::move(Problem));
    return {};
  }
  return std::string(Text);
}

std::vector<int> listNumbers(const Twine &Folder) {
  std::vector<int> Result;
  std::error_code EC;
  for (sys::fs::directory_iterator I(Folder, EC), End; I != End && !EC;
       I.increment(EC))
    if (int Number; !sys::path::filename(I->path()).getAsInteger(10, Number))
      Result.push_back(Number);
  llvm::sort(Result);
  return Result;
}

std::optional<uint64_t> statusField(StringRef Status, StringRef Name,
                                    unsigned Radix) {
  StringRef Rest = Status.split(("\n" + Name + ":").str()).second;
  uint64_t Number = 0;
  if (!to_integer(Rest.split('\n').first.trim(), Number, Radix))
    return std::nullopt;
  return Number;
}

SmallVector<StringRef> statFields(StringRef Text) {
  SmallVector<StringRef> Fields;
  Text.rsplit(')').second.split(Fields, ' ', -1, /*KeepEmpty=*/false);
  return Fields;
}

} // namespace linesman::process
