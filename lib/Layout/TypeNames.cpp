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
  return guard::withoutBrackets(PlainName, '<', '>');
}

} // namespace linesman::layout
