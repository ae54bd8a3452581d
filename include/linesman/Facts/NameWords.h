// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words that a name is made of. Header only, as KnownCalls.h is.

#ifndef LINESMAN_FACTS_NAMEWORDS_H
#define LINESMAN_FACTS_NAMEWORDS_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace linesman::facts {

/// Calls \p Visit with each word of \p Name as it is written there: "worker_id"
/// is worker, id, "workerId" is worker, Id, and "XMLParser" is XML, Parser.
/// Characters that are \p IsPart of no word are between two.
template <typename Predicate, typename Visitor>
void visitWords(llvm::StringRef Name, Predicate IsPart, Visitor Visit) {
  size_t Begin = 0;
  for (size_t I = 0; I <= Name.size(); ++I) {
    const bool IsIn = I != Name.size() && IsPart(Name[I]);
    const bool Begins = IsIn && I != 0 && llvm::isUpper(Name[I]) &&
                        (llvm::isLower(Name[I - 1]) ||
                         (llvm::isUpper(Name[I - 1]) && I + 1 != Name.size() &&
                          llvm::isLower(Name[I + 1])));
    if (IsIn && !Begins)
      continue;
    if (Begin != I)
      Visit(Name.slice(Begin, I));
    Begin = IsIn ? I : I + 1;
  }
}

} // namespace linesman::facts

#endif // LINESMAN_FACTS_NAMEWORDS_H
