// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result of a search:
//
//     page 0x5000 of store explains 97 % of the slow-down
//       posterior 0.995, p 0.004
//       16000 with all pages local, 45000 with all remote; 44200 with this page
//       alone remote, 16100 with all but it
//       on it: nil_root, log_level, +3
//       by facts: 1. nil_root (mixed, score 12.5, line 0x5040)
//
//     31 windows: 10 to calibrate, 11 to search, 10 to confirm

#include "linesman/Drive/BisectReport.h"
#include "linesman/Guard/Head.h"
#include "linesman/Process/State.h"
#include "linesman/Report/Document.h"
#include "linesman/Report/Report.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::process;

namespace linesman::drive {

namespace {

/// Findings of a page that are worth a reader's glance.
constexpr size_t FindingsInReport = 3;

std::string nameOf(const BisectReport &Report, const PageCandidate &C) {
  if (Report.Searched == SearchedFor::Symbols && !C.Symbols.empty())
    return C.Symbols.front();
  return formatv("page {0:x} of {1}", C.Pages.Begin.Value,
                 sys::path::filename(C.Module));
}

/// Findings are looked for on lines of the usual size.
constexpr layout::LineSize AssumedLine;

layout::LinkAddress addressOf(const layout::LineFinding &Found) {
  return {Found.Line.Value * AssumedLine.Bytes};
}

/// The findings of the program's facts on a candidate, best first.
std::vector<const layout::LineFinding *> findingsOn(const BisectReport &Report,
                                                    const PageCandidate &C) {
  std::vector<const layout::LineFinding *> Result;
  if (Report.Binary && C.Module == Report.Program)
    for (const layout::LineFinding &F : Report.Findings)
      if (C.Pages.contains(addressOf(F)))
        Result.push_back(&F);
  return Result;
}

void writeCulprit(const BisectReport &Report, const Culprit &Found,
                  raw_ostream &OS) {
  const PageCandidate &C = Report.Candidates[Found.Candidate];
  const Calibration &Levels = Report.Result.Levels;
  StringRef Things =
      Report.Searched == SearchedFor::Pages ? "pages" : "symbols";
  OS << formatv("{0} explains {1} % of the slow-down{2}\n", nameOf(Report, C),
                report::percentText(Found.Explains),
                Report.Simulated ? " (simulated)" : "");
  OS << formatv("  posterior {0:f3}, p {1}\n", Found.Posterior,
                report::probabilityText(Found.P));
  OS << formatv("  {0}: {1} with all {5} local, {2} with all remote; {3} with "
                "it alone remote, {4} with all but it\n",
                Report.Metric, report::measurementText(Levels.Local),
                report::measurementText(Levels.Remote),
                report::measurementText(Found.Alone),
                report::measurementText(Found.AllBut), Things);
  if (Report.Searched == SearchedFor::Pages)
    OS << "  on it: " << (C.Symbols.empty() ? "no symbols" : shorten(C.Symbols))
       << '\n';
  std::vector<const layout::LineFinding *> Findings = findingsOn(Report, C);
  for (size_t I = 0; I != std::min(FindingsInReport, Findings.size()); ++I)
    OS << formatv("  by facts: {0}. {1} ({2}, score {3}, line {4:x})\n", I + 1,
                  Findings[I]->Id, report::word(Findings[I]->Kind),
                  report::number(Findings[I]->Points.total()),
                  addressOf(*Findings[I]).Value);
}

/// What "no effect" is about, and what it is not.
void writeSearched(const BisectReport &Report, raw_ostream &OS) {
  const bisect::Result &R = Report.Result;
  if (!Report.NotSearched)
    return;
  std::map<std::string, size_t> Searched;
  for (const PageCandidate &C : Report.Candidates)
    ++Searched[C.Module];
  auto List = [](const std::map<std::string, size_t> &Counts) {
    std::string Text;
    for (const auto &[Path, Pages] : Counts)
      Text += formatv("{0}{1} page{2} of {3}", Text.empty() ? "" : ", ", Pages,
                      Pages == 1 ? "" : "s", sys::path::filename(Path))
                  .str();
    return Text;
  };
  OS << "  searched: " << List(Searched) << '\n';
  OS << "  not searched: "
     << (Report.NotSearched->empty() ? "" : List(*Report.NotSearched) + "; ")
     << "the heap, stacks, thread-local and read-only data\n";
  if (!R.Whole)
    return;
  const double Away = std::abs(R.Whole->Remote - R.Whole->Local);
  const bool Matters = Away > 3 * R.Levels.Spread;
  OS << formatv("  all memory of the program, one window each: {0} local, {1} "
                "remote: {2}\n",
                report::measurementText(R.Whole->Local),
                report::measurementText(R.Whole->Remote),
                Matters ? "the slow-down is there, elsewhere: in the heap, on "
                          "stacks, or in what was not searched"
                        : "no difference either");
}

/// The one decision between "no effect" and "too noisy".
void writeEffect(const bisect::Result &R, raw_ostream &OS) {
  OS << formatv("  all remote adds {0} to {1} (95 %); what would matter is {2} "
                "or more\n",
                report::measurementText(R.Effect.Low),
                report::measurementText(R.Effect.High),
                report::measurementText(R.Margin));
}

/// What was taken out of the levels, and which windows were.
void writeNoise(const bisect::Result &R, raw_ostream &OS) {
  if (!R.Judged)
    return;
  OS << formatv("{0} of {1} windows of a known state did not look like it",
                R.Flipped, R.Judged);
  if (R.Drift != 0)
    OS << formatv("; the metric drifts by {0} a window, which is taken out",
                  report::measurementText(R.Drift));
  OS << '\n';
}

void writeOutcome(const BisectReport &Report, raw_ostream &OS) {
  const bisect::Result &R = Report.Result;
  double Ratio = R.Levels.effectOverSpread();
  StringRef Subject = Report.Searched == SearchedFor::Pages ? "page" : "symbol";
  switch (R.Outcome) {
  case bisect::Verdict::Found:
    break;
  case bisect::Verdict::Partly:
    OS << formatv("the rest of the slow-down has no one {0}\n", Subject);
    break;
  case bisect::Verdict::NoEffect:
    if (!Report.CannotTell.empty())
      OS << "cannot tell: " << Report.CannotTell << '\n';
    OS << formatv("{4}: {0} with all {3}s local, {1} with all remote, "
                  "and windows differ by {2}\n",
                  report::measurementText(R.Levels.Local),
                  report::measurementText(R.Levels.Remote),
                  report::measurementText(R.Levels.Spread), Subject,
                  Report.CannotTell.empty() ? "no effect" : "seen");
    writeEffect(R, OS);
    writeSearched(Report, OS);
    break;
  case bisect::Verdict::TooNoisy:
    OS << formatv("too noisy to search: {0} with all {3}s local, {1} with all "
                  "remote, but windows differ by {2}\n",
                  report::measurementText(R.Levels.Local),
                  report::measurementText(R.Levels.Remote),
                  report::measurementText(R.Levels.Spread), Subject);
    writeEffect(R, OS);
    OS << formatv("  windows {0} times as long would tell; so would a quieter "
                  "machine, or pinned threads\n",
                  report::measurementText(R.LengthenBy));
    break;
  case bisect::Verdict::Undecided:
    OS << formatv("undecided: the slow-down is there, and no {0} could be "
                  "confirmed to cause it\n",
                  Subject);
    break;
  case bisect::Verdict::Stopped:
    OS << formatv("stopped after {0}: the verdict is partial\n",
                  report::plural(R.Windows.total(), "window"));
    break;
  }
  if (R.Suspect && R.Outcome != bisect::Verdict::Found)
    OS << formatv("  most likely {0}, which is not certain\n",
                  nameOf(Report, Report.Candidates[R.Suspect->Candidate]));
  if (R.Outcome == bisect::Verdict::Found && Ratio < 4)
    OS << formatv("  the effect is only {0} times the spread of a window: at "
                  "2 about one answer in six is wrong\n",
                  report::measurementText(Ratio));
}

class JsonWriter {
public:
  JsonWriter(const BisectReport &Pages,
             ArrayRef<std::optional<BisectReport>> Symbols, raw_ostream &OS)
      : Pages(Pages), Symbols(Symbols), Json(OS, 2) {}

