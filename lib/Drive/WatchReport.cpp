// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was seen, as text and as JSON.

#include "linesman/Drive/WatchReport.h"
#include "DescribeSeen.h"
#include "linesman/Guard/Head.h"
#include "linesman/Report/Document.h"
#include "linesman/Report/Report.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::watch;

namespace linesman::drive {

/// Of a line that threads were seen to share.
static void priceLine(const LineResult &Line, const SessionResult &Session,
                      std::optional<double> TransferNanoseconds,
                      WatchedLine &Watched) {
  if (Line.means() != Outcome::Confirmed)
    return;
  Watched.Unpriced = Line.WhyNoRates;
  if (!Watched.Unpriced.empty())
    return;
  if (!TransferNanoseconds) {
    Watched.Unpriced =
        "what it takes to hand a line over cannot be measured on "
        "this machine, or it has one processor";
    return;
  }
  std::vector<ThreadUse> Threads;
  for (const LineRate &R : Line.Rates)
    if (auto Running = Session.Running.find(R.Thread);
        Running != Session.Running.end())
      Threads.push_back({R.Reads, R.Writes, Running->second});
  if (Threads.size() == Line.Rates.size())
    Watched.Predicted = predictCost(Threads, *TransferNanoseconds);
  if (!Watched.Predicted)
    Watched.Unpriced =
        "for how much of their time the threads ran is not known";
}

static bool hasRates(const LineResult &Line) {
  return Line.means() == Outcome::Confirmed && Line.Rates.size() > 1;
}

static report::FindingObservation describeSeen(const WatchedLine &Line) {
  report::FindingObservation Result = describeSeen(Line.Seen);
  if (Line.Predicted)
    Result.Price = describePrice(*Line.Predicted);
  Result.Unpriced = Line.Unpriced;
  return Result;
}

std::vector<WatchedLine> describeLines(const SessionResult &Session,
                                       Assignment &Work,
                                       std::optional<layout::Rung> &Highest) {
  ProcessSymbols Symbols(Session.Modules);
  SiteNames Sites(Session.Modules);
  std::optional<double> Transfer;
  if (any_of(Session.Lines, hasRates))
    Transfer = transferTime();
  std::vector<WatchedLine> Lines;
  for (const WatchTarget &T : Work.Targets)
    for (size_t I = 0; I != T.Lines.size(); ++I) {
      const LineResult &Line = Session.Lines[Lines.size()];
      Lines.push_back(
          {describe(T.Subject, Line, Session, Symbols, Sites), {}, ""});
      if (T.IsOneOfMany && Lines.back().Seen.Means == Outcome::Refuted)
        Lines.back().Seen.Means = Outcome::CannotTell;
      priceLine(Line, Session, Transfer, Lines.back());
      const Outcome Means = Lines.back().Seen.Means;
      layout::Rung Reached = Means == Outcome::Confirmed
                                 ? layout::Rung::Observed
                                 : layout::Rung::Located;
      if (T.Finding) {
        report::FindingObservation Seen = describeSeen(Lines.back());
        if (Lines.back().Seen.Says == watch::Verdict::Private)
          Seen.ThreadsApart = T.ThreadsApart;
        Work.Report->attach(*T.Finding, std::move(Seen));
        if (Work.Report->isCosted(*T.Finding))
          Reached = layout::Rung::Costed;
      }
      if (Means != Outcome::Refuted)
        Highest = std::max(Highest, std::optional(Reached));
    }
  // In JSON a report keeps its order.
  if (Work.Report)
    stable_sort(Lines, [](const WatchedLine &A, const WatchedLine &B) {
      return A.Seen.Means < B.Seen.Means;
    });
  return Lines;
}

Error checkDecided(ArrayRef<WatchedLine> Lines) {
  size_t Open = count_if(Lines, [](const WatchedLine &L) {
    return L.Seen.Means == Outcome::CannotTell ||
           L.Seen.Means == Outcome::NotSeen;
  });
  if (!Open)
    return Error::success();
  return createStringError(formatv(
      "{0} of {1} lines came to no verdict, so --fail-on has nothing to judge "
      "there; watch longer (--duration)",
      Open, Lines.size()));
}

std::vector<std::string> sessionNotes(const SessionResult &Session) {
  std::vector<std::string> Notes;
  switch (Session.End) {
  case EndReason::TimeOver:
    break;
  case EndReason::Interrupted:
    Notes.push_back("interrupted");
    break;
  case EndReason::Exited:
    Notes.push_back("the process exited while it was watched");
    break;
  case EndReason::Executed:
    Notes.push_back("the process executed another program; what follows is "
                    "about the one before");
    break;
  case EndReason::Failed:
    Notes.push_back("the watching ended early, and what follows is from "
                    "before: " +
                    Session.Problem);
    break;
  }
  if (Session.WasStopped)
    Notes.push_back("the process was stopped for a part of the time");
  if (Session.ThreadsTaken)
    Notes.push_back(utostr(Session.ThreadsTaken) +
                    " threads were not watched: their debug registers are "
                    "taken");
  if (Session.ThreadsLeftOut)
    Notes.push_back(utostr(Session.ThreadsLeftOut) + " of " +
                    utostr(Session.ThreadsMet) +
                    " threads were not watched: the time was too short");
  if (Session.Turns == 0)
    Notes.push_back("the time was too short to watch every word once");
  if (any_of(Session.Lines, [](const LineResult &L) { return L.IsShared; }))
    Notes.push_back("other processes may have shared memory as well; what they "
                    "do to it is not watched");
  if (Session.Lost)
    Notes.push_back(utostr(Session.Lost) + " samples were lost");
  return Notes;
}

void writeWatchText(ArrayRef<WatchedLine> Lines, const SessionResult &Session,
                    ArrayRef<std::string> Notes, raw_ostream &OS) {
  for (const std::string &Note : Notes)
    OS << "note: " << Note << '\n';
  OS << formatv("watched {0} for {1:F1} s, {2} around\n\n",
                report::plural(Session.ThreadsWatched, "thread"),
                Session.Elapsed, report::plural(Session.Turns, "time"));
  for (const WatchedLine &L : Lines) {
    writeText(L.Seen, OS);
    if (L.Predicted)
      OS << "\n  predicted: " << describe(*L.Predicted)
         << ",\n  if they wait for each; linesman ab tells what a fix brings\n";
    if (!L.Unpriced.empty())
      OS << "\n  no price: " << L.Unpriced << '\n';
    OS << '\n';
  }
}

json::Value toWatchJson(ArrayRef<WatchedLine> Lines,
                        ArrayRef<std::string> Notes, unsigned LineSize) {
  json::Array Findings;
  for (const WatchedLine &L : Lines) {
    const Observation &O = L.Seen;
    bool IsObserved =
        O.Means == Outcome::Confirmed || O.Means == Outcome::Refuted;
    report::Finding Found = describeLine(O);
    Found.Seen = describeSeen(L);
    Found.Reached = IsObserved ? layout::Rung::Observed : layout::Rung::Located;
    if (O.Means == Outcome::Confirmed && O.Says != watch::Verdict::Sharing)
      Found.Kind = verdictName(O.Says);
    Findings.push_back(report::toJson(Found));
  }
  json::Object Report = guard::makeHead("watch");
  Report["binary"] = Lines.empty() ? "" : Lines.front().Seen.Binary;
  Report["line_size"] = LineSize;
  Report["notes"] = json::Array(Notes);
  Report["findings"] = std::move(Findings);
  return Report;
}

} // namespace linesman::drive
