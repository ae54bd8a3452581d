// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No line is longer than the terminal is wide, except for a word that is.

#include "linesman/Report/TextLines.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace llvm;

namespace linesman::report {

std::string number(double Value) {
  // What would round to 1000 is the next one's.
  constexpr StringLiteral Suffixes[] = {"", "k", "M", "G", "T"};
  size_t Power = 0;
  while (std::abs(Value) >= 999.5 && Power + 1 != std::size(Suffixes)) {
    Value /= 1000;
    ++Power;
  }
  std::string Text;
  raw_string_ostream(Text) << format("%.3g", Value) << Suffixes[Power];
  return Text;
}

std::string scoreText(double Score) {
  return formatv("{0}", format("%.6g", Score));
}

std::string measurementText(double Value) {
  bool IsLarge = std::abs(Value) >= 1000 && std::abs(Value) < 1e15;
  return formatv("{0}", format(IsLarge ? "%.0f" : "%.4g", Value));
}

std::string probabilityText(double Probability) {
  return formatv("{0}", format("%.2g", Probability));
}

std::string percentText(double Share) {
  double Value = 100 * Share;
  return formatv(Value < 1    ? "{0:F2}"
                 : Value < 10 ? "{0:F1}"
                              : "{0:F0}",
                 Value);
}

std::string weightText(double Weight, double Perhaps) {
  std::string Most = number(Weight);
  // Sums in another order differ by their last digits.
  std::string Least = number(std::max(0.0, Weight - Perhaps));
  if (Perhaps <= 0 || Least == Most)
    return Most;
  if (Weight - Perhaps <= Weight * 1e-9)
    return "up to " + Most;
  return Least + " to " + Most;
}

std::string plural(uint64_t Count, StringRef Noun) {
  return formatv("{0} {1}{2}", Count, Noun, Count == 1 ? "" : "s");
}

std::string durationText(double Seconds) {
  // In the largest unit of which there are two.
  constexpr std::pair<double, StringLiteral> Units[] = {
      {86400, "day"}, {3600, "hour"}, {60, "minute"}};
  for (auto [Unit, Name] : Units)
    if (Seconds >= 2 * Unit)
      return plural(uint64_t(std::round(Seconds / Unit)), Name);
  return plural(uint64_t(std::max(1.0, std::round(Seconds))), "second");
}

std::string listed(ArrayRef<std::string> Names, size_t Most) {
  // Nobody gains from "and 1 more".
  if (Names.size() <= Most + 1)
    return join(Names, ", ");
  return formatv("{0} and {1} more", join(Names.take_front(Most), ", "),
                 Names.size() - Most);
}

/// Replaces what is between the outermost \p Open and \p Close by three dots;
/// not where nothing is, and not of operators, which are written with them.
static std::string collapse(StringRef Name, char Open, char Close) {
  constexpr StringLiteral Anonymous = "(anonymous namespace)";
  std::string Short;
  unsigned Depth = 0;
  for (size_t I = 0; I != Name.size(); ++I) {
    char C = Name[I];
    if (Name.substr(I).starts_with(Anonymous)) {
      if (!Depth)
        Short += Anonymous;
      I += Anonymous.size() - 1;
      continue;
    }
    if (StringRef(Short).ends_with("operator") && !Depth) {
      size_t End = Name.find_first_not_of("<>=-()", I);
      if (C == '(')
        End = I + 2;
      // Not a conversion, nor a word that only ends so.
      if (End != I) {
        Short += Name.slice(I, End);
        I = std::min(End, Name.size()) - 1;
        continue;
      }
    }
    if (C == Open && Depth++ == 0) {
      Short += Open;
      if (I + 1 != Name.size() && Name[I + 1] != Close)
        Short += "...";
    } else if (C == Close && Depth && --Depth == 0) {
      Short += Close;
    } else if (!Depth) {
      Short += C;
    }
  }
  return Short;
}

std::string briefName(StringRef Name, size_t Width) {
  if (Name.size() <= Width)
    return Name.str();
  std::string Short = collapse(Name, '<', '>');
  return Short.size() <= Width ? Short : collapse(Short, '(', ')');
}

static std::string fit(StringRef Text, size_t Width) {
  if (Text.size() <= Width)
    return Text.str();
  return (Text.take_front(Width - 3) + "...").str();
}

/// The end of a long name says which one it is: "Map<...>::ge...::Count".
static std::string fitMiddle(StringRef Text, size_t Width) {
  constexpr StringRef Gap = "...";
  if (Text.size() <= Width || Width <= Gap.size())
    return fit(Text, Width);
  size_t Kept = Width - Gap.size(), End = Kept / 2;
  return (Text.take_front(Kept - End) + Gap + Text.take_back(End)).str();
}

/// Of a long file name the end says more, and the line number is there.
static std::string fitEnd(StringRef Text, size_t Width) {
  if (Text.size() <= Width)
    return Text.str();
  return ("..." + Text.take_back(Width - 3)).str();
}

std::string baseName(StringRef Source) {
  auto [File, Line] = Source.rsplit(':');
  if (Source.empty())
    return "";
  constexpr size_t MostShown = 50;
  return fitEnd((sys::path::filename(File) + ":" + Line).str(), MostShown);
}

void writeEnds(const std::string &Left, const std::string &Right,
               size_t Columns, raw_ostream &OS) {
  std::string End = fitEnd(Right, Columns / 2);
  std::string Begin = fit(Left, Columns - End.size() - 2);
  OS << Begin;
  if (!End.empty())
    OS.indent(Columns - Begin.size() - End.size()) << End;
  OS << '\n';
}

void writeNamed(const std::string &Left, StringRef Name,
                const std::string &Right, size_t Columns, raw_ostream &OS) {
  size_t Ends = Left.size() + std::min(Right.size(), Columns / 2) + 2;
  size_t Width = Columns - std::min(Ends, Columns);
  writeEnds(Left + fitMiddle(briefName(Name, Width), Width), Right, Columns,
            OS);
}

void writeWrapped(StringRef Text, size_t Indent, size_t Columns,
                  raw_ostream &OS) {
  size_t Column = Indent;
  OS.indent(Indent);
  SmallVector<StringRef> Parts;
  Text.split(Parts, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    if (Column > Indent && Column + 1 + Part.size() > Columns) {
      OS << '\n';
      OS.indent(Indent);
      Column = Indent;
    } else if (Column > Indent) {
      OS << ' ';
      ++Column;
    }
    OS << Part;
    Column += Part.size();
  }
  OS << '\n';
}

} // namespace linesman::report
