// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fuzz targets share. Each is one file that hands bytes to one reader:
// errors are results, and everything else is a find.

#ifndef LINESMAN_TEST_FUZZ_FUZZ_H
#define LINESMAN_TEST_FUZZ_FUZZ_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace linesman::fuzz {

inline llvm::StringRef text(const uint8_t *Data, size_t Size) {
  return {reinterpret_cast<const char *>(Data), Size};
}

/// Calls \p Read with the path of a file of these bytes.
inline void withFile(llvm::StringRef Bytes,
                     llvm::function_ref<void(llvm::StringRef)> Read) {
  int File = ::memfd_create("fuzz", MFD_CLOEXEC);
  if (File < 0 || ::write(File, Bytes.data(), Bytes.size()) !=
                      static_cast<ssize_t>(Bytes.size()))
    std::abort();
  Read("/proc/self/fd/" + std::to_string(File));
  ::close(File);
}

/// For what was read without an error.
template <typename T> bool succeeded(llvm::Expected<T> &Read) {
  if (Read)
    return true;
  // A message is made as well: it quotes the input.
  (void)llvm::toString(Read.takeError());
  return false;
}

} // namespace linesman::fuzz

#endif // LINESMAN_TEST_FUZZ_FUZZ_H
