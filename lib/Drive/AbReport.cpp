// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     A: ./store 2
//     B: ./store-isolated 2
//     metric: total ([0-9.]+), higher is better
//
//                      median    quartiles
//     A                  8.81    8.70 to 8.95
//     B                 15.10    14.9 to 15.3
//     B / A             1.714    1.68 to 1.74 (95 % interval)
//
//     faster: B has 1.71 times the metric of A (12 rounds, p = 0.0005)

#include "linesman/Drive/AbReport.h"
#include "linesman/Bisect/Statistics.h"
#include "linesman/Guard/Head.h"
#include "linesman/Report/Document.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::drive;

namespace linesman::drive {

/// "seconds", "page-faults", or the regular expression.
static std::string nameMetric(const AbConfig &Config) {
  switch (Config.Measured) {
  case Metric::Time:
    return "seconds";
  case Metric::Output:
    return Config.Match;
  case Metric::Exit:
    return "exit code (0 good, 1 bad)";
  case Metric::Events:
    return Config.A.Counted->Name.str();
  }
  llvm_unreachable("unknown metric");
}

namespace {

/// The values of one command over the rounds, in order of size.
std::vector<double> sorted(ArrayRef<Round> Rounds, double Round::*Member) {
  std::vector<double> Values;
  for (const Round &R : Rounds)
    Values.push_back(R.*Member);
  sort(Values);
  return Values;
}

/// The value below which a quarter, or three, of the values are.
double quartile(ArrayRef<double> Sorted, unsigned Number) {
  return Sorted[(Sorted.size() - 1) * Number / 4];
}

bool hasRatio(const AbReport &Report) {
  return Report.Config.Measured != Metric::Exit &&
         Report.Result.Compared.Rounds >= 2;
}

StringRef better(const AbReport &Report) {
  return Report.Config.Compare.Direction == Better::Higher ? "higher" : "lower";
}

void writeValues(StringRef Name, ArrayRef<double> Sorted, raw_ostream &OS) {
  OS << formatv("{0,-16}{1,8}    {2} to {3}\n", Name,
                report::measurementText(median({Sorted.begin(), Sorted.end()})),
                report::measurementText(quartile(Sorted, 1)),
                report::measurementText(quartile(Sorted, 3)));
}

void writeClusters(StringRef Name, const std::optional<Clusters> &Levels,
                   raw_ostream &OS) {
  if (Levels)
    OS << formatv("{0} has two levels: {1} in {2} and {3} in {4}; each "
                  "start falls into one of them. What differs between starts, "
                  "such as the addresses of its memory, decides.\n",
                  Name, report::measurementText(Levels->LowLevel),
                  report::plural(Levels->LowCount, "round"),
                  report::measurementText(Levels->HighLevel),
                  Levels->HighCount);
}

/// "B falls into the level of 1.7e+04 in 12 of 40 rounds, A in 0".
std::string describeShares(const Comparison &Is) {
  return formatv("B falls into the level of {0} in {1} of {2}, A in {3}",
                 report::measurementText(Is.Split->LowLevel),
                 Is.Split->lowCountB(), report::plural(Is.Rounds, "round"),
                 Is.Split->lowCountA());
}

/// What there was too little of.
void writeStop(const AbReport &Report, StringRef TooFew, raw_ostream &OS) {
  switch (Report.Result.Stop) {
  case StopReason::Interrupted:
    OS << "interrupted";
    break;
  case StopReason::Time:
    OS << "the time was over";
    break;
  case StopReason::Rounds:
  case StopReason::Decided:
    OS << TooFew;
    break;
  }
}

void writeDoubt(const AbReport &Report, raw_ostream &OS) {
  const Comparison &Is = Report.Result.Compared;
  switch (Is.Reason) {
  case Doubt::Noise:
    writeStop(Report, "too few rounds for this noise", OS);
    break;
  case Doubt::UnseenLevel:
    writeStop(Report, "too few rounds", OS);
    OS << " to exclude that one start in five falls into another level";
    if (Is.Split)
      OS << ": " << describeShares(Is);
    break;
  case Doubt::Shares:
    writeStop(Report, "too few rounds", OS);
    if (Is.Split)
      OS << "; " << describeShares(Is) << ", which may be chance";
    break;
  case Doubt::Contrary:
    OS << formatv("in most rounds B is {0}, but the levels speak against it: ",
                  (Is.BToA.Median > 1) ==
                          (Report.Config.Compare.Direction == Better::Higher)
                      ? "faster"
                      : "slower")
       << describeShares(Is);
    break;
  }
  if (Is.RoundsNeeded)
    OS << formatv("; about {0} could tell",
                  report::plural(Is.RoundsNeeded, "round"));
  if (std::optional<double> Seconds = Report.Result.secondsNeeded())
    OS << formatv(" (about {0})", report::durationText(*Seconds));
}

std::string roundsDo(uint64_t Rounds) {
  return report::plural(Rounds, "round") + (Rounds == 1 ? " does" : " do");
}

void writeVerdict(const AbReport &Report, raw_ostream &OS) {
  const Comparison &Is = Report.Result.Compared;
  OS << word(Is.Verdict) << ": ";
  switch (Is.Verdict) {
  case Answer::Faster:
  case Answer::Slower:
    if (Is.Ground == Basis::Shares)
      OS << describeShares(Is);
    else if (hasRatio(Report))
      OS << formatv("B has {0} times the metric of A",
                    report::measurementText(Is.BToA.Median));
    else
      OS << formatv("B is bad {0} often than A",
                    Is.Verdict == Answer::Faster ? "less" : "more");
    break;
  case Answer::NoDifference:
    OS << formatv("above {0} % there is none",
                  report::measurementText(100 * Report.Config.Compare.Margin));
    break;
  case Answer::CannotTell:
    writeDoubt(Report, OS);
    break;
  }
  OS << formatv(" ({0}, p = {1})\n", report::plural(Is.Rounds, "round"),
                report::probabilityText(Is.P));
}

void writeSide(StringRef Key, StringRef Command, ArrayRef<double> Sorted,
               json::OStream &Json) {
  Json.attributeObject(Key, [&] {
    Json.attribute("command", json::fixUTF8(Command));
    if (Sorted.empty())
      return;
    Json.attribute("median", median({Sorted.begin(), Sorted.end()}));
    Json.attribute("low_quartile", quartile(Sorted, 1));
    Json.attribute("high_quartile", quartile(Sorted, 3));
  });
}

void writeLevels(StringRef Key, const std::optional<Clusters> &Levels,
                 json::OStream &Json) {
  Json.attributeArray(Key, [&] {
    if (!Levels)
      return;
    for (auto [Level, Count] : {std::pair(Levels->LowLevel, Levels->LowCount),
                                {Levels->HighLevel, Levels->HighCount}})
      Json.object([&, Level = Level, Count = Count] {
        Json.attribute("level", Level);
        Json.attribute("rounds", Count);
      });
  });
}

} // namespace

StringRef word(Answer Verdict) {
  switch (Verdict) {
  case Answer::Faster:
    return "faster";
  case Answer::Slower:
    return "slower";
  case Answer::NoDifference:
    return "no-difference";
  case Answer::CannotTell:
    return "cannot-tell";
  }
  llvm_unreachable("unknown verdict");
}

void writeText(const AbReport &Report, raw_ostream &OS) {
  const AbResult &Result = Report.Result;
  OS << "A: " << Report.Config.A.Command << "\nB: " << Report.Config.B.Command
     << "\nmetric: " << nameMetric(Report.Config) << ", " << better(Report)
     << " is better\n\n";
  if (!Result.Rounds.empty()) {
    OS << "                  median    quartiles\n";
    writeValues("A", sorted(Result.Rounds, &Round::A), OS);
    writeValues("B", sorted(Result.Rounds, &Round::B), OS);
  }
  if (hasRatio(Report)) {
    const Ratio &Is = Result.Compared.BToA;
    OS << formatv("{0,-16}{1,8}    {2} to {3} (95 % interval)\n", "B / A",
                  report::measurementText(Is.Median),
                  report::measurementText(Is.Low),
                  report::measurementText(Is.High));
  }
  OS << '\n';
  writeVerdict(Report, OS);
  writeClusters("A", Result.Compared.ClustersA, OS);
  writeClusters("B", Result.Compared.ClustersB, OS);
  if (Result.CountsDisturbed)
    OS << formatv("note: in {0} of these rounds other programs kept a command "
                  "waiting for a processor, which can hide a part of the "
                  "difference\n",
                  Result.Disturbed.size());
  else if (!Result.Disturbed.empty())
    OS << formatv("note: {0} not count, because other programs kept a command "
                  "waiting for a processor; --disturbed=count counts {1}\n",
                  roundsDo(Result.Disturbed.size()),
                  Result.Disturbed.size() == 1 ? "it" : "them");
  if (Result.Skipped)
    OS << formatv("note: {0} not count, because a command ended with exit code "
                  "125\n",
                  roundsDo(Result.Skipped));
}

void writeJson(const AbReport &Report, raw_ostream &OS) {
  const AbResult &Result = Report.Result;
  const Comparison &Is = Result.Compared;
  json::OStream Json(OS, 2);
  Json.object([&] {
    guard::writeHead("ab", Json);
    Json.attribute("metric", json::fixUTF8(nameMetric(Report.Config)));
    Json.attribute("better", better(Report));
    writeSide("a", Report.Config.A.Command, sorted(Result.Rounds, &Round::A),
              Json);
    writeSide("b", Report.Config.B.Command, sorted(Result.Rounds, &Round::B),
              Json);
    Json.attribute("verdict", word(Is.Verdict));
    if (hasRatio(Report))
      Json.attributeObject("ratio", [&] {
        Json.attribute("median", Is.BToA.Median);
        Json.attribute("low", Is.BToA.Low);
        Json.attribute("high", Is.BToA.High);
      });
    Json.attribute("p", Is.P);
    Json.attribute("rounds", Is.Rounds);
    Json.attribute("disturbed_rounds", Result.Disturbed.size());
    if (Result.CountsDisturbed)
      Json.attribute("counts_disturbed", true);
    Json.attribute("skipped_rounds", Result.Skipped);
    if (Is.RoundsNeeded)
      Json.attribute("rounds_needed", Is.RoundsNeeded);
    if (std::optional<double> Seconds = Result.secondsNeeded())
      Json.attribute("seconds_needed", *Seconds);
    if (Is.Split)
      Json.attributeObject("shares", [&] {
        Json.attribute("decide", Is.Ground == Basis::Shares);
        Json.attribute("low_level", Is.Split->LowLevel);
        Json.attribute("high_level", Is.Split->HighLevel);
        Json.attribute("a_low", Is.Split->lowCountA());
        Json.attribute("b_low", Is.Split->lowCountB());
      });
    Json.attributeObject("clusters", [&] {
      writeLevels("a", Is.ClustersA, Json);
      writeLevels("b", Is.ClustersB, Json);
    });
  });
  OS << '\n';
}

} // namespace linesman::drive
