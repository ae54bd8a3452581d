// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_RELINK_INSEPARABLESYMBOL_H
#define LINESMAN_RELINK_INSEPARABLESYMBOL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace linesman::relink {

/// A symbol that an edit can not move by itself, because its input section
/// holds others, too. What a command offers against that, it says itself.
class InseparableSymbol : public llvm::ErrorInfo<InseparableSymbol> {
public:
  static char ID;

  /// "cannot isolate 'hits'".
  std::string Subject;
  /// The name of the object file.
  std::string Object;
  /// Places in the section that have symbols; aliases have one.
  size_t Places = 0;
  /// The other symbols, demangled.
  std::vector<std::string> Others;
  /// Whether UnitPolicy::Whole would meet the edit.
  bool MovesWithUnit = false;

  /// The message, with one more \p Remedy unless it is "".
  std::string describe(llvm::StringRef Remedy) const;

  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;
};

} // namespace linesman::relink

#endif // LINESMAN_RELINK_INSEPARABLESYMBOL_H
