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

#include "linesman/Report/Merge.h"
#include "linesman/Report/Report.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::report {

void writeJson(const MergedFindings &Merged, const Comparison *Against,
               raw_ostream &OS) {
  json::OStream Json(OS, /*IndentSize=*/2);
  Json.object([&] {
    writeHead(Merged.Command, Json);
    writeTotal(Merged.totalScore(), Against, Json);
    Json.attribute("joint", int64_t(Merged.Joint));
    Json.attributeArray("findings", [&] {
      for (const json::Value &Finding : Merged.Findings)
        Json.value(Finding);
    });
    if (Merged.Hidden)
      Json.attribute("hidden_findings", int64_t(Merged.Hidden));
    Json.attributeArray("dropped", [&] {
      for (const json::Value &Finding : Merged.Dropped)
        Json.value(Finding);
    });
  });
  Json.flush();
  OS << '\n';
}

static void writeEvidence(const json::Object &Each, size_t Columns,
                          raw_ostream &OS) {
  std::string Text;
  if (std::optional<StringRef> Check = Each.getString("check"))
    Text = formatv("{0}: {1}", *Check, Each.getString("message").value_or(""));
  else
    Text = formatv(
        "{0}: {1}, rank {2}, score {3}", Each.getString("from").value_or(""),
        Each.getString("id").value_or(""), Each.getInteger("rank").value_or(0),
        number(Each.getNumber("score").value_or(0)));
  if (std::string Place = baseName(Each.getString("source").value_or(""));
      !Place.empty())
    Text = Place + ": " + Text;
  writeWrapped(Text, 3, Columns, OS);
}

static void writeFinding(const json::Object &Finding, size_t Number,
                         size_t Columns, raw_ostream &OS) {
  std::string Facts =
      formatv("{0}, score {1}, {2}", Finding.getString("kind").value_or(""),
              number(Finding.getNumber("score").value_or(0)),
              Finding.getString("rung").value_or(""));
  OS << '\n';
  writeEnds(
      formatv("{0}. {1}", Number, Finding.getString("id").value_or("")).str(),
      Facts, Columns, OS);
  if (const json::Array *Evidence = Finding.getArray("evidence"))
    for (const json::Value &Each : *Evidence)
      if (const json::Object *One = Each.getAsObject())
        writeEvidence(*One, Columns, OS);
  for (StringRef Key : {"remark", "contradicted"})
    if (std::optional<StringRef> Text = Finding.getString(Key))
      writeWrapped(*Text, 3, Columns, OS);
  if (const json::Object *Remedy = Finding.getObject("remedy"))
    writeWrapped(formatv("{0}: {1}", Remedy->getString("kind").value_or(""),
                         Remedy->getString("text").value_or(""))
                     .str(),
                 3, Columns, OS);
}

double MergedFindings::totalScore() const {
  double Sum = HiddenScore;
  for (const json::Value &Value : Findings)
    if (const json::Object *Finding = Value.getAsObject())
      Sum += Finding->getNumber("score").value_or(0);
  return Sum;
}

MergedFindings MergedFindings::first(uint64_t Most) const {
  MergedFindings Result = *this;
  if (Findings.size() <= Most)
    return Result;
  while (Result.Findings.size() > Most)
    Result.Findings.pop_back();
  Result.Hidden = Hidden + (Findings.size() - Most);
  Result.HiddenScore += totalScore() - Result.totalScore();
  return Result;
}

std::optional<layout::Rung> MergedFindings::highest() const {
  std::optional<layout::Rung> Highest;
  for (const json::Value &Value : Findings)
    if (const json::Object *Finding = Value.getAsObject())
      Highest =
          std::max(Highest, parseRung(Finding->getString("rung").value_or("")));
  return Highest;
}

void writeText(const MergedFindings &Merged, uint64_t Most,
               const Comparison *Against, size_t Columns, raw_ostream &OS) {
  OS << plural(Merged.Findings.size(), "finding");
  if (Merged.Joint)
    OS << ", " << Merged.Joint << " of them by several kinds of evidence";
  if (!Merged.Dropped.empty())
    OS << "; dropped, as facts contradict them: " << Merged.Dropped.size();
  OS << '\n' << describeTotal(Merged.totalScore(), Against) << '\n';
  uint64_t Shown = 0, More = 0, Accepted = 0;
  for (const json::Value &Value : Merged.Findings) {
    const json::Object *Finding = Value.getAsObject();
    if (!Finding)
      continue;
    if (Against &&
        !Against->Unaccepted.count(Finding->getString("id").value_or("")))
      ++Accepted;
    else if (Shown < Most)
      writeFinding(*Finding, ++Shown, Columns, OS);
    else
      ++More;
  }
  if (More)
    OS << '\n' << More << " more; --top=N shows more\n";
  if (Accepted)
    OS << '\n' << plural(Accepted, "accepted finding") << " not shown\n";
}

} // namespace linesman::report
