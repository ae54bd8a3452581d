// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A comparison as one page that needs neither network nor script: each line
// before and after, a cell a byte in the colours of the layout's page, and what
// was measured.

#include "MateNames.h"
#include "linesman/Guard/Text.h"
#include "linesman/Report/Diff.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

namespace {

constexpr StringLiteral Begin = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="linesman">
<title>Linesman: before and after</title>
<style>
:root { color-scheme: light dark; --write: #e8862e; --atomic: #b03060; --read: #4c9be8; --some: #c9b458; --none: #8884; --edge: #8886; --soft: #888; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; }
h1, h2, td, .mates { overflow-wrap: anywhere; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin-top: 2em; border-top: 1px solid var(--edge); padding-top: 1em; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5em; }
@media (max-width: 800px) { .sides { grid-template-columns: 1fr; } }
.line { display: grid; grid-template-columns: repeat(16, 1fr); gap: 2px; margin: .5em 0; }
.line i { height: 1.7em; background: var(--none); border-radius: 2px; font: 12px/1.7em ui-monospace, monospace; text-align: center; }
.line i.hole { background: none; border: 1px dashed var(--edge); box-sizing: border-box; }
i.w { background: var(--write) !important; color: #fff; } i.a { background: var(--atomic) !important; color: #fff; }
i.r { background: var(--read) !important; color: #fff; } i.s { background: var(--some) !important; color: #000; }
.legend i { display: inline-block; width: 1em; height: 1em; margin: 0 .3em 0 1em; vertical-align: -.1em; background: var(--none); }
table { border-collapse: collapse; } td, th { text-align: left; padding: .1em .8em .1em 0; vertical-align: top; }
.soft, .legend { color: var(--soft); }
@media print { body { max-width: none; } i { print-color-adjust: exact; } }
</style>
</head>
<body>
)";

constexpr StringLiteral Legend =
    "<p class=\"legend\"><i class=\"w\"></i>written<i class=\"a\"></i>atomic<i "
    "class=\"r\"></i>read<i class=\"s\"></i>somewhere in the object<i></i>no "
    "known access. A score is how many times an operation the line can change "
    "its owner, at most: it ranks, and is no cost.</p>\n";

/// Of line-mates that changed; a relink of everything has thousands.
constexpr size_t MatesInPage = 200;

std::string escaped(StringRef Text) {
  std::string Result;
  raw_string_ostream OS(Result);
  printHTMLEscaped(Text, OS);
  return Result;
}

StringRef classOf(char Mark) {
  switch (Mark) {
  case 'w':
    return "w";
  case 'a':
    return "a";
  case 'r':
    return "r";
  case '~':
    return "s";
  default:
    return "";
  }
}

std::string letterOf(size_t Number) {
  return std::string(1, Number < 26 ? char('A' + Number) : '#');
}

void writeLine(const Finding &Is, raw_ostream &OS) {
  std::vector<const FindingOccupant *> Owners(Is.Marks.size());
  std::vector<const FindingOccupant *> Objects;
  for (const FindingOccupant &Occupant : Is.Occupants) {
    if (!Occupant.isObject() && !StringRef(Occupant.Name).starts_with("[."))
      continue;
    Objects.push_back(&Occupant);
    const std::optional<int64_t> Offset = Is.offsetOf(Occupant);
    for (uint64_t I = 0; Offset && I != Occupant.Size; ++I)
      if (uint64_t(*Offset + I) < Owners.size())
        Owners[*Offset + I] = &Occupant;
  }
  OS << "<div class=\"line\">";
  const FindingOccupant *Before = nullptr;
  for (auto [Owner, Mark] : zip(Owners, Is.Marks)) {
    bool IsFirst = Owner && Owner != std::exchange(Before, Owner);
    OS << formatv("<i class=\"{0}\" title=\"{1}\">{2}</i>",
                  Owner ? classOf(Mark) : StringRef("hole"),
                  Owner ? escaped(Owner->Name) : "hole",
                  IsFirst ? letterOf(find(Objects, Owner) - Objects.begin())
                          : "");
  }
  OS << "</div>\n<table>\n";
  for (auto [I, Occupant] : enumerate(Objects)) {
    OS << formatv("<tr><td>{0}</td><td>{1}<div class=\"soft\">+{2}, {3}",
                  letterOf(I), escaped(Occupant->Name),
                  Is.offsetOf(*Occupant).value_or(0),
                  plural(Occupant->Size, "byte"));
    if (Occupant->Defined)
      OS << formatv(", {0}:{1}", escaped(Occupant->Defined.File),
                    Occupant->Defined.Line);
    OS << "</div></td><td>";
    for (auto [Word, Weight] : {std::pair("writes", Occupant->Writes),
                                {"atomics", Occupant->Atomics},
                                {"reads", Occupant->Reads}})
      if (Weight > 0)
        OS << Word << ' ' << number(Weight) << "<br>";
    OS << "</td></tr>\n";
  }
  OS << "</table>\n";
}

void writeHtmlSide(StringRef Heading, const std::optional<Finding> &Is,
                   double Score, raw_ostream &OS) {
  OS << "<div><b>" << Heading << "</b>";
  if (!Is) {
    OS << ": no such object</div>\n";
    return;
  }
  if (const FindingLine *Line = Is->line(); Line && Line->Address)
    OS << formatv(", line 0x{0} of {1}",
                  utohexstr(*Line->Address, /*LowerCase=*/true),
                  escaped(Line->Section));
  OS << describeSide(*Is, Score, escaped(Is->Id));
  writeLine(*Is, OS);
  OS << "</div>\n";
}

void writeHtmlNumbers(const DiffNumbers &Is, raw_ostream &OS) {
  OS << formatv(
      "<p>Measured: <code>{0}</code>, {1} is better; <b>{2}</b> ({3}, "
      "p = {4}).</p>\n<table><tr><th></th><th>median</th><th>"
      "quartiles</th></tr>\n",
      escaped(Is.Metric), escaped(Is.Better), escaped(Is.Verdict),
      plural(Is.Rounds, "round"), number(Is.P));
  for (auto [Name, Side] : {std::pair("before", Is.Old), {"after", Is.New}})
    OS << formatv("<tr><td>{0}</td><td>{1}</td><td>{2} to {3}</td></tr>\n",
                  Name, number(Side.Median), number(Side.LowQuartile),
                  number(Side.HighQuartile));
  if (Is.Ratio > 0)
    OS << formatv("<tr><td>after / before</td><td>{0}</td><td>{1} to {2} (95 % "
                  "interval)</td></tr>\n",
                  number(Is.Ratio), number(Is.Low), number(Is.High));
  OS << "</table>\n";
}

} // namespace

void writeHtml(const DiffPage &Page, raw_ostream &OS) {
  OS << Begin
     << formatv("<h1><code>{0}</code> → <code>{1}</code></h1>\n<p>total score "
                "{2} → {3}</p>\n",
                escaped(Page.OldPath), escaped(Page.NewPath),
                number(Page.OldTotal), number(Page.NewTotal));
  if (Page.Numbers)
    writeHtmlNumbers(*Page.Numbers, OS);
  OS << Legend;
  for (auto [I, Picture] : enumerate(Page.Pictures)) {
    OS << formatv("<h2>{0}. {1}: {2}</h2>\n<div class=\"sides\">\n", I + 1,
                  escaped(guard::demangle(Picture.Change.Id)),
                  escaped(describeChange(Picture.Change)));
    writeHtmlSide("Before", Picture.Old, Picture.Change.OldScore, OS);
    writeHtmlSide("After", Picture.New, Picture.Change.NewScore, OS);
    OS << "</div>\n";
  }
  if (size_t More = Page.Report.Findings.size() - Page.Pictures.size())
    OS << "<p>" << plural(More, "more finding")
       << " changed; --top=N draws them.</p>\n";
  if (!Page.Report.Mates.empty()) {
    OS << "<h2>Line-mates that changed</h2>\n<ul class=\"mates\">\n";
    for (const MateChange &Change : Page.Report.Mates.take_front(MatesInPage)) {
      std::string Text;
      raw_string_ostream Stream(Text);
      writeText(Change, Stream);
      OS << "<li>" << escaped(StringRef(Text).rtrim()) << "</li>\n";
    }
    OS << "</ul>\n";
    if (Page.Report.Mates.size() > MatesInPage)
      OS << "<p>and " << Page.Report.Mates.size() - MatesInPage
         << " more objects</p>\n";
  }
  if (Page.Report.Mates.empty() && Page.Report.Findings.empty())
    OS << "<p>No object that is touched has another line-mate.</p>\n";
  OS << "</body>\n</html>\n";
}

} // namespace linesman::report
