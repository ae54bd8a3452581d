// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a whole search has to report.

#include "linesman/Drive/BisectReport.h"
#include "linesman/Drive/StaticPages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::bisect;

namespace linesman::drive {

bool BisectReport::hasVerdict() const {
  switch (Result.Outcome) {
  case bisect::Verdict::Found:
  case bisect::Verdict::Partly:
    return true;
  case bisect::Verdict::NoEffect:
    return CannotTell.empty();
  case bisect::Verdict::TooNoisy:
  case bisect::Verdict::Undecided:
  case bisect::Verdict::Stopped:
    return false;
  }
  llvm_unreachable("unknown verdict");
}

static std::string metricName(const BisectConfig &Config) {
  switch (Config.Metric) {
  case MetricSource::ExitCode:
    return "verdict";
  case MetricSource::Output:
    return Config.Match;
  case MetricSource::Time:
    return "seconds";
  }
  llvm_unreachable("unknown metric");
}

WholeReport makeReport(const WholeSearch &Whole, const BisectConfig &Config,
                       bool IsSimulated) {
  const SearchField &Field = Whole.Field;
  WholeReport Result{{Field.Program, metricName(Config), IsSimulated,
                      SearchedFor::Pages, Whole.Pages, Field.Candidates,
                      Field.Binary ? &*Field.Binary : nullptr, Field.Findings,
                      Whole.Notes, Whole.CannotTell, &Field.NotSearched},
                     {}};
  for (const std::optional<SymbolSearch> &Search : Whole.Symbols) {
    std::optional<BisectReport> &Told = Result.Symbols.emplace_back();
    if (!Search)
      continue;
    Told.emplace(BisectReport{Field.Program,
                              metricName(Config),
                              IsSimulated,
                              SearchedFor::Symbols,
                              Search->Found,
                              Search->Layout.Symbols,
                              nullptr,
                              {},
                              {explainSymbols(*Search)},
                              {},
                              nullptr});
    append_range(Told->Notes, Search->Notes);
    if (!Search->Layout.Left.empty())
      Told->Notes.push_back("not moved apart: " + shorten(Search->Layout.Left));
  }
  return Result;
}

void writeText(const WholeReport &Report, raw_ostream &OS) {
  writeText(Report.Pages, OS);
  for (auto [Culprit, Symbols] :
       zip_equal(Report.Pages.Result.Culprits, Report.Symbols))
    if (Symbols) {
      OS << formatv(
          "\nsymbols of page {0:x}:\n",
          Report.Pages.Candidates[Culprit.Candidate].Pages.Begin.Value);
      writeText(*Symbols, OS);
    }
}

} // namespace linesman::drive
