// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mangled names, and what is printed of any text.

#include "Fuzz.h"
#include "linesman/Guard/Text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Text = linesman::fuzz::text(Data, Size);
  std::string Name = linesman::guard::demangle(Text);
  // Once escaped, nothing is left to escape.
  if (linesman::guard::printable(Name) != Name)
    std::abort();
  return 0;
}