  void write() {
    const WindowCounts &Windows = Pages.Result.Windows;
    Json.object([&] {
      guard::writeHead("bisect", Json);
      Json.attribute("binary", json::fixUTF8(Pages.Program));
      Json.attribute("line_size", int64_t(AssumedLine.Bytes));
      Json.attribute("page_size", int64_t(pageSize()));
      Json.attribute("outcome", outcomeWord());
      Json.attributeObject("windows", [&] {
        Json.attribute("calibrate", Windows.Calibrate);
        Json.attribute("search", Windows.Search);
        Json.attribute("confirm", Windows.Confirm);
        Json.attribute("whole", Windows.Whole);
        Json.attribute("skipped", Windows.Skipped);
      });
      Json.attributeObject("noise", [&] {
        Json.attribute("spread", Pages.Result.Levels.Spread);
        Json.attribute("judged", Pages.Result.Judged);
        Json.attribute("flipped", Pages.Result.Flipped);
        Json.attribute("drift", Pages.Result.Drift);
      });
      if (Pages.Result.Margin > 0)
        Json.attributeObject("effect", [&] {
          Json.attribute("low", Pages.Result.Effect.Low);
          Json.attribute("high", Pages.Result.Effect.High);
          Json.attribute("margin", Pages.Result.Margin);
        });
      Json.attributeArray("notes", [&] {
        writeNotes(Pages);
        for (const std::optional<BisectReport> &Search : Symbols)
          if (Search)
            writeNotes(*Search);
      });
      Json.attributeArray("findings", [&] {
        for (auto [Page, Search] : zip_equal(Pages.Result.Culprits, Symbols)) {
          if (Search && !Search->Result.Culprits.empty())
            for (const Culprit &Symbol : Search->Result.Culprits)
              report::writeFinding(
                  describe(*Search, Symbol, layout::SharingKind::True), Json);
          else if (Search &&
                   Search->Result.Outcome == bisect::Verdict::NoEffect)
            report::writeFinding(
                describe(Pages, Page, layout::SharingKind::False), Json);
          else
            report::writeFinding(describe(Pages, Page), Json);
        }
      });
    });
  }

private:
  const BisectReport &Pages;
  ArrayRef<std::optional<BisectReport>> Symbols;
  json::OStream Json;

