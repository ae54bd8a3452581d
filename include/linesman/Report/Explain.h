// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known about a check or a word of a report, from the text of the
// documents: the pages of the checks, and the rows of the glossary
//
//     | word | meaning |
//     | true sharing, true-sharing | several threads touch the same bytes, ...
//     |

#ifndef LINESMAN_REPORT_EXPLAIN_H
#define LINESMAN_REPORT_EXPLAIN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace linesman::report {

struct CheckPage {
  /// Without "linesman-".
  llvm::StringRef Check;
  llvm::StringRef Text;
};

class Explanations {
public:
  /// Both stay the caller's. \p Glossary is the text of the document.
  Explanations(llvm::ArrayRef<CheckPage> Checks, llvm::StringRef Glossary);

  /// The names of all checks and words.
  void list(llvm::raw_ostream &OS) const;

  /// The whole of what is known about \p Typed, a check's name with or without
  /// "linesman-" or a word, in any case and with blanks or dashes. Fails, with
  /// what may have been meant, where that is nothing.
  llvm::Error explain(llvm::StringRef Typed, llvm::raw_ostream &OS) const;

private:
  /// A row of the glossary: words that share a meaning.
  struct Term {
    llvm::SmallVector<llvm::StringRef, 2> Words;
    llvm::StringRef Meaning;
  };

  llvm::ArrayRef<CheckPage> Checks;
  std::vector<Term> Terms;

  bool writeTerms(llvm::function_ref<bool(const Term &)> IsWanted,
                  llvm::raw_ostream &OS) const;
  bool write(llvm::StringRef Wanted, llvm::raw_ostream &OS) const;
};

} // namespace linesman::report

#endif // LINESMAN_REPORT_EXPLAIN_H
