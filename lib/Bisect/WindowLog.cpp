// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The window log as text.

#include "linesman/Bisect/WindowLog.h"
#include <charconv>

namespace linesman::bisect {

namespace {

constexpr std::string_view Magic = "linesman-windows 2 ";
constexpr std::string_view StageWords[] = {"calibrate", "search", "confirm",
                                           "whole"};

/// The text up to the next \p End, which is removed with it.
std::string_view take(std::string_view &Text, char End) {
  size_t Index = Text.find(End);
  std::string_view Result = Text.substr(0, Index);
  Text.remove_prefix(Index == std::string_view::npos ? Text.size() : Index + 1);
  return Result;
}

template <typename T> bool parse(std::string_view Text, T &Value) {
  auto [End, Error] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  return Error == std::errc() && End == Text.data() + Text.size();
}

bool parseRanges(std::string_view Text, std::vector<CandidateRange> &Ranges) {
  if (Text == "-")
    return true;
  if (Text.ends_with(','))
    return false;
  while (!Text.empty()) {
    std::string_view Last = take(Text, ',');
    std::string_view First = take(Last, '-');
    CandidateRange Range;
    if (!parse(First, Range.Begin) || !parse(Last, Range.End) ||
        Range.End < Range.Begin || Range.End == UINT32_MAX)
      return false;
    ++Range.End;
    Ranges.push_back(Range);
  }
  return !Ranges.empty();
}

std::string textOf(const std::vector<CandidateRange> &Ranges) {
  std::string Text;
  for (const CandidateRange &Range : Ranges) {
    if (!Text.empty())
      Text += ',';
    Text += std::to_string(Range.Begin) + '-' + std::to_string(Range.End - 1);
  }
  return Text.empty() ? "-" : Text;
}

bool parseWindow(std::string_view Line, LoggedWindow &Window) {
  std::string_view Word = take(Line, ' ');
  bool Known = false;
  for (size_t I = 0; I != std::size(StageWords); ++I)
    if (Word == StageWords[I]) {
      Window.Request.Purpose = Stage(I);
      Known = true;
    }
  if (!Known || !parseRanges(take(Line, ' '), Window.Request.Remote))
    return false;
  if (Line == "skipped") {
    Window.Outcome.State = WindowState::Skipped;
    return true;
  }
  return parse(Line, Window.Outcome.Value);
}

} // namespace

std::string encodeLog(const WindowLog &Log) {
  std::string Text = std::string(Magic) + std::to_string(Log.Candidates) + ' ' +
                     Log.Identity + ' ' + textOf(Log.Written) + '\n';
  for (const LoggedWindow &Window : Log.Windows)
    Text += encodeWindow(Window);
  return Text;
}

std::string encodeWindow(const LoggedWindow &Window) {
  std::string Line(StageWords[size_t(Window.Request.Purpose)]);
  Line += ' ' + textOf(Window.Request.Remote) + ' ';
  if (Window.Outcome.State == WindowState::Skipped) {
    Line += "skipped";
  } else {
    // The shortest text that reads back as the same number.
    char Digits[64];
    auto [End, Error] =
        std::to_chars(Digits, Digits + sizeof Digits, Window.Outcome.Value);
    Line.append(Digits, End);
  }
  return Line + '\n';
}

std::optional<WindowLog> decodeLog(std::string_view Text, size_t &BadLine) {
  // What follows the last line end was being written.
  Text = Text.substr(0, Text.rfind('\n') + 1);
  BadLine = 1;
  WindowLog Log;
  std::string_view Header = take(Text, '\n');
  if (!Header.starts_with(Magic))
    return std::nullopt;
  Header.remove_prefix(Magic.size());
  if (!parse(take(Header, ' '), Log.Candidates))
    return std::nullopt;
  Log.Identity = take(Header, ' ');
  if (!parseRanges(Header, Log.Written))
    return std::nullopt;
  for (const CandidateRange &Range : Log.Written)
    if (Range.End > Log.Candidates)
      return std::nullopt;
  while (!Text.empty()) {
    ++BadLine;
    LoggedWindow Window;
    if (!parseWindow(take(Text, '\n'), Window))
      return std::nullopt;
    Log.Windows.push_back(std::move(Window));
  }
  return Log;
}

} // namespace linesman::bisect
