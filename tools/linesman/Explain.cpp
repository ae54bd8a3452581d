// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman explain CHECK|WORD: a check's page or a word of the glossary, as
// docs/ has them. The build puts these into the program.

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Guard/Suggest.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace linesman::tool {

namespace {

struct Page {
  /// A check, without "linesman-"; empty for the glossary, which is last.
  StringLiteral Check;
  StringLiteral Text;
};

constexpr Page Pages[] = {
#include "ExplainPages.inc"
};

/// A row of the glossary: words that share a meaning.
struct Term {
  SmallVector<StringRef, 2> Words;
  StringRef Meaning;
};

std::vector<Term> readGlossary() {
  std::vector<Term> Result;
  SmallVector<StringRef> Lines;
  Pages[std::size(Pages) - 1].Text.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    if (!Line.consume_front("| ") || !Line.consume_back(" |"))
      continue;
    auto [Words, Meaning] = Line.split(" | ");
    Term New{{}, Meaning};
    Words.split(New.Words, ", ");
    if (New.Words.front() != "word")
      Result.push_back(std::move(New));
  }
  return Result;
}

/// A word of several, as "true sharing", is also printed with dashes.
bool isSame(StringRef Typed, StringRef Known) {
  return Typed.equals_insensitive(Known) ||
         Typed.equals_insensitive(join(split(Known, " "), "-"));
}

void listAll(ArrayRef<Term> Glossary, raw_ostream &OS) {
  OS << "checks:\n";
  for (const Page &P : drop_end(Pages))
    OS << "  " << P.Check << '\n';
  OS << "\nwords:\n";
  for (const Term &T : Glossary)
    OS << "  " << join(T.Words, ", ") << '\n';
}

/// Prints the rows that \p IsWanted; false if there are none.
bool writeRows(ArrayRef<Term> Glossary,
               function_ref<bool(const Term &)> IsWanted, raw_ostream &OS) {
  bool IsKnown = false;
  for (const Term &T : Glossary)
    if (IsWanted(T)) {
      OS << join(T.Words, ", ") << ": " << T.Meaning << '\n';
      IsKnown = true;
    }
  return IsKnown;
}

/// The whole of what is known about \p Wanted; false if that is nothing.
bool explain(StringRef Wanted, ArrayRef<Term> Glossary, raw_ostream &OS) {
  bool IsKnown = false;
  for (const Page &P : drop_end(Pages))
    if (isSame(Wanted, P.Check)) {
      OS << P.Text;
      IsKnown = true;
    }
  auto HasWord = [](StringRef Word) {
    return [=](const Term &T) {
      return any_of(T.Words, [&](StringRef W) { return isSame(Word, W); });
    };
  };
  IsKnown |= writeRows(Glossary, HasWord(Wanted), OS);
  if (IsKnown)
    return true;
  // Reports count: "3 readers".
  if (Wanted.ends_with_insensitive("s") &&
      writeRows(Glossary, HasWord(Wanted.drop_back()), OS))
    return true;
  // Last, words that are explained within the row of another one.
  std::string Quoted = ("`" + Wanted + "`").str();
  return writeRows(
      Glossary, [&](const Term &T) { return T.Meaning.contains(Quoted); }, OS);
}

} // namespace

int runExplain(Arguments Args) {
  cl::SubCommand Command{"explain", "The page of a check, or a word"};
  // "true sharing" needs no quotes.
  Rest Words{Command, "[CHECK|WORD]"};
  if (!parseOptions(Args, "linesman explain: the page of a check, or what a "
                          "word of a report means\n"))
    return Failure;
  std::vector<Term> Glossary = readGlossary();
  if (Words.empty()) {
    listAll(Glossary, outs());
    return Success;
  }
  std::string Typed = join(Words, " ");
  StringRef Wanted = Typed;
  Wanted.consume_front("linesman-");
  if (explain(Wanted, Glossary, outs()))
    return Success;
  guard::Suggestion Meant(Wanted);
  for (const Page &P : drop_end(Pages))
    Meant.consider(P.Check);
  for (const Term &T : Glossary)
    for (StringRef W : T.Words)
      Meant.consider(W);
  return fail(createStringError(
      "nothing is known about '" + guard::printable(Typed) + "'" +
      Meant.text() + "; 'linesman explain' lists all checks and words"));
}

} // namespace linesman::tool
