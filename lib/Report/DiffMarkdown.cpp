// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A comparison for a pull request: what maintainers ask for when somebody
// proposes another layout, numbers and the line with its fields.
//
//     ### Linesman: `store` → `store-isolated`, total score 12 → 0
//
//     | | median | quartiles |
//     ...
//     #### 1. `nil_root`: gone, score was 12
//
//     Before, line 0x8480 of .bss:
//         AAAA----BBBB
//         rrrr....wwww
//     After, line 0x9000 of .bss: no finding
//         ...

#include "Markdown.h"
#include "MateNames.h"
#include "linesman/Guard/Text.h"
#include "linesman/Report/Diff.h"
#include "linesman/Report/Formats.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

namespace {

/// Of line-mates that changed; a relink of everything has thousands.
constexpr size_t MatesInMarkdown = 20;

void writeMarkdownSide(StringRef Heading, const std::optional<Finding> &Is,
                       double Score, raw_ostream &OS) {
  OS << '\n' << Heading;
  if (!Is) {
    OS << ": no such object.\n";
    return;
  }
  if (const FindingLine *Line = Is->line(); Line && Line->Address)
    OS << ", line 0x" << utohexstr(*Line->Address, /*LowerCase=*/true) << " of "
       << code(Line->Section);
  OS << describeSide(*Is, Score, code(Is->Id)) << ":\n";
  std::string Picture;
  raw_string_ostream Stream(Picture);
  writeLinePicture(*Is, Stream);
  OS << '\n' << Fence << '\n' << Picture << Fence << '\n';
}

void writeMarkdownNumbers(const DiffNumbers &Is, raw_ostream &OS) {
  OS << formatv("\nMeasured: {0}, {1} is better; **{2}** ({3}, p = "
                "{4}).\n\n| | median | quartiles |\n|---|---|---|\n",
                code(Is.Metric), Is.Better, Is.Verdict,
                plural(Is.Rounds, "round"), number(Is.P));
  auto Row = [&](StringRef Name, const DiffNumbers::Side &Side) {
    OS << formatv("| {0} | {1} | {2} to {3} |\n", Name, number(Side.Median),
                  number(Side.LowQuartile), number(Side.HighQuartile));
  };
  Row("before", Is.Old);
  Row("after", Is.New);
  if (Is.Ratio > 0)
    OS << formatv("| after / before | {0} | {1} to {2} (95 % interval) |\n",
                  number(Is.Ratio), number(Is.Low), number(Is.High));
}

} // namespace

Expected<DiffNumbers> readNumbers(const json::Value &Root) {
  const json::Object *Top = Root.getAsObject();
  auto Text = [](const json::Object *Source, StringRef Key) {
    return Source ? Source->getString(Key).value_or("").str() : "";
  };
  if (Text(Top, "command") != "ab")
    return createStringError("expected what 'linesman ab --format=json' wrote");
  DiffNumbers Is;
  auto Side = [&](StringRef Key, DiffNumbers::Side &Drawn) {
    const json::Object *Source = Top->getObject(Key);
    std::optional<double> Median =
        Source ? Source->getNumber("median") : std::nullopt;
    if (!Median)
      return false;
    Drawn = {*Median, Source->getNumber("low_quartile").value_or(*Median),
             Source->getNumber("high_quartile").value_or(*Median)};
    return true;
  };
  if (!Side("a", Is.Old) || !Side("b", Is.New))
    return createStringError("expected 'median' in 'a' and in 'b': nothing "
                             "was measured");
  Is.Metric = Text(Top, "metric");
  Is.Better = Text(Top, "better");
  Is.Verdict = Text(Top, "verdict");
  Is.P = Top->getNumber("p").value_or(1);
  Is.Rounds = Top->getInteger("rounds").value_or(0);
  if (const json::Object *Ratio = Top->getObject("ratio")) {
    Is.Ratio = Ratio->getNumber("median").value_or(0);
    Is.Low = Ratio->getNumber("low").value_or(0);
    Is.High = Ratio->getNumber("high").value_or(0);
  }
  return Is;
}

void writeMarkdown(const DiffPage &Page, raw_ostream &OS) {
  OS << formatv("### Linesman: {0} → {1}, total score {2} → {3}\n",
                code(Page.OldPath), code(Page.NewPath), number(Page.OldTotal),
                number(Page.NewTotal));
  if (Page.Numbers)
    writeMarkdownNumbers(*Page.Numbers, OS);
  for (auto [I, Picture] : enumerate(Page.Pictures)) {
    OS << formatv("\n#### {0}. {1}: {2}\n", I + 1,
                  code(guard::demangle(Picture.Change.Id)),
                  describeChange(Picture.Change));
    writeMarkdownSide("Before", Picture.Old, Picture.Change.OldScore, OS);
    writeMarkdownSide("After", Picture.New, Picture.Change.NewScore, OS);
  }
  size_t More = Page.Report.Findings.size() - Page.Pictures.size();
  if (More)
    OS << '\n'
       << plural(More, "more finding") << " changed; --top=N draws them.\n";
  if (!Page.Report.Mates.empty()) {
    OS << "\n#### Line-mates that changed\n\n" << Fence << '\n';
    for (const MateChange &Change :
         Page.Report.Mates.take_front(MatesInMarkdown))
      writeText(Change, OS);
    if (Page.Report.Mates.size() > MatesInMarkdown)
      OS << "and " << Page.Report.Mates.size() - MatesInMarkdown
         << " more objects\n";
    OS << Fence << '\n';
  }
  if (Page.Report.Mates.empty() && Page.Report.Findings.empty())
    OS << "\nNo object that is touched has another line-mate.\n";
  OS << "\n<sub>A score is how many times an operation the line can change its "
        "owner, at most: it ranks, and is no cost. In a picture, each "
        "character is a byte: `w` written, `r` read, `a` atomic, `~` somewhere "
        "in the object, `-` a hole.</sub>\n";
}

} // namespace linesman::report
