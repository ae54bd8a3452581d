// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merged findings for people and for programs.
//
//     3 findings, 1 of them by several kinds of evidence; 2 dropped
//
//     1. Cache::hits                                  mixed, score 12,
//     suspected
//        fields of a.o              rank 1, score 12
//        adjacent-hot-fields        cache.cpp:30  'Cache::hits' is updated here
//        move `hits` away from `limit`: give it a line of its own

#include "linesman/Guard/Head.h"
#include "linesman/Report/Merge.h"
#include "linesman/Report/Report.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::report {

void writeJson(const MergedFindings &Merged, const Comparison *Changes,
               raw_ostream &OS) {
  json::OStream Json(OS, /*IndentSize=*/2);
  Json.object([&] {
    guard::writeHead(Merged.Command, Json);
    writeTotal(Merged.totalScore(), Changes, Json);
    Json.attribute("joint", int64_t(Merged.countJoint()));
    Json.attributeArray("findings", [&] {
      for (const Finding &Found : Merged.Findings)
        Json.value(toJson(Found));
    });
    if (Merged.Hidden)
      Json.attribute("hidden_findings", int64_t(Merged.Hidden));
    writeLimits(Merged.Blind, Merged.Reach, highestRung(Merged.Command), Json);
    Json.attributeArray("dropped", [&] {
      for (const Finding &Found : Merged.Dropped)
        Json.value(toJson(Found));
    });
  });
  Json.flush();
  OS << '\n';
}

static void writeEvidence(const FindingEvidence &Evidence, size_t Columns,
                          raw_ostream &OS) {
  std::string Text;
  if (!Evidence.Check.empty())
    Text = formatv("{0}: {1}", Evidence.Check, Evidence.Message);
  else
    Text =
        formatv("{0}: {1}, rank {2}, score {3}", Evidence.Source, Evidence.Id,
                Evidence.Rank, number(Evidence.Score.value_or(0)));
  if (std::string Place = baseName(placeText(Evidence.Place)); !Place.empty())
    Text = Place + ": " + Text;
  writeWrapped(Text, 3, Columns, OS);
}

static void writeFinding(const Finding &Found, size_t Number, size_t Columns,
                         raw_ostream &OS) {
  OS << '\n';
  writeNamed(formatv("{0}. ", Number), Found.Id, describeStanding(Found),
             Columns, OS);
  for (const FindingEvidence &Evidence : Found.Evidence)
    writeEvidence(Evidence, Columns, OS);
  for (StringRef Text :
       {StringRef(Found.Remark), StringRef(Found.Contradicted)})
    if (!Text.empty())
      writeWrapped(Text, 3, Columns, OS);
  if (Found.Remedy)
    writeWrapped(Found.Remedy->Kind + ": " + Found.Remedy->Text, 3, Columns,
                 OS);
}

double MergedFindings::totalScore() const {
  double Sum = HiddenScore;
  for (const Finding &Found : Findings)
    Sum += Found.score();
  return Sum;
}

uint64_t MergedFindings::countJoint() const {
  return count_if(Findings, [](const Finding &Found) {
    return any_of(Found.Evidence, [&](const FindingEvidence &Evidence) {
      return Evidence.Source != Found.Evidence.front().Source;
    });
  });
}

MergedFindings MergedFindings::first(uint64_t Most) const {
  MergedFindings Result = *this;
  if (Findings.size() <= Most)
    return Result;
  Result.Findings.resize(Most);
  Result.Hidden = Hidden + (Findings.size() - Most);
  Result.HiddenScore += totalScore() - Result.totalScore();
  return Result;
}

std::optional<layout::Rung> MergedFindings::highest() const {
  std::optional<layout::Rung> Highest;
  for (const Finding &Found : Findings)
    Highest = std::max(Highest, std::optional(Found.Reached));
  return Highest;
}

void writeText(const MergedFindings &Merged, uint64_t Most,
               const Comparison *Changes, size_t Columns, raw_ostream &OS) {
  OS << plural(Merged.Findings.size(), "finding");
  if (uint64_t Joint = Merged.countJoint())
    OS << ", " << Joint << " of them by several kinds of evidence";
  if (!Merged.Dropped.empty())
    OS << "; dropped, as facts contradict them: " << Merged.Dropped.size();
  OS << '\n';
  if (Changes || Merged.totalScore() > 0)
    OS << describeTotal(Merged.totalScore(), Changes) << '\n';
  uint64_t Shown = 0, More = 0, Accepted = 0;
  for (const Finding &Found : Merged.Findings) {
    if (Changes && !Changes->Unaccepted.count(Found.Id))
      ++Accepted;
    else if (Shown < Most)
      writeFinding(Found, ++Shown, Columns, OS);
    else
      ++More;
  }
  if (More)
    OS << '\n' << More << " more; --top=N shows more\n";
  if (Accepted)
    OS << '\n' << plural(Accepted, "accepted finding") << " not shown\n";
}

} // namespace linesman::report
