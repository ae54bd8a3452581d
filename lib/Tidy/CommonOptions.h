// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that all checks have, in one place: a check that reads them by
// itself would sooner or later call one of them differently.

#ifndef LINESMAN_TIDY_COMMONOPTIONS_H
#define LINESMAN_TIDY_COMMONOPTIONS_H

#include "Analysis/Names/NameList.h"
#include "Compat.h"
#include "linesman/Layout/Address.h"
#include <string>

namespace linesman::tidy {

/// A list option: what the user wrote, which storeOptions has to give back,
/// and its meaning.
struct NameListOption {
  std::string Text;
  NameList Names;
};

struct CommonOptions {
  /// Bytes; a power of two.
  unsigned CacheLineSize = layout::LineSize().Bytes;
  /// Types, beside the standard ones, whose operations are atomic.
  NameListOption AtomicTypes;
  /// Types, beside the standard ones, that are locks.
  NameListOption LockTypes;
  /// Functions, beside the well-known ones, that say which thread is running.
  NameListOption ThreadIdFunctions;
  /// Records and variables that no check reports.
  NameListOption IgnoredTypes;
  NameListOption IgnoredVariables;
  /// Report also what is often right but not nearly always.
  bool Strict = false;
  /// Report also, one or two a unit and check, what is likely to be contended
  /// although nothing in the unit says how often threads meet there.
  bool Likeliest = true;

  /// Accepted by the user: annotated [[clang::annotate("linesman:shared-ok")]]
  /// on any declaration of it or on its type, or listed in an option.
  bool isAccepted(const clang::NamedDecl &Declaration) const;
};

/// Reads the options of \p Check, its own ("linesman-x.CacheLineSize") or
/// everybody's ("CacheLineSize"); a bad value is a diagnostic of that check and
/// leaves the default.
CommonOptions
readCommonOptions(clang::tidy::ClangTidyCheck &Check,
                  const clang::tidy::ClangTidyCheck::OptionsView &Options);

void storeCommonOptions(const CommonOptions &Common,
                        const clang::tidy::ClangTidyCheck::OptionsView &Options,
                        clang::tidy::ClangTidyOptions::OptionMap &Map);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_COMMONOPTIONS_H
