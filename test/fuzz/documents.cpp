// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans and locks, by the first byte.

#include "Fuzz.h"
#include "linesman/Input/ReadLock.h"
#include "linesman/Plan/Plan.h"
#include "llvm/Support/raw_ostream.h"

using namespace linesman;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (!Size)
    return 0;
  llvm::StringRef Text = fuzz::text(Data + 1, Size - 1);
  if (Data[0] == 'l') {
    fuzz::withFile(Text, [](llvm::StringRef Path) {
      auto Lock = input::readLock(Path);
      fuzz::succeeded(Lock);
    });
    return 0;
  }
  auto Plan = plan::readPlan(Text);
  if (!fuzz::succeeded(Plan))
    return 0;
  // What is read can be written, and that is read as well.
  std::string Again;
  llvm::raw_string_ostream OS(Again);
  plan::writePlan(*Plan, OS);
  auto Second = plan::readPlan(Again);
  if (!fuzz::succeeded(Second) || Second->Edits.size() != Plan->Edits.size())
    std::abort();
  return 0;
}
