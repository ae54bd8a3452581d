// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words that a name is made of.

#ifndef LINESMAN_TIDY_ANALYSIS_NAMES_NAMEWORDS_H
#define LINESMAN_TIDY_ANALYSIS_NAMES_NAMEWORDS_H

#include "linesman/Facts/NameWords.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace linesman::tidy {

/// "worker_id" and "workerId_" are worker, id.
inline llvm::SmallVector<std::string, 4> wordsOf(llvm::StringRef Name) {
  llvm::SmallVector<std::string, 4> Words;
  facts::visitWords(
      Name, [](char C) { return C != '_'; },
      [&](llvm::StringRef Word) { Words.push_back(Word.lower()); });
  return Words;
}

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_NAMES_NAMEWORDS_H
