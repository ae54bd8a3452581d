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

/// Of one row: what is drawn, and no more, because a page has thousands.
static json::Object describe(const Row &Is) {
  json::Object Result{{"score", Is.Score}};
  json::Object Top = Is.finding();
  for (StringRef Key : {"id", "kind", "marks", "threads_meet_by"})
    Result[Key] = Top.getString(Key).value_or("").str();
  if (const json::Object *Remedy = Top.getObject("remedy"))
    Result["remedy"] = Remedy->getString("text").value_or("").str();
  json::Array Files, Uses;
  for (const ScannedFile *File : Is.files())
    Files.push_back(json::Array{json::fixUTF8(File->Source.Package),
                                json::fixUTF8(File->Path)});
  Result["files"] = std::move(Files);
  if (Expected<Finding> Read = readFinding(Top)) {
    for (const FindingOccupant &Occupant : Read->Occupants)
      for (const FindingSite &Site : Occupant.Sites)
        Uses.push_back(json::Array{json::fixUTF8(Occupant.Name),
                                   json::fixUTF8(Site.Access),
                                   json::fixUTF8(Site.Function)});
  } else {
    consumeError(Read.takeError());
  }
  Result["uses"] = std::move(Uses);
  return Result;
}

void writeHtml(const ScanReport &Report, size_t Top, raw_ostream &OS) {
  json::Array Rows, Unread, Notes;
  for (const Row &Line : ArrayRef(Report.Rows).take_front(Top))
    Rows.push_back(describe(Line));
  for (const auto &[Key, File] : Report.Scanned.files())
    if (!File.Problem.empty())
      Unread.push_back(json::Array{json::fixUTF8(File.Source.Package),
                                   json::fixUTF8(File.Path),
                                   json::fixUTF8(File.Problem)});
  for (const std::string &Note : Report.Notes)
    Notes.push_back(json::fixUTF8(Note));
  json::Object Data{{"read", int64_t(Report.Read)},
                    {"packages", int64_t(Report.Scanned.packages().size())},
                    {"with", int64_t(Report.WithFindings)},
                    {"findings", int64_t(Report.Findings)},
                    {"all", int64_t(Report.Rows.size())},
                    {"rows", std::move(Rows)},
                    {"unread", std::move(Unread)},
                    {"notes", std::move(Notes)}};
  std::string Text;
  raw_string_ostream(Text) << json::Value(std::move(Data));
  OS << PageBegin;
  writeInScript(Text, OS);
  OS << "</script>\n<script>\n"
     << PageScript << "</script>\n</body>\n</html>\n";
}

} // namespace linesman::scan
