// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Report/Paint.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace linesman::report {

namespace {

constexpr StringLiteral Bold = "\033[1m", Faint = "\033[2m", Red = "\033[31m",
                        Green = "\033[32m", Yellow = "\033[33m",
                        Cyan = "\033[36m", Plain = "\033[0m";

std::string painted(StringRef Color, StringRef Text) {
  return (Color + Text + Plain).str();
}

/// No line of prose is of these letters only.
bool isMarks(StringRef Text) {
  constexpr size_t Least = 16; // The smallest line.
  return Text.size() >= Least &&
         Text.find_first_not_of(".~arw") == StringRef::npos;
}

StringRef colorOf(char Mark) {
  switch (Mark) {
  case 'a':
  case 'w':
    return Red;
  case 'r':
    return Green;
  case '~':
    return Yellow;
  default:
    return Faint;
  }
}

std::string paintMarks(StringRef Marks) {
  std::string Result;
  while (!Marks.empty()) {
    StringRef Run = Marks.take_while(
        [First = Marks.front()](char C) { return C == First; });
    Result += painted(colorOf(Run.front()), Run);
    Marks = Marks.drop_front(Run.size());
  }
  return Result;
}

/// "1. " begins a finding.
bool isHeading(StringRef Line) {
  StringRef Rest = Line.drop_while(isDigit);
  return Rest.size() != Line.size() && Rest.starts_with(". ");
}

std::string paintLine(StringRef Line) {
  if (isHeading(Line)) {
    // Its kind, score and rung stand at the right.
    size_t End = std::min(Line.find("  "), Line.size());
    return painted(Bold, Line.take_front(End)) + Line.substr(End).str();
  }
  StringRef Text = Line.ltrim(' ');
  StringRef Indent = Line.take_front(Line.size() - Text.size());
  if (isMarks(Text))
    return Indent.str() + paintMarks(Text);
  StringRef Word = Text.take_until([](char C) { return C == ' ' || C == ':'; });
  StringRef Rest = Text.drop_front(Word.size());
  const bool IsLabel = Rest.starts_with(": "), IsInner = !Indent.empty();
  StringRef Color =
      StringSwitch<StringRef>(Word)
          .Cases({"write", "atomic"}, IsInner && !IsLabel ? Red : "")
          .Case("read", IsInner && !IsLabel ? Green : "")
          .Cases({"isolate", "group", "guard", "per-thread", "alignas"},
                 IsInner && IsLabel ? Bold : "")
          .Case("note", IsLabel ? Cyan : "")
          .Case("warning", IsLabel ? Yellow : "")
          .Default("");
  return Color.empty() ? Line.str()
                       : Indent.str() + painted(Color, Word) + Rest.str();
}

} // namespace

std::string paint(StringRef Report) {
  std::string Result;
  while (!Report.empty()) {
    auto [Line, Rest] = Report.split('\n');
    Result += paintLine(Line);
    if (Line.size() != Report.size())
      Result += '\n';
    Report = Rest;
  }
  return Result;
}

} // namespace linesman::report
