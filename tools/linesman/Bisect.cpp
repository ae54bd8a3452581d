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
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

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
  explicit SearchLines(bool Lines)
      : Lines(Lines),
        Changes(!Lines && sys::Process::StandardErrIsDisplayed()) {}
  ~SearchLines() override { clear(); }

  void window(StringRef Line) override {
    clear();
    if (Lines || Changes)
      errs() << Line << (Lines ? "\n" : "");
  }
  void note(StringRef Text) override {
    clear();
    errs() << "linesman: note: " << Text << '\n';
  }

private:
  bool Lines, Changes;

  void clear() {
    if (Changes)
      errs() << "\r\033[K";
  }
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
int reportOneNode(const BisectOptions &Opts, const BisectConfig &Config,
                  std::optional<relink::Link> Original) {
  Expected<SearchField> Field = inspectField(Config, Opts.Candidates);
  if (!Field)
    return fail(Field.takeError());
  std::vector<std::string> Notes;
  if (Original)
    if (Error E = findLinked(std::move(*Original), searchSettings(Opts), *Field,
                             Notes)
                      .takeError())
      return fail(std::move(E));
  for (const std::string &Note : Notes)
    errs() << "linesman: note: " << Note << '\n';
  Findings Nothing;
  Nothing.Text = [](auto *, raw_ostream &OS) { writeOneNodeText(OS); };
  Nothing.Json = [](auto *, raw_ostream &OS) { writeOneNodeJson(OS); };
  Expected<int> Code = Opts.Delivery.deliver(Nothing);
  if (!Code)
    return fail(Code.takeError());
  return Opts.Delivery.Fails.getNumOccurrences()
             ? fail(createStringError("this machine has one NUMA node, so "
                                      "--fail-on has nothing to judge"))
             : *Code;
}

int reportStarts(const BisectOptions &Opts, const BisectConfig &Config) {
  Expected<SearchField> Field = inspectField(Config, Opts.Candidates);
  if (!Field)
    return fail(Field.takeError());
  std::optional<SearchLines> Listener(std::in_place, Opts.Progress);
  Expected<StartsReport> Report =
      runStarts(Config, *Field, Opts.Starts, *Listener);
  Listener.reset();
  if (!Report)
    return fail(Report.takeError());
  Findings None;
  None.Json = [&](auto *, raw_ostream &OS) {
    writeStartsJson(*Report, *Field, OS);
  };
  None.Text = [&](auto *, raw_ostream &OS) {
    writeStartsText(*Report, *Field, Config, OS);
  };
  Expected<int> Code = Opts.Delivery.deliver(None);
  if (!Code)
    return fail(Code.takeError());
  return Report->IsStopped ? Failure : *Code;
}

int reportSearch(const BisectOptions &Opts, const WholeSearch &Whole,
                 const WholeReport &Told) {
  Findings Costs;
  Costs.Json = [&](auto *, raw_ostream &OS) {
    writeJson(Told.Pages, Told.Symbols, OS);
  };
  Costs.Text = [&](auto *, raw_ostream &OS) {
    writeText(Told.Pages, OS);
    for (auto [Culprit, Symbols] :
         zip_equal(Whole.Pages.Culprits, Told.Symbols))
      if (Symbols) {
        OS << formatv(
            "\nsymbols of page {0:x}:\n",
            Whole.Field.Candidates[Culprit.Candidate].Pages.Begin.Value);
        writeText(*Symbols, OS);
      }
  };
  if (!Whole.Pages.Culprits.empty())
    Costs.Highest = layout::Rung::Costed;
  Expected<int> Code = Opts.Delivery.deliver(Costs);
  if (!Code)
    return fail(Code.takeError());
  if (Opts.Delivery.Fails.getNumOccurrences() && !Told.Pages.hasVerdict())
    return fail(createStringError("the search came to no verdict, so --fail-on "
                                  "has nothing to judge"));
  return Whole.isStopped() ? Failure : *Code;
}

} // namespace

int runBisect(Arguments Args) {
  BisectOptions Opts;
  if (!parseOptions(Args,
                    "linesman bisect: which static page makes it slow "
                    "when it is remote, then which symbol\n",
                    Opts.Run))
    return Failure;
  Expected<BisectConfig> Config = readConfig(Opts);
  if (!Config)
    return fail(Config.takeError());
  Expected<std::optional<relink::Link>> Original = readLink(Opts);
  if (!Original)
    return fail(Original.takeError());
  Expected<bool> HasNodes = chooseNodes(Opts, *Config);
  if (!HasNodes)
    return fail(HasNodes.takeError());
  if (Error E = joinErrors(guard::checkOutput(Opts.Delivery.Output),
                           Opts.Delivery.check()))
    return fail(std::move(E));
  if (!Opts.Resume && !Opts.Starts)
    if (Error E = checkNewLog(Opts.Log))
      return fail(std::move(E));
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
    return fail(Whole.takeError());
  if (Whole->isStopped())
    Whole->Notes.push_back("go on with: " + resumption(Args));
  return reportSearch(Opts, *Whole,
                      makeReport(*Whole, *Config, Opts.Simulated));
}

} // namespace linesman::tool
