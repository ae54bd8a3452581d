// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a mistyped word may have meant.

#ifndef LINESMAN_GUARD_SUGGEST_H
#define LINESMAN_GUARD_SUGGEST_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace linesman::guard {

/// Collects the known word that is nearest to a mistyped one. A name without
/// its namespaces counts as well: who types "nil_rot" means "store::nil_root".
class Suggestion {
public:
  explicit Suggestion(llvm::StringRef Typed);

  void consider(llvm::StringRef Known);
  /// The same by a linker's name: as it is, and demangled.
  void considerSymbol(llvm::StringRef Mangled);

  /// The nearest word, where it is near enough; else empty.
  llvm::StringRef word() const { return Nearest; }
  /// "; did you mean 'WORD'?", or nothing.
  std::string text() const;

private:
  llvm::StringRef Typed;
  std::string Nearest;
  /// Edits: one beyond the most that are still taken for a mistake.
  unsigned Distance;
};

} // namespace linesman::guard

#endif // LINESMAN_GUARD_SUGGEST_H
