// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TypeNames.h"
#include "linesman/Guard/Text.h"

using namespace llvm;

namespace linesman::layout {

std::string plainTypeName(StringRef Name) {
  if (!Name.starts_with("_ZTS"))
    return Name.str();
  std::string Plain = guard::demangle(Name);
  StringRef Rest = Plain;
  Rest.consume_front("typeinfo name for ");
  return Rest.str();
}

std::string templateName(StringRef PlainName) {
  std::string Result;
  unsigned Open = 0;
  for (char C : PlainName)
    if (C == '<')
      ++Open;
    else if (C == '>')
      Open -= Open != 0;
    else if (Open == 0)
      Result += C;
  return Result;
}

} // namespace linesman::layout
