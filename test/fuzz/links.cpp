// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Captured links: a folder with one file.

#include "Fuzz.h"
#include "linesman/Relink/CaptureLink.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace linesman;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  // Never destroyed: it is removed at exit.
  static const std::string &Folder = *new std::string([] {
    llvm::SmallString<128> Path;
    if (llvm::sys::fs::createUniqueDirectory("linesman-fuzz", Path))
      std::abort();
    std::atexit([] { llvm::sys::fs::remove_directories(Folder); });
    return Path.str().str();
  }());
  std::error_code EC;
  {
    llvm::raw_fd_ostream OS(Folder + "/link-000001.json", EC);
    OS << fuzz::text(Data, Size);
  }
  auto Links = relink::readCapturedLinks(Folder);
  fuzz::succeeded(Links);
  return 0;
}
