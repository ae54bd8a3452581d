// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list of names as users write it in an option: "std::mutex;.*Lock;settings".
// An entry is a regular expression that has to match a whole name, qualified or
// not, so that "settings" does not silence "old_settings".

#ifndef LINESMAN_TIDY_ANALYSIS_NAMES_NAMELIST_H
#define LINESMAN_TIDY_ANALYSIS_NAMES_NAMELIST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Regex.h"
#include <vector>

namespace clang {
class NamedDecl;
class QualType;
} // namespace clang

namespace linesman::tidy {

class NameList {
public:
  NameList() = default;

  /// Reads a semicolon-separated list. Fails on an entry that is no regular
  /// expression; the message names the entry.
  static llvm::Expected<NameList> parse(llvm::StringRef Text);

  bool empty() const { return Names.empty() && Patterns.empty(); }
  bool matches(llvm::StringRef Name) const;
  /// By the qualified name ("cache::settings") or the last part of it.
  bool matches(const clang::NamedDecl &Declaration) const;
  /// By the name of the type as written (a typedef such as pthread_mutex_t)
  /// and by that of the record or template behind it.
  bool matches(clang::QualType Type) const;

private:
  /// Entries without any regular-expression syntax, the usual ones, are
  /// compared as text: the lists are asked about every declaration.
  std::vector<std::string> Names;
  std::vector<llvm::Regex> Patterns;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_NAMES_NAMELIST_H
