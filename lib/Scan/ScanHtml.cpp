// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table as one page: lib/Scan/page draws it from the data behind it.

#include "linesman/Report/Document.h"
#include "linesman/Report/Report.h"
#include "linesman/Scan/ScanReport.h"

using namespace llvm;
using namespace linesman::report;

namespace linesman::scan {

// The files of lib/Scan/page, from the build.
extern const StringLiteral PageBegin;
extern const StringLiteral PageScript;

static void writeUses(const Row &Is, json::OStream &Json) {
  Expected<Finding> Read = readFinding(Is.finding());
  if (!Read)
    return consumeError(Read.takeError());
  for (const FindingOccupant &Occupant : Read->Occupants)
    for (const FindingSite &Site : Occupant.Sites)
      Json.array([&] {
        Json.value(json::fixUTF8(Occupant.Name));
        Json.value(json::fixUTF8(Site.Access));
        Json.value(json::fixUTF8(Site.Function));
      });
}

/// Of one row: what is drawn, and no more, because a page has thousands.
static void writeRow(const Row &Is, json::OStream &Json) {
  const json::Object Top = Is.finding();
  writeScore("score", Is.Score, Json);
  for (StringRef Key : {"id", "kind", "marks", "threads_meet_by"})
    Json.attribute(Key, Top.getString(Key).value_or(""));
  if (const json::Object *Remedy = Top.getObject("remedy"))
    Json.attribute("remedy", Remedy->getString("text").value_or(""));
  Json.attributeArray("files", [&] {
    for (const ScannedFile *File : Is.files())
      Json.array([&] {
        Json.value(json::fixUTF8(File->Source.Package));
        Json.value(json::fixUTF8(File->Path));
      });
  });
  Json.attributeArray("uses", [&] { writeUses(Is, Json); });
}

void writeHtml(const ScanReport &Report, size_t Top, raw_ostream &OS) {
  std::string Text;
  raw_string_ostream Stream(Text);
  json::OStream Json(Stream);
  Json.object([&] {
    Json.attribute("read", int64_t(Report.Read));
    Json.attribute("packages", int64_t(Report.Scanned.packages().size()));
    Json.attribute("with", int64_t(Report.WithFindings));
    Json.attribute("findings", int64_t(Report.Findings));
    Json.attribute("all", int64_t(Report.Rows.size()));
    Json.attributeArray("rows", [&] {
      for (const Row &Line : ArrayRef(Report.Rows).take_front(Top))
        Json.object([&] { writeRow(Line, Json); });
    });
    Json.attributeArray("unread", [&] {
      for (const auto &[Key, File] : Report.Scanned.files())
        if (!File.Problem.empty())
          Json.array([&] {
            Json.value(json::fixUTF8(File.Source.Package));
            Json.value(json::fixUTF8(File.Path));
            Json.value(json::fixUTF8(File.Problem));
          });
    });
    Json.attributeArray("notes", [&] {
      for (const std::string &Note : Report.Notes)
        Json.value(json::fixUTF8(Note));
    });
  });
  OS << PageBegin;
  writeInScript(Text, OS);
  OS << "</script>\n<script>\n"
     << PageScript << "</script>\n</body>\n</html>\n";
}

} // namespace linesman::scan
