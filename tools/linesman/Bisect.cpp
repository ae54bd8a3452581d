// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman bisect -- COMMAND: candidates, search for the page, then for the
// symbol, report.

#include "BisectOptions.h"
#include "linesman/Drive/BisectLog.h"
#include "linesman/Drive/BisectReport.h"
#include "linesman/Drive/BisectStarts.h"
#include "linesman/Drive/BisectWhole.h"
#include "linesman/Guard/Output.h"
#include "linesman/Guard/Text.h"
#include "linesman/Process/Signals.h"
#include "terminal/StatusLine.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::bisect;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::tool {

namespace {

/// On stderr: a line that changes in a terminal, or a line each if asked.
class SearchLines : public SearchListener {
public:
  explicit SearchLines(const Flag &EachLine) : EachLine(EachLine) {}

  void window(StringRef Line) override {
    if (EachLine)
      errs() << Line << '\n';
    else
      Changing.show(Line);
  }
  void note(StringRef Text) override {
    Changing.clear();
    errs() << "linesman: note: " << Text << '\n';
  }

private:
  const Flag &EachLine;
  terminal::StatusLine Changing;
};

/// The command line that goes on with the search.
std::string resumption(Arguments Args) {
  std::string Result = "linesman bisect --resume";
  for (StringRef Word : Args.drop_front(2))
    if (Word != "--resume")
      Result += " " + guard::quoteForShell(Word);
  return Result;
}

/// A machine with one node: what is wrong with the command is wrong there too,
/// and nothing else can be said.
Expected<int> reportOneNode(const BisectOptions &Opts,
                            const BisectConfig &Config,
                            std::optional<relink::Link> Original) {
  Expected<SearchField> Field = inspectField(Config, Opts.Candidates);
  if (!Field)
    return Field.takeError();
  std::vector<std::string> Notes;
  if (Original)
    if (Error E = findLinked(std::move(*Original), searchSettings(Opts), *Field,
                             Notes)
                      .takeError())
      return std::move(E);
  for (const std::string &Note : Notes)
    errs() << "linesman: note: " << Note << '\n';
  report::Findings Nothing;
  Nothing.Text = [](auto *, raw_ostream &OS) { writeOneNodeText(OS); };
  Nothing.Json = [](auto *, raw_ostream &OS) { writeOneNodeJson(OS); };
  Expected<int> Code = Opts.Delivery.deliver(Nothing);
  if (!Code)
    return Code.takeError();
  if (Opts.Delivery.Fails.getNumOccurrences())
    return createStringError("this machine has one NUMA node, so --fail-on has "
                             "nothing to judge");
  return Code;
}

Expected<int> reportStarts(const BisectOptions &Opts,
                           const BisectConfig &Config) {
  Expected<SearchField> Field = inspectField(Config, Opts.Candidates);
  if (!Field)
    return Field.takeError();
  std::optional<SearchLines> Listener(std::in_place, Opts.Progress);
  Expected<StartsReport> Report =
      runStarts(Config, *Field, Opts.Starts, *Listener);
  Listener.reset();
  if (!Report)
    return Report.takeError();
  report::Findings None;
  None.Json = [&](auto *, raw_ostream &OS) {
    writeStartsJson(*Report, *Field, OS);
  };
  None.Text = [&](auto *, raw_ostream &OS) {
    writeStartsText(*Report, *Field, Config, OS);
  };
  Expected<int> Code = Opts.Delivery.deliver(None);
  if (!Code)
    return Code.takeError();
  return Report->IsStopped ? Failure : *Code;
}

Expected<int> reportSearch(const BisectOptions &Opts, const WholeSearch &Whole,
                           const WholeReport &Told) {
  report::Findings Costs;
  Costs.Json = [&](auto *, raw_ostream &OS) {
    writeJson(Told.Pages, Told.Symbols, OS);
  };
  Costs.Text = [&](auto *, raw_ostream &OS) { writeText(Told, OS); };
  if (!Whole.Pages.Culprits.empty())
    Costs.Highest = layout::Rung::Costed;
  Expected<int> Code = Opts.Delivery.deliver(Costs);
  if (!Code)
    return Code.takeError();
  if (Opts.Delivery.Fails.getNumOccurrences() && !Told.Pages.hasVerdict())
    return createStringError("the search came to no verdict, so --fail-on "
                             "has nothing to judge");
  return Whole.isStopped() ? Failure : *Code;
}

} // namespace

Expected<int> runBisect(Arguments Args) {
  BisectOptions Opts;
  if (Error E = parseOptions(Args, Opts.Run))
    return std::move(E);
  Expected<BisectConfig> Config = readConfig(Opts);
  if (!Config)
    return Config.takeError();
  Expected<std::optional<relink::Link>> Original = readLink(Opts);
  if (!Original)
    return Original.takeError();
  Expected<bool> HasNodes = chooseNodes(Opts, *Config);
  if (!HasNodes)
    return HasNodes.takeError();
  if (Error E = Opts.Delivery.check())
    return std::move(E);
  if (!Opts.Resume && !Opts.Starts)
    if (Error E = checkNewLog(Opts.Log))
      return std::move(E);
  if (!*HasNodes)
    return reportOneNode(Opts, *Config, std::move(*Original));

  // From here on an end is asked for, and everything is put back before it.
  EndRequests Ends;
  Config->Interrupt = Ends.file();
  if (Opts.Starts)
    return reportStarts(Opts, *Config);
  std::optional<SearchLines> Listener(std::in_place, Opts.Progress);
  Expected<WholeSearch> Whole =
      searchWhole(*Config, searchSettings(Opts), Opts.Candidates,
                  std::move(*Original), *Listener);
  Listener.reset();
  if (!Whole)
    return Whole.takeError();
  if (Whole->isStopped())
    Whole->Notes.push_back("go on with: " + resumption(Args));
  return reportSearch(Opts, *Whole,
                      makeReport(*Whole, *Config, Opts.Simulated));
}

} // namespace linesman::tool
