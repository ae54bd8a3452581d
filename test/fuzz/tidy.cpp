// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang-tidy exports and prints.

#include "Fuzz.h"
#include "linesman/Input/ReadTidy.h"
#include "llvm/Support/MemoryBufferRef.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  // LLVM's reader of YAML looks at the zero behind the end.
  std::string Text = linesman::fuzz::text(Data, Size).str();
  auto Read = linesman::input::readTidy(llvm::MemoryBufferRef(Text, "fuzz"));
  linesman::fuzz::succeeded(Read);
  return 0;
}
