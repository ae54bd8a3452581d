// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads schema 1, whichever command wrote it.

#include "linesman/Guard/Document.h"
#include "linesman/Layout/Address.h"
#include "linesman/Report/Document.h"
#include "linesman/Report/Merge.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

SourcePlace parsePlace(StringRef Text) {
  auto [File, Line] = Text.rsplit(':');
  SourcePlace Place;
  if (to_integer(Line, Place.Line, 10))
    Place.File = File.str();
  else
    Place.File = Text.str();
  return Place;
}

std::string placeText(const SourcePlace &Place) {
  return Place.Line ? Place.File + ":" + utostr(Place.Line) : Place.File;
}

/// What a row of a baseline says besides.
static void readRow(const json::Object &Row, Finding &Found) {
  Found.AcceptedFiles = Row.getInteger("files").value_or(1);
  Found.AcceptedSource = Row.getString("source").value_or("").str();
  if (const json::Array *Mates = Row.getArray("line_mates"))
    for (const json::Value &Mate : *Mates)
      if (std::optional<StringRef> Name = Mate.getAsString())
        Found.AcceptedMates.push_back(Name->str());
}

Expected<Document> readReport(const json::Value &Root) {
  const json::Object *Top = Root.getAsObject();
  const json::Array *Findings = Top ? Top->getArray("findings") : nullptr;
  // It has findings, and none of a report.
  if (Top && Top->getString("command") == "lock")
    return createStringError("not a report: this is a lock, which 'linesman "
                             "diff --lock' takes");
  if (!Findings)
    return createStringError("not a report: it has no 'findings'");
  if (Top->getInteger("schema") != std::optional<int64_t>(1))
    return createStringError("not a report of schema 1");
  Document Result;
  Result.Command = Top->getString("command").value_or("");
  Result.Binary = Top->getString("binary").value_or("");
  Result.LineSize =
      Top->getInteger("line_size").value_or(layout::LineSize().Bytes);
  Result.Hidden = Top->getInteger("hidden_findings").value_or(0);
  Result.Blind = Top->getString("blind").value_or("");
  Result.Reach = highestRung(Result.Command);
  if (std::optional<Rung> Reach =
          parseRung(Top->getString("highest_rung").value_or("")))
    Result.Reach = std::min(Result.Reach, *Reach);
  if (const json::Array *Notes = Top->getArray("notes"))
    for (const json::Value &Note : *Notes)
      if (std::optional<StringRef> Text = Note.getAsString())
        Result.Notes.push_back(Text->str());
  for (const json::Value &Entry : *Findings) {
    static const json::Object Nothing;
    const json::Object *One = Entry.getAsObject();
    Expected<Finding> Read = readFinding(One ? *One : Nothing);
    if (!Read)
      return Read.takeError();
    Read->IsAccepted = Result.Command == "baseline";
    if (One && Read->IsAccepted)
      readRow(*One, *Read);
    Result.Findings.push_back(std::move(*Read));
  }
  for (const Finding &F : Result.Findings)
    Result.TotalScore += F.score();
  // It knows of what --top left out.
  Result.TotalScore = Top->getNumber("total_score").value_or(Result.TotalScore);
  return Result;
}

layout::Rung highestRung(StringRef Command) {
  return StringSwitch<layout::Rung>(Command)
      .Cases({"layout", "diff", "plan", "scan"}, layout::Rung::Located)
      .Case("record", layout::Rung::Observed)
      .Default(layout::Rung::Costed);
}

Expected<Document> parseReport(StringRef Text) {
  if (Text.trim().empty())
    return createStringError("an empty file");
  Expected<json::Value> Root = guard::parseJson(Text);
  if (!Root)
    return Root.takeError();
  return readReport(*Root);
}

Expected<Document> readReportFile(StringRef Path, guard::Source Origin) {
  Expected<std::unique_ptr<MemoryBuffer>> File =
      guard::readDocument(Path, Origin);
  if (!File)
    return File.takeError();
  Expected<Document> Report = parseReport((*File)->getBuffer());
  if (!Report)
    return createFileError(Path, Report.takeError());
  return Report;
}

} // namespace linesman::report
