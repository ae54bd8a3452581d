// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From words to options: each word is looked up in the command's table, its
// value is checked against what the option takes, and only then handed over.

#include "options/Parse.h"
#include "linesman/Guard/Suggest.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <optional>

using namespace llvm;

namespace linesman::options {

namespace {

/// "a, b or c".
std::string alternatives(ArrayRef<StringRef> Words) {
  if (Words.size() < 2)
    return Words.empty() ? "" : Words.front().str();
  return join(Words.drop_back(), ", ") + " or " + Words.back().str();
}

/// What is wrong with \p Text as a number.
std::string describeNumber(StringRef Text) {
  double Value;
  if (Text.getAsDouble(Value, /*AllowInexact=*/true))
    return "expected a number";
  return Value < 0 ? "expected a number that is not negative"
                   : "expected a whole number, not too large";
}

class Parser {
public:
  Parser(const OptionTable &Table, ArrayRef<Habit> Habits)
      : Table(Table), Habits(Habits) {}

  Error parse(Words Line) {
    bool AreOptions = true;
    for (size_t I = 0; I != Line.size(); ++I) {
      StringRef Word = Line[I];
      if (AreOptions && Word == "--") {
        AreOptions = false;
        continue;
      }
      // "-" is stdin, and "-1" a number that somebody got wrong.
      bool IsOption =
          Word.size() > 1 && Word.front() == '-' && !isDigit(Word[1]);
      if (!AreOptions || !IsOption) {
        Others.push_back(Word);
        continue;
      }
      Expected<bool> UsedNext = parseOption(
          Word, I + 1 != Line.size() ? std::optional<StringRef>(Line[I + 1])
                                     : std::nullopt);
      if (!UsedNext)
        return UsedNext.takeError();
      I += *UsedNext;
    }
    return assignPositionals();
  }

private:
  const OptionTable &Table;
  ArrayRef<Habit> Habits;
  /// Words that belong to no option.
  std::vector<StringRef> Others;
  unsigned Position = 0;

  /// Whether \p Next was the value of \p Word.
  Expected<bool> parseOption(StringRef Word, std::optional<StringRef> Next) {
    auto [Name, Value] = Word.split('=');
    bool HasValue = Name.size() != Word.size();
    const OptionRow *Row =
        Table.find(Name.drop_while([](char C) { return C == '-'; }));
    if (!Row || Name.starts_with("---"))
      return unknown(Name);
    if (Row->Option->getNumOccurrences() && !Row->isRepeatable())
      return createStringError(Row->flag() + " is given twice");
    if (!Row->takesValue()) {
      if (HasValue)
        return createStringError(Row->flag() + " takes no value, found '" +
                                 guard::printable(Value) + "'");
      return give(*Row, "", false);
    }
    if (HasValue)
      return give(*Row, Value, false);
    if (!Next || *Next == "--")
      return createStringError(
          Row->flag() + " expects a value: " +
          (Row->Choices.empty() ? Row->value() : alternatives(Row->Choices)));
    return give(*Row, *Next, true);
  }

  Expected<bool> give(const OptionRow &Row, StringRef Value, bool UsedNext) {
    std::string Subject = (Row.flag() + (Row.name().size() == 1 ? " " : "=") +
                           guard::printable(Value));
    if (!Row.Choices.empty() && !is_contained(Row.Choices, Value)) {
      guard::Suggestion Meant(Value);
      for (StringRef Choice : Row.Choices)
        Meant.consider(Choice);
      return createStringError(Subject + ": expected " +
                               alternatives(Row.Choices) + Meant.text());
    }
    if (Row.Option->addOccurrence(++Position, Row.name(), Value))
      return createStringError(Subject + ": " + describeNumber(Value));
    return UsedNext;
  }

  Error unknown(StringRef Word) {
    StringRef Typed = Word.ltrim('-');
    for (auto [Habit, Name] : Habits)
      if (Typed == Habit && Table.find(Name.split('=').first))
        Typed = Name;
    if (Typed != Word.ltrim('-'))
      return createStringError("unknown option '" + guard::printable(Word) +
                               "'; did you mean '" +
                               (Typed.size() == 1 ? "-" : "--") + Typed + "'?");
    // "--pid 12" where PID is a word of its own.
    for (const cl::Option *Positional : Table.positionals())
      if (Typed.equals_insensitive(Positional->HelpStr))
        return createStringError("unknown option '" + guard::printable(Word) +
                                 "': " + Positional->HelpStr +
                                 " is an argument, and stands alone");
    guard::Suggestion Meant(Typed);
    for (const OptionRow &Row : Table.rows())
      if (Row.Option->getOptionHiddenFlag() == cl::NotHidden)
        Meant.consider(Row.name());
    Meant.consider("help");
    std::string Text = "unknown option '" + guard::printable(Word) + "'";
    if (!Meant.word().empty())
      Text += "; did you mean '" +
              std::string(Meant.word().size() == 1 ? "-" : "--") +
              Meant.word().str() + "'?";
    return createStringError(Text);
  }

