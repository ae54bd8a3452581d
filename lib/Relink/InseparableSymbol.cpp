// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Relink/InseparableSymbol.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::relink {

char InseparableSymbol::ID = 0;

std::string InseparableSymbol::describe(StringRef Remedy) const {
  return formatv("{0}: {1} has {2} symbols in one input section; rebuild with "
                 "-fdata-sections{3}{4}. It stays with: {5}",
                 Subject, Object, Places, Remedy.empty() ? "" : ", or ", Remedy,
                 join(Others, ", "));
}

void InseparableSymbol::log(raw_ostream &OS) const { OS << describe(""); }

std::error_code InseparableSymbol::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

} // namespace linesman::relink
