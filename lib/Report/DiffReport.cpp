// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What changed, in words:
//
//     counter (written): new line-mate log_level; no longer table
//     finding counter: new, score 12.5

#include "MateNames.h"
#include "linesman/Guard/Head.h"
#include "linesman/Guard/Text.h"
#include "linesman/Report/Diff.h"
#include "linesman/Report/Document.h"
#include "linesman/Report/TextLines.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

std::string describeChange(const FindingChange &Change) {
  return describeChange(
      Change.OldScore, Change.NewScore,
      Change.OldId == Change.Id ? "" : guard::demangle(Change.OldId));
}

std::string describeChange(double OldScore, double NewScore,
                           StringRef OldName) {
  if (OldScore == 0)
    return "new, score " + number(NewScore);
  if (NewScore == 0)
    return "gone, score was " + number(OldScore);
  return ("score " + number(NewScore) + ", was " + number(OldScore) +
          (OldName.empty() ? "" : ", as " + OldName.str()));
}

std::string describeSide(const Finding &Line, double Score, StringRef Name) {
  if (Score > 0)
    return ", score " + number(Score);
  if (Line.score() > 0)
    return ", the finding " + Name.str() + ", score " + number(Line.score());
  return ", no finding";
}

void writeText(const DiffReport &Report, raw_ostream &OS) {
  for (const MateChange &Change : Report.Mates)
    writeText(Change, OS);
  for (const FindingChange &Change : Report.Findings)
    OS << "finding " << Change.Id << ": " << describeChange(Change) << '\n';
  if (Report.Mates.empty() && Report.Findings.empty())
    OS << "no object that is touched has another line-mate\n";
}

void writeJson(const DiffReport &Report, raw_ostream &OS) {
  json::OStream Json(OS, /*IndentSize=*/2);
  Json.object([&] {
    guard::writeHead("diff", Json);
    writeChanges(Report.Mates, Json);
    Json.attributeArray("findings", [&] {
      for (const FindingChange &Change : Report.Findings)
        Json.object([&] {
          Json.attribute("id", json::fixUTF8(Change.Id));
          if (!Change.OldId.empty() && Change.OldId != Change.Id)
            Json.attribute("old_id", json::fixUTF8(Change.OldId));
          writeScore("old_score", Change.OldScore, Json);
          writeScore("score", Change.NewScore, Json);
        });
    });
  });
  OS << '\n';
}

} // namespace linesman::report
