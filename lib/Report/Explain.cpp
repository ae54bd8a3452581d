// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looked up as people type: another case, dashes, a plural, and words that only
// stand within the row of another one.

#include "linesman/Report/Explain.h"
#include "linesman/Guard/Suggest.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace linesman::report {

Explanations::Explanations(ArrayRef<CheckPage> Checks, StringRef Glossary)
    : Checks(Checks) {
  SmallVector<StringRef> Lines;
  Glossary.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    if (!Line.consume_front("| ") || !Line.consume_back(" |"))
      continue;
    auto [Words, Meaning] = Line.split(" | ");
    Term New{{}, Meaning};
    Words.split(New.Words, ", ");
    // The head of a table.
    if (New.Words.front() != "word")
      Terms.push_back(std::move(New));
  }
}

/// A word of several, as "true sharing", is also printed with dashes.
static bool isSame(StringRef Typed, StringRef Known) {
  return Typed.equals_insensitive(Known) ||
         Typed.equals_insensitive(join(split(Known, " "), "-"));
}

void Explanations::list(raw_ostream &OS) const {
  OS << "checks:\n";
  for (const CheckPage &P : Checks)
    OS << "  " << P.Check << '\n';
  OS << "\nwords:\n";
  for (const Term &T : Terms)
    OS << "  " << join(T.Words, ", ") << '\n';
}

/// The rows that \p IsWanted; false if there are none.
bool Explanations::writeTerms(function_ref<bool(const Term &)> IsWanted,
                              raw_ostream &OS) const {
  bool IsKnown = false;
  for (const Term &T : Terms)
    if (IsWanted(T)) {
      OS << join(T.Words, ", ") << ": " << T.Meaning << '\n';
      IsKnown = true;
    }
  return IsKnown;
}

bool Explanations::write(StringRef Wanted, raw_ostream &OS) const {
  bool IsKnown = false;
  for (const CheckPage &P : Checks)
    if (isSame(Wanted, P.Check)) {
      OS << P.Text;
      IsKnown = true;
    }
  auto HasWord = [](StringRef Word) {
    return [=](const Term &T) {
      return any_of(T.Words, [&](StringRef W) { return isSame(Word, W); });
    };
  };
  IsKnown |= writeTerms(HasWord(Wanted), OS);
  if (IsKnown)
    return true;
  // Reports count: "3 readers".
  if (Wanted.ends_with_insensitive("s") &&
      writeTerms(HasWord(Wanted.drop_back()), OS))
    return true;
  // Last, words that are explained within the row of another one.
  std::string Quoted = ("`" + Wanted + "`").str();
  return writeTerms([&](const Term &T) { return T.Meaning.contains(Quoted); },
                    OS);
}

Error Explanations::explain(StringRef Typed, raw_ostream &OS) const {
  StringRef Wanted = Typed;
  Wanted.consume_front("linesman-");
  if (write(Wanted, OS))
    return Error::success();
  guard::Suggestion Meant(Wanted);
  for (const CheckPage &P : Checks)
    Meant.consider(P.Check);
  for (const Term &T : Terms)
    for (StringRef W : T.Words)
      Meant.consider(W);
  return createStringError("nothing is known about '" +
                           guard::printable(Typed) + "'" + Meant.text() +
                           "; 'linesman explain' lists all checks and words");
}

} // namespace linesman::report