  /// A list takes what is left by those that take one word each.
  Error assignPositionals() {
    ArrayRef<StringRef> Left = Others;
    for (cl::Option *Wanted : Table.positionals()) {
      cl::NumOccurrencesFlag Flag = Wanted->getNumOccurrencesFlag();
      bool IsList = Flag == cl::ZeroOrMore || Flag == cl::OneOrMore;
      bool IsNeeded = Flag == cl::Required || Flag == cl::OneOrMore;
      if (Left.empty() && IsNeeded)
        return createStringError("expected " + Table.wanted());
      size_t Takes = IsList ? Left.size() : std::min<size_t>(1, Left.size());
      for (StringRef Word : Left.take_front(Takes))
        if (Wanted->addOccurrence(++Position, "", Word))
          return createStringError("expected " + Wanted->HelpStr +
                                   ", which is a number, found '" +
                                   guard::printable(Word) + "'");
      Left = Left.drop_front(Takes);
    }
    if (Left.empty())
      return Error::success();
    std::string Wanted = Table.wanted();
    return createStringError(
        "unexpected '" + guard::printable(Left.front()) + "'; expected " +
        (Wanted.empty() ? "only options" : Wanted + " and options"));
  }
};

/// No word of the command line but \p Name's own may name the file that it
/// writes.
Error checkOverwrite(const OptionTable &Table, const OutputOptions &Outputs,
                     StringRef Name, Words Line) {
  const OptionRow *Row = Table.find(Name);
  if (!Row)
    return Error::success();
  StringRef Output =
      static_cast<cl::opt<std::string> *>(Row->Option)->getValue();
  sys::fs::file_status Status;
  if (Output.empty() || sys::fs::status(Output, Status) ||
      Status.type() != sys::fs::file_type::regular_file)
    return Error::success();
  StringRef Before;
  bool IsProgram = false;
  for (StringRef Word : Line) {
    // Of a command only what is run: a linker's output may be made again.
    if (IsProgram)
      return sys::fs::equivalent(Word, Output)
                 ? createStringError(Row->flag() + " " + Output +
                                     ": this is run, and would be overwritten")
                 : Error::success();
    if (Word == "--") {
      IsProgram = true;
      continue;
    }
    StringRef Option = std::exchange(Before, Word);
    StringRef File = Word;
    if (Word.starts_with("-"))
      std::tie(Option, File) = Word.split('=');
    Option = Option.ltrim('-');
    if (Option == Name || is_contained(Outputs.MayName, Option) ||
        File.empty() || !sys::fs::equivalent(File, Output))
      continue;
    return createStringError(
        Row->flag() + " " + Output + ": " +
        (File == Output ? "this is" : File + " is") +
        (is_contained(Outputs.Written, Option)
             ? " another output of this command"
             : " an input of this command, which would be overwritten"));
  }
  return Error::success();
}

/// Of files that need not be there: their folders are, or nothing is written.
bool isOnePlace(StringRef A, StringRef B) {
  auto folder = [](StringRef Path) {
    SmallString<256> Real;
    StringRef Parent = sys::path::parent_path(Path);
    sys::fs::real_path(Parent.empty() ? "." : Parent, Real);
    return Real;
  };
  return sys::path::filename(A) == sys::path::filename(B) &&
         !folder(A).empty() && folder(A) == folder(B);
}

/// No two options write one file.
Error checkOutputs(const OptionTable &Table, const OutputOptions &Outputs) {
  std::vector<const OptionRow *> Known;
  auto valueOf = [](const OptionRow &Row) {
    return StringRef(
        static_cast<cl::opt<std::string> *>(Row.Option)->getValue());
  };
  for (StringRef Name :
       concat<const StringLiteral>(Outputs.Written, Outputs.Kept)) {
    const OptionRow *Row = Table.find(Name);
    if (!Row || valueOf(*Row).empty())
      continue;
    for (const OptionRow *Other : Known)
      if (isOnePlace(valueOf(*Other), valueOf(*Row)))
        return createStringError(Other->flag() + " " + valueOf(*Other) + ": " +
                                 Row->flag() + " " + valueOf(*Row) +
                                 " is another output of this command");
    Known.push_back(Row);
  }
  return Error::success();
}

} // namespace

Error expandFiles(SmallVectorImpl<const char *> &Line,
                  BumpPtrAllocator &Memory) {
  cl::ExpansionContext Context(Memory, cl::TokenizeGNUCommandLine);
  return Context.expandResponseFiles(Line);
}

Error parse(const OptionTable &Table, Words Line, ArrayRef<Habit> Habits) {
  return Parser(Table, Habits).parse(Line);
}

Error checkOverwrites(const OptionTable &Table, Words Line,
                      const OutputOptions &Outputs) {
  for (StringRef Name : Outputs.Written)
    if (Error E = checkOverwrite(Table, Outputs, Name, Line))
      return E;
  return checkOutputs(Table, Outputs);
}

} // namespace linesman::options
