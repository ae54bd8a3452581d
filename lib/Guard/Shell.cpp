// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words for a shell.

#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace linesman::guard {

static bool needsNoQuotes(char C) {
  return isAlnum(C) || StringRef("-_=./:,+%@").contains(C);
}

std::string quoteForShell(StringRef Word) {
  if (!Word.empty() && all_of(Word, needsNoQuotes))
    return Word.str();
  std::string Result = "'";
  for (char C : Word)
    Result += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Result + "'";
}

std::string quoteCommand(ArrayRef<std::string> Words) {
  return join(
      map_range(Words, [](StringRef Word) { return quoteForShell(Word); }),
      " ");
}

} // namespace linesman::guard
