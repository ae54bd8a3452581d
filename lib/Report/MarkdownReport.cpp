// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A comment for a pull request:
//
//     ### Linesman: 1 finding, total score 12
//
//     #### 1. `stats` (mixed, score 12, located)
//     `stats` is written 3 times an operation, on the cache line of `limit`
//
//         AAAAAAAA----BBBB
//         wwwwwwww....rrrr
//
//         A  +0    8  stats        written 3
//         B  +12   4  limit        read 3

#include "LinePicture.h"
#include "Markdown.h"
#include "UseTexts.h"
#include "linesman/Report/Formats.h"
#include "linesman/Report/Patch.h"
#include "linesman/Report/Report.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::report {

namespace {

/// Bystanders are not what a finding is about.
constexpr size_t SitesOfOccupant = 3;

std::string stateText(const Finding &F) {
  switch (F.State) {
  case FindingState::NotCompared:
  case FindingState::Same:
    return "";
  case FindingState::New:
    return ", new";
  case FindingState::Worse:
    return ", worse: score was " + number(F.OldScore);
  case FindingState::Better:
    return ", better: score was " + number(F.OldScore);
  }
  llvm_unreachable("unknown state");
}

void writeMeasured(const Finding &F, raw_ostream &OS) {
  if (F.Cost)
    OS << formatv("\nMeasured{0}: {1} {2} before, {3} after; {4}, p {5}, "
                  "{6}.\n",
                  F.Cost->IsSimulated ? " (simulated)" : "", F.Cost->Metric,
                  number(F.Cost->Before), number(F.Cost->After),
                  costText(*F.Cost), number(F.Cost->P),
                  plural(F.Cost->Windows, "window"));
  if (!F.Seen)
    return;
  OS << "\nWatched: " << F.Seen->Verdict
     << (F.Seen->Outcome.empty() ? "" : ", " + F.Seen->Outcome) << ".\n";
  if (!F.Seen->hasAccesses())
    return;
  OS << "\n| byte | thread | reads | writes | where |\n|---|---|---|---|---|\n";
  for (const ObservedWord &Word : F.Seen->Words)
    for (const ObservedAccess &A : Word.Accesses)
      OS << formatv("| {0} | {1} | {2} | {3} | {4} |\n", Word.Offset,
                    code(threadName(A)), A.Reads, A.Writes,
                    A.Sites.empty() ? "" : code(placeText(A.Sites.front())));
}

void writeFinding(const Finding &F, size_t Number, raw_ostream &OS) {
  OS << formatv("\n#### {0}. {1} ({2}{3})\n\n", Number, code(briefName(F.Id)),
                describeStanding(F), stateText(F));
  if (SourcePlace Place = primaryPlace(F))
    OS << code(placeText(Place)) << ": ";
  OS << (F.check() ? code(F.check()->Check) + ": " : "") << summarize(F)
     << ".\n";
  std::string Picture;
  raw_string_ostream Stream(Picture);
  writeLinePicture(F, Stream);
  if (!Picture.empty())
    OS << '\n' << Fence << '\n' << Picture << Fence << '\n';
  writeMeasured(F, OS);
  for (const FindingEvidence &Evidence : F.Evidence)
    if (!Evidence.Check.empty() && Evidence.Message != summarize(F))
      OS << formatv("\n- {0}{1}: {2}\n",
                    Evidence.Place ? code(placeText(Evidence.Place)) + ": "
                                   : "",
                    code(Evidence.Check), Evidence.Message);
  if (!F.Remark.empty())
    OS << '\n' << F.Remark << ".\n";
  if (F.Remedy && !F.Remedy->Text.empty())
    OS << formatv("\n*{0}*: {1}\n", F.Remedy->Kind, F.Remedy->Text);
  for (const FindingEdit &Edit : F.Fix) {
    OS << '\n' << code(placeText(Edit.Place)) << ":\n\n" << Fence << "diff\n";
    writeEdit(Edit, OS);
    OS << Fence << '\n';
  }
}

} // namespace

void writeLinePicture(const Finding &Found, raw_ostream &OS) {
  if (Found.Marks.empty() || none_of(Found.Occupants, [&](const auto &O) {
        return Found.offsetOf(O).has_value();
      }))
    return;
  std::string Owners(Found.Marks.size(), ' ');
  std::string Letters;
  size_t Next = 0;
  for (const FindingOccupant &Occupant : Found.Occupants) {
    char Letter =
        !Occupant.isObject() && !StringRef(Occupant.Name).starts_with("[.")
            ? '-'
        : Next < 26 ? char('A' + Next)
                    : '#';
    Next += Letter != '-';
    Letters += Letter;
    const std::optional<int64_t> Offset = Found.offsetOf(Occupant);
    for (int64_t I = 0; Offset && I != int64_t(Occupant.Size); ++I)
      if (uint64_t(*Offset + I) < Owners.size())
        Owners[*Offset + I] = Letter;
  }
  for (size_t Row = 0; Row < Owners.size(); Row += RowBytes)
    OS << StringRef(Owners).substr(Row, RowBytes).rtrim() << '\n'
       << StringRef(Found.Marks).substr(Row, RowBytes).rtrim() << '\n';
  OS << '\n';
  for (auto [Letter, Occupant] : zip(Letters, Found.Occupants)) {
    if (Letter == '-')
      continue;
    OS << formatv("{0}  {1,-5} {2,4}  {3}", Letter,
                  "+" + std::to_string(Found.offsetOf(Occupant).value_or(0)),
                  Occupant.Size, briefName(Occupant.Name));
    if (std::string Text = join(useTexts(Occupant), ", "); !Text.empty())
      OS << ": " << Text;
    OS << '\n';
    // What is reached in several ways is one place here.
    SmallVector<std::string> Sites;
    for (const FindingSite &Site : Occupant.Sites) {
      std::string Text =
          formatv("{0,-6} {1} in {2}", Site.Access, placeText(Site.Place),
                  briefName(Site.Function));
      if (Site.Place && !Site.isStartUp() && Sites.size() < SitesOfOccupant &&
          !is_contained(Sites, Text))
        Sites.push_back(std::move(Text));
    }
    for (StringRef Site : Sites)
      OS.indent(15) << Site << '\n';
  }
}

void writeMarkdown(const Document &Report, raw_ostream &OS) {
  OS << "### Linesman"
     << (Report.Binary.empty() ? "" : ", " + code(Report.Binary)) << ": "
     << plural(Report.Findings.size() + Report.Hidden, "finding");
  if (Report.TotalScore > 0)
    OS << ", total score " << number(Report.TotalScore);
  OS << '\n';
  if (const auto &Changes = Report.Changes)
    OS << formatv("\nAgainst the baseline: {0} new, {1} worse, {2} better, {3} "
                  "gone; the total score was {4}.\n",
                  Changes->New, Changes->Worse, Changes->Better, Changes->Gone,
                  number(Changes->OldTotal));
  for (auto [Number, F] : enumerate(Report.Findings))
    writeFinding(F, Number + 1, OS);
  if (Report.Hidden)
    OS << '\n' << plural(Report.Hidden, "more finding") << ".\n";
  if (!Report.Findings.empty())
    OS << "\n<sub>A score is how many times an operation the line can change "
          "its owner, at most: it ranks, and is no cost. In a picture, each "
          "character is a byte: `w` written, `r` read, `a` atomic, `~` "
          "somewhere in the object, `-` a hole.</sub>\n";
  for (const std::string &Note : Report.Notes)
    OS << "\n<sub>" << code(Note) << "</sub>\n";
}

} // namespace linesman::report
