// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records of instrumented runs.

#include "Fuzz.h"
#include "linesman/Watch/RecordFile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  auto Read = linesman::watch::parseRecord(linesman::fuzz::text(Data, Size),
                                           "/proc/self/exe");
  linesman::fuzz::succeeded(Read);
  return 0;
}
