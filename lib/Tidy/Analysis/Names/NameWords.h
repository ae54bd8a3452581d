// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words that a name is made of.

#ifndef LINESMAN_TIDY_ANALYSIS_NAMES_NAMEWORDS_H
#define LINESMAN_TIDY_ANALYSIS_NAMES_NAMEWORDS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace linesman::tidy {

/// "worker_id" and "workerId_" are worker, id.
inline llvm::SmallVector<std::string, 4> wordsOf(llvm::StringRef Name) {
  llvm::SmallVector<std::string, 4> Words;
  bool IsInWord = false;
  for (size_t I = 0; I != Name.size(); ++I) {
    if (Name[I] == '_') {
      IsInWord = false;
      continue;
    }
    if (!IsInWord || (llvm::isUpper(Name[I]) && llvm::isLower(Name[I - 1])))
      Words.emplace_back();
    IsInWord = true;
    Words.back() += llvm::toLower(Name[I]);
  }
  return Words;
}

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_NAMES_NAMEWORDS_H
