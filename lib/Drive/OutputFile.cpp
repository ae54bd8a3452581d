// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OutputFile.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Error.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::drive {

Expected<Descriptor> makeOutputFile() {
  Descriptor File(::memfd_create("linesman-output", MFD_CLOEXEC));
  if (File.get() < 0)
    return createStringError("memfd_create: " + sys::StrError());
  return std::move(File);
}

std::string readAll(const Descriptor &File) {
  std::string Text(std::max<off_t>(0, ::lseek(File.get(), 0, SEEK_END)), '\0');
  ssize_t Size = ::pread(File.get(), Text.data(), Text.size(), 0);
  Text.resize(std::max<ssize_t>(0, Size));
  return Text;
}

} // namespace linesman::drive
