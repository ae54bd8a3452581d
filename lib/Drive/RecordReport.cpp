// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/RecordReport.h"
#include "DescribeSeen.h"
#include "linesman/Guard/Head.h"
#include "linesman/Report/Document.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>

using namespace llvm;
using namespace linesman::process;
using namespace linesman::watch;

namespace linesman::drive {

namespace {

std::string siteText(const SiteName &Name) {
  const watch::Frame &F = Name.Frames.front();
  return F.Source.empty() ? F.Function : F.Function + " " + F.Source;
}

class Namer {
public:
  explicit Namer(const Record &Recorded)
      : Symbols(Recorded.Modules), Sites(Recorded.Modules) {
    // describe() asks a session for what a record has as well.
    Session.Modules = Recorded.Modules;
    Session.ThreadNames = Recorded.ThreadNames;
  }

  RecordedFinding name(const RecordedLine &Line) {
    RecordedFinding Named;
    Named.Line = &Line;
    Named.Seen = describe("", Line.Line, Session, Symbols, Sites);
    if (Line.Block)
      for (RunAddress Frame : Line.Block->Stack)
        Named.Allocation.push_back(siteText(Sites.nameOf(Frame)));
    Named.Seen.Subject = subject(Named);
    return Named;
  }

  ProcessSymbols Symbols;

private:
  /// The object that most of the line is about: the first field's, or the
  /// block.
  static std::string subject(const RecordedFinding &Named) {
    for (const NamedField &F : Named.Seen.Fields)
      if (!F.Label.empty())
        return F.Label;
    if (const auto &Block = Named.Line->Block) {
      int64_t Offset = int64_t(Named.Line->Line.Watched.Address.Value) -
                       int64_t(Block->Begin.Value);
      return formatv("heap block of {0} bytes {1}{2}", Block->Size,
                     Offset < 0 ? "-" : "+", std::abs(Offset));
    }
    return "memory that no symbol and no heap block owns";
  }

  SessionResult Session;
  SiteNames Sites;
};

} // namespace

Expected<RecordReport> buildRecordReport(const Record &Recorded,
                                         StringRef Symbol, size_t Most) {
  RecordReport Result;
  Namer Names(Recorded);
  std::optional<ProcessObject> Only;
  if (!Symbol.empty()) {
    Expected<ProcessObject> Found = Names.Symbols.find(Symbol);
    if (!Found)
      return Found.takeError();
    Only = *Found;
    if (Symbol.contains('+'))
      Only->Size = 1;
  }
  for (const RecordedLine &Line : Recorded.Lines) {
    RunAddress Address = Line.Line.Watched.Address;
    if (Only) {
      if (Address.Value + Line.Line.Watched.Size <= Only->Address.Value ||
          Address.Value >=
              Only->Address.Value + std::max<uint64_t>(Only->Size, 1))
        continue;
    } else if (outcomeOf(Line.Line.Matrix.verdict()) != Outcome::Confirmed) {
      continue;
    }
    Result.Shares |=
        outcomeOf(Line.Line.Matrix.verdict()) == Outcome::Confirmed;
    if (Result.Lines.size() == Most)
      ++Result.Omitted;
    else
      Result.Lines.push_back(Names.name(Line));
  }
  for (const Prediction &P : Recorded.Predictions) {
    std::string First = Names.name(Recorded.Lines[P.First]).Seen.Subject;
    std::string Second = Names.name(Recorded.Lines[P.Second]).Seen.Subject;
    std::string Pair = First + " and " + Second;
    if (P.Reason == Prediction::Cause::LongerLines)
      Result.Predictions.push_back(
          formatv("{0} would share a line of {1} bytes", Pair, LinePair));
    else
      Result.Predictions.push_back(
          formatv("{0} would share a line if they were placed {1} bytes "
                  "lower",
                  Pair, P.Shift));
  }
  llvm::sort(Result.Predictions);
  Result.Predictions.erase(llvm::unique(Result.Predictions),
                           Result.Predictions.end());
  for (const LostCount &L : Recorded.Lost)
    Result.Notes.push_back(
        formatv("left out for lack of room: {0} ({1})", L.Subject, L.Count));
  return std::move(Result);
}

void writeText(const RecordReport &R, raw_ostream &OS) {
  for (const std::string &Note : R.Notes)
    OS << "note: " << Note << '\n';
  if (R.Lines.empty())
    OS << "no line is written by one thread and touched by another\n";
  for (const RecordedFinding &Line : R.Lines) {
    watch::writeText(Line.Seen, OS);
    if (Line.Line->Freed)
      OS << "  in " << Line.Line->Freed << " blocks that were freed\n";
    for (size_t I = 0; I != Line.Allocation.size(); ++I)
      OS << (I == 0 ? "  allocated by " : "            < ")
         << Line.Allocation[I] << '\n';
    OS << '\n';
  }
  if (R.Omitted)
    OS << R.Omitted << " more lines (--top)\n";
  if (!R.Predictions.empty())
    OS << "predicted:\n";
  for (const std::string &Prediction : R.Predictions)
    OS << "  " << Prediction << '\n';
}

static report::Finding describe(const RecordedFinding &Line) {
  report::Finding Found = describeLine(Line.Seen);
  Found.Reached = layout::Rung::Observed;
  Found.Score = Line.Line->Meetings;
  if (Line.Seen.Means == Outcome::Confirmed)
    Found.Kind = verdictName(Line.Seen.Says);
  if (Line.Line->Block)
    Found.Allocation = {Line.Line->Block->Size, Line.Line->Freed,
                        Line.Allocation};
  return Found;
}

static json::Object makeReport(StringRef Program, json::Array Findings) {
  json::Object Report = guard::makeHead("record");
  Report["binary"] = Program;
  Report["line_size"] = layout::LineSize().Bytes;
  Report["findings"] = std::move(Findings);
  return Report;
}

json::Value toJson(const RecordReport &R, StringRef Program) {
  json::Array Findings;
  for (const RecordedFinding &Line : R.Lines)
    Findings.push_back(report::toJson(describe(Line)));
  json::Object Report = makeReport(Program, std::move(Findings));
  Report["notes"] = json::Array(R.Notes);
  Report["predictions"] = json::Array(R.Predictions);
  if (R.Omitted)
    Report["hidden_findings"] = int64_t(R.Omitted);
  return Report;
}

json::Value toJudged(const RecordReport &R, StringRef Program) {
  json::Array Findings;
  for (const RecordedFinding &Line : R.Lines) {
    report::Finding Found = describe(Line);
    Found.Score.reset();
    if (Line.Seen.Means == Outcome::Confirmed)
      Findings.push_back(report::toJson(Found));
  }
  return makeReport(Program, std::move(Findings));
}

} // namespace linesman::drive