  void writeNotes(const BisectReport &Report) {
    for (const std::string &Note : Report.Notes)
      Json.value(json::fixUTF8(Note));
  }

  StringRef outcomeWord() const {
    switch (Pages.Result.Outcome) {
    case bisect::Verdict::Found:
      return "found";
    case bisect::Verdict::Partly:
      return "partly";
    case bisect::Verdict::TooNoisy:
      return "too-noisy";
    case bisect::Verdict::NoEffect:
      return Pages.CannotTell.empty() ? "no-effect" : "cannot-tell";
    case bisect::Verdict::Undecided:
      return "undecided";
    case bisect::Verdict::Stopped:
      return "stopped";
    }
    llvm_unreachable("unknown verdict");
  }

  /// \p Proven is what the search of the symbols came to; without one there is
  /// what the facts say.
  report::Finding
  describe(const BisectReport &Report, const Culprit &Found,
           std::optional<layout::SharingKind> Proven = std::nullopt) {
    const PageCandidate &C = Report.Candidates[Found.Candidate];
    std::vector<const layout::LineFinding *> Findings = findingsOn(Report, C);
    // The finding that the facts put first stands for its page; without facts
    // the page stands for itself.
    const layout::LineFinding *Best =
        Findings.empty() ? nullptr : Findings.front();
    report::Finding Result;
    Result.Id = Report.Searched == SearchedFor::Pages && Best
                    ? Best->Id
                    : nameOf(Report, C);
    Result.Reached = layout::Rung::Costed;
    if (Proven || Best)
      Result.Kind = report::word(Proven ? *Proven : Best->Kind);
    Result.Score = Best ? Best->Points.total() : 0.0;
    report::VariableSubject Subject;
    if (Best)
      Subject.Line.emplace().Address = addressOf(*Best).Value;
    Subject.Page = {C.Module, C.Pages.Begin.Value, C.Pages.size()};
    Result.About = std::move(Subject);
    for (const std::string &Symbol : C.Symbols)
      Result.Occupants.emplace_back().Name = Symbol;
    if (Best)
      Result.Remedy = {
          report::word(Best->Cure.Kind).str(), Best->Cure.Text, {}};
    report::FindingCost &Cost = Result.Cost.emplace();
    Cost.Metric = Report.Metric;
    Cost.Before = Report.Result.Levels.Remote;
    Cost.After = Found.AllBut;
    Cost.Local = Report.Result.Levels.Local;
    Cost.Alone = Found.Alone;
    Cost.Explains = Found.Explains;
    Cost.Posterior = Found.Posterior;
    Cost.P = Found.P;
    Cost.Windows = Report.Result.Windows.total();
    Cost.IsSimulated = Report.Simulated;
    return Result;
  }
};

} // namespace

void writeText(const BisectReport &Report, raw_ostream &OS) {
  for (const Culprit &Found : Report.Result.Culprits) {
    writeCulprit(Report, Found, OS);
    OS << '\n';
  }
  writeOutcome(Report, OS);
  const WindowCounts &W = Report.Result.Windows;
  OS << formatv("{0}: {1} to calibrate, {2} to search, {3} to confirm",
                report::plural(W.total(), "window"), W.Calibrate, W.Search,
                W.Confirm);
  if (W.Whole)
    OS << formatv(", {0} with all memory", W.Whole);
  if (W.Skipped)
    OS << formatv(", {0} skipped", W.Skipped);
  OS << '\n';
  writeNoise(Report.Result, OS);
  for (const std::string &Note : Report.Notes)
    OS << "note: " << Note << '\n';
}

void writeJson(const BisectReport &Pages,
               ArrayRef<std::optional<BisectReport>> Symbols, raw_ostream &OS) {
  JsonWriter(Pages, Symbols, OS).write();
  OS << '\n';
}

static constexpr StringLiteral OneNode =
    "this machine has one NUMA node: no page can be remote, and there is "
    "nothing to search";

void writeOneNodeText(raw_ostream &OS) { OS << OneNode << '\n'; }

void writeOneNodeJson(raw_ostream &OS) {
  json::OStream Json(OS, 2);
  Json.object([&] {
    guard::writeHead("bisect", Json);
    Json.attribute("outcome", "one-node");
    Json.attributeArray("notes", [&] { Json.value(OneNode); });
    Json.attributeArray("findings", [] {});
  });
  OS << '\n';
}

} // namespace linesman::drive
