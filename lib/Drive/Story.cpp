// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evidence in sentences. Nothing is said that no step found.

#include "linesman/Drive/Story.h"
#include "linesman/Guard/Text.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;

namespace linesman::drive {

namespace {

/// Sites of one access that are listed.
constexpr size_t MostSites = 3;
/// Leads that are named where several are alike.
constexpr size_t MostNamed = 5;

/// "a, b, c and 4 more".
std::string list(ArrayRef<std::string> Names, size_t Most) {
  std::string Text = join(Names.take_front(Most), ", ");
  if (Names.size() > Most)
    Text += formatv(" and {0} more", Names.size() - Most);
  return Text;
}

/// Reports have the folder of the compile in front of some.
std::string sourceText(const report::SourcePlace &Place) {
  std::string Text = report::placeText(Place);
  StringRef Source = Text;
  Source.consume_front("./");
  return Source.str();
}

/// Where an occupant is accessed: "f() (x.cpp:12, x.cpp:15), g()".
std::string sitesOf(const report::FindingOccupant &Occupant) {
  MapVector<StringRef, std::vector<std::string>> Places;
  for (const report::FindingSite &Site : Occupant.Sites) {
    if (Site.isStartUp())
      continue;
    std::vector<std::string> &Known = Places[Site.Function];
    if (std::string Place = sourceText(Site.Place);
        !Place.empty() && !is_contained(Known, Place))
      Known.push_back(std::move(Place));
  }
  std::vector<std::string> Sites;
  for (const auto &[Function, Known] : Places)
    Sites.push_back(Known.empty() ? Function.str()
                                  : (Function + " (").str() +
                                        list(Known, MostSites) + ")");
  return list(Sites, MostSites);
}

std::string describeOccupant(const report::FindingOccupant &Occupant) {
  std::string Text = Occupant.Name;
  if (!Occupant.Member.empty() && !StringRef(Text).ends_with(Occupant.Member))
    Text += ", " + Occupant.Member;
  Text += formatv(", {0} bytes", Occupant.Size);
  if (std::string Source = sourceText(Occupant.Defined); !Source.empty())
    Text += ", defined at " + Source;
  if (Occupant.WrittenBy && !Occupant.WrittenBy->empty())
    Text += "; written by " + list(*Occupant.WrittenBy, MostNamed);
  if (Occupant.ReadBy && !Occupant.ReadBy->empty())
    Text += "; read by " + list(*Occupant.ReadBy, MostNamed);
  if (std::string Sites = sitesOf(Occupant); !Sites.empty())
    Text += ": " + Sites;
  return Text;
}

std::string describePlace(const report::Finding &Found, uint64_t LineSize) {
  if (const report::FieldSubject *Field = Found.field();
      Field && Field->Partner.empty())
    return formatv("a field of {0}", Field->Type);
  if (const report::FieldSubject *Field = Found.field())
    return formatv("fields of {0} that share a line of {1} bytes in {2} of {3} "
                   "placements of an object",
                   Field->Type, LineSize, Field->SharedPhases, Field->Phases);
  const report::FindingLine *Line = Found.line();
  if (!Line)
    return "";
  std::string Text = formatv("the line of {0} bytes at ", LineSize);
  if (Line->Address)
    Text += formatv("{0:x}", *Line->Address);
  if (!Line->Section.empty())
    Text += " in " + Line->Section;
  return Text;
}

Section describeLead(const Lead &Best, uint64_t LineSize) {
  Section Is{"What it is", {}};
  std::string Kind = Best.Finding.Kind;
  std::replace(Kind.begin(), Kind.end(), '-', ' ');
  if (Kind == "mixed")
    Kind = "false sharing and true sharing";
  if (!Kind.empty() && Best.Seen != Sight::Confirmed)
    Kind = "suspected " + Kind;
  Is.Lines.push_back(Kind + (Kind.empty() ? "" : " on ") +
                     describePlace(Best.Finding, LineSize));
  for (const report::FindingOccupant &Occupant : Best.Finding.Occupants)
    if (Occupant.isUsed())
      Is.Lines.push_back(describeOccupant(Occupant));
  return Is;
}

/// "written by 2 threads (shard.cpp:5), read by 1".
std::string describeWord(const report::ObservedWord &Word) {
  std::vector<std::string> Writers, Readers, Sites;
  for (const report::ObservedAccess &Access : Word.Accesses) {
    std::string Thread = formatv("{0}/{1}", Access.ThreadName, Access.Thread);
    if (Access.Writes)
      Writers.push_back(Thread);
    if (Access.Reads)
      Readers.push_back(Thread);
    for (const report::SourcePlace &Site : Access.Sites)
      if (std::string Text = report::placeText(Site);
          !is_contained(Sites, Text))
        Sites.push_back(std::move(Text));
  }
  std::string Text = formatv("bytes {0}-{1}", Word.Offset,
                             Word.Offset + int64_t(Word.Size) - 1);
  if (!Word.Label.empty())
    Text += " (" + Word.Label + ")";
  Text += ":";
  if (!Writers.empty())
    Text += " written by " + list(Writers, MostSites);
  if (!Readers.empty())
    Text += std::string(Writers.empty() ? "" : ";") + " read by " +
            list(Readers, MostSites);
  if (!Sites.empty())
    Text += ", at " + list(Sites, MostSites);
  return Text;
}

std::string sightWord(Sight Seen) {
  switch (Seen) {
  case Sight::NotWatched:
    return "not watched";
  case Sight::NotSeen:
    return "watched, no access seen";
  case Sight::CannotTell:
    return "watched, cannot tell";
  case Sight::Refuted:
    return "refuted";
  case Sight::Confirmed:
    return "confirmed";
  }
  llvm_unreachable("unknown sight");
}

/// "1.71 times (1.68 to 1.74)", of what ab measured.
std::string describeCost(const CostEvidence &Cost) {
  std::string Text;
  if (Cost.Verdict == "cannot-tell")
    Text = "cannot tell";
  else if (Cost.Verdict == "no-difference")
    Text = "no difference";
  else
    Text = Cost.Verdict;
  if (Cost.Shares)
    Text += formatv(": {0} of {1} starts fall into the level of {2} before, "
                    "{3} after",
                    Cost.Shares->Before, Cost.Rounds,
                    report::measurementText(Cost.Shares->Level),
                    Cost.Shares->After);
  else if (Cost.Ratio)
    Text += formatv(": {0} times the metric (95 % interval {1} to {2})",
                    report::measurementText(Cost.Ratio->Median),
                    report::measurementText(Cost.Ratio->Low),
                    report::measurementText(Cost.Ratio->High));
  if (Cost.Rounds)
    Text += formatv("; {0}, {1} is better: {2} before, {3} after", Cost.Metric,
                    Cost.Better, report::measurementText(Cost.Before),
                    report::measurementText(Cost.After));
  Text += formatv("; {0}, p = {1}", report::plural(Cost.Rounds, "round"),
                  report::probabilityText(Cost.P));
  if (Cost.RoundsNeeded)
    Text += formatv("; about {0} could tell",
                    report::plural(Cost.RoundsNeeded, "round"));
  if (Cost.SecondsNeeded > 0)
    Text += formatv(" (about {0})", report::durationText(Cost.SecondsNeeded));
  if (Cost.CountsDisturbed)
    Text += formatv("; in {0} of them other programs kept it waiting, which "
                    "hides a part of the difference",
                    Cost.Disturbed);
  else if (Cost.Disturbed)
    Text += formatv("; {0} {1} left out because other programs kept it waiting",
                    report::plural(Cost.Disturbed, "round"),
                    Cost.Disturbed == 1 ? "was" : "were");
  return Text;
}

Section describeEvidence(const HuntResult &Result, const Lead &Best) {
  Section Known{"How we know", {}};
  if (!Best.Finding.Occupants.empty())
    Known.Lines.push_back(
        Best.IsField
            ? "suspected: by facts of the code about the type; threads that "
              "share an object are not known from the file"
            : "located: by facts of the code and the addresses of this binary");
  if (const auto &Seen = Best.Finding.Seen) {
    if (Best.Seen == Sight::Confirmed || Best.Seen == Sight::Refuted)
      Known.Lines.push_back("observed: hardware watchpoints on the running "
                            "program, " +
                            sightWord(Best.Seen) + " as " + Seen->Verdict);
    else
      Known.Lines.push_back(
          "hardware watchpoints on the running program saw: " + Seen->Verdict +
          "; others may meet there at other times, or in "
          "other objects");
    for (const report::ObservedWord &Word : Seen->Words)
      Known.Lines.push_back(describeWord(Word));
  }
  for (const Culprit &Found : Result.Culprits)
    Known.Lines.push_back(formatv(
        "costed: {0}{1} alone on the remote node explains {2} % of "
        "the slow-down, p = {3}{4}",
        Found.Id, Found.Page.empty() ? "" : " (page " + Found.Page + ")",
        report::percentText(Found.Explains), report::probabilityText(Found.P),
        Found.IsSimulated ? " (simulated)" : ""));
  if (Best.Isolated && Best.Isolated->Verdict != "cannot-tell")
    Known.Lines.push_back("costed: the same objects linked again with it on "
                          "lines of its own, compared with the program as it "
                          "is");
  return Known;
}

Section describeCosts(const HuntRequest &Request, const HuntResult &Result) {
  Section Costs{"What it costs", {}};
  if (Request.IsSimulated)
    Costs.Lines.push_back("the metric is simulated: no cost here is real");
  for (const Lead &L : Result.Leads) {
    if (std::optional<PredictedCost> Price = L.predicted())
      Costs.Lines.push_back(L.id() + " predicted: " + describe(*Price) +
                            ", if they wait for each");
    if (L.Isolated) {
      Costs.Lines.push_back(L.id() + " isolated: " + describeCost(*L.Isolated));
      if (L.Isolated->Levels.size() > 1)
        Costs.Lines.push_back(formatv(
            "starts of the program as it is fall into levels ({0} and {1}): "
            "where memory lies decides",
            report::measurementText(L.Isolated->Levels[0]),
            report::measurementText(L.Isolated->Levels[1])));
    }
    if (L.Finding.Seen && !L.Finding.Seen->Unpriced.empty())
      Costs.Lines.push_back(L.id() +
                            " has no price: " + L.Finding.Seen->Unpriced);
  }
  if (Result.Fixed)
    Costs.Lines.push_back("the build of --fixed: " +
                          describeCost(*Result.Fixed));
  return Costs;
}

/// The bytes that each thread was seen at, where no two threads met on the same
/// ones: by thread, its first byte and the end of its last.
std::map<int64_t, std::pair<int64_t, int64_t>>
partsOfThreads(const report::FindingObservation &Seen) {
  std::map<int64_t, std::pair<int64_t, int64_t>> Parts;
  for (const report::ObservedWord &Word : Seen.Words) {
    if (Word.Accesses.size() > 1)
      return {};
    for (const report::ObservedAccess &Access : Word.Accesses) {
      const int64_t Begin = Word.Offset, End = Begin + int64_t(Word.Size);
      auto [It, IsNew] = Parts.try_emplace(Access.Thread, Begin, End);
      It->second = {std::min(It->second.first, Begin),
                    std::max(It->second.second, End)};
    }
  }
  return Parts;
}

/// All that was seen is of one object, by the symbol in front of "+8"; of a
/// type's fields it is in any case.
bool isOfOneObject(const Lead &Found) {
  const auto &Words = Found.Finding.Seen->Words;
  auto NameOf = [](const report::ObservedWord &Word) {
    return StringRef(Word.Label).split('+').first;
  };
  return Found.IsField || all_of(Words, [&](const report::ObservedWord &Word) {
           return !Word.Label.empty() && NameOf(Word) == NameOf(Words.front());
         });
}

/// What was seen decides where it says more than facts: threads that have parts
/// of one object each need these parts apart, whatever their fields are called.
std::optional<std::string> remedyAsSeen(const Lead &Best, uint64_t LineSize) {
  if (!Best.Finding.Seen || Best.Seen != Sight::Confirmed ||
      Best.Finding.Seen->Verdict != "false-sharing" || !isOfOneObject(Best))
    return std::nullopt;
  std::vector<std::string> Parts;
  for (const auto &[Thread, Bytes] : partsOfThreads(*Best.Finding.Seen))
    Parts.push_back(formatv("bytes {0}-{1} thread {2}", Bytes.first,
                            Bytes.second - 1, Thread));
  if (Parts.size() < 2)
    return std::nullopt;
  return formatv(
             "alignas: each thread was at bytes of its own ({0}). Give the "
             "part of each thread a line of its own: alignas({1}) on the type "
             "of an array's elements, or on the field where another thread's "
             "part begins.",
             list(Parts, MostNamed), LineSize)
      .str();
}

Section describeFix(const HuntRequest &Request, const Lead &Best,
                    uint64_t LineSize) {
  Section Fix{Best.Seen == Sight::Confirmed || Best.Isolated
                  ? "How to fix it"
                  : "How to fix it, if threads meet there",
              {}};
  if (std::optional<std::string> Seen = remedyAsSeen(Best, LineSize)) {
    Fix.Lines.push_back(std::move(*Seen));
    return Fix;
  }
  if (!Best.Finding.Remedy)
    return Fix;
  Fix.Lines.push_back(Best.Finding.Remedy->Kind + ": " +
                      Best.Finding.Remedy->Text);
  // Only what a layout cures has lines.
  if (!Best.IsField &&
      is_contained({"isolate", "group"}, Best.Finding.Remedy->Kind))
    Fix.Lines.push_back("lines for the source: linesman plan --select=" +
                        guard::quoteForShell(Best.id()) + " --emit=cpp " +
                        guard::quoteForShell(Request.Program));
  return Fix;
}

/// Nobody reads a longer one in a story; the file has it.
constexpr size_t MostPatchLines = 60;

/// After the line that names its file.
Section showPatch(const HuntResult &Result) {
  Section Shown{"What the checks would change", {}, Section::Form::Commands};
  if (Result.Patch.empty())
    return Shown;
  SmallVector<StringRef> Rows;
  // What it is for, the story has said.
  StringRef Text = Result.Patch;
  Text.substr(Text.find("\n--- ") + 1).rtrim('\n').split(Rows, '\n');
  Shown.Lines.push_back("in " + Result.PatchFile + ", to be read and tested:");
  for (StringRef Row : ArrayRef(Rows).take_front(MostPatchLines))
    Shown.Lines.push_back(Row.str());
  if (Rows.size() > MostPatchLines)
    Shown.Lines.push_back(
        formatv("and {0} more lines", Rows.size() - MostPatchLines));
  return Shown;
}

Section describeRuledOut(const HuntResult &Result) {
  Section Out{"What was ruled out", {}};
  for (const Lead &L : Result.Leads) {
    const auto &Seen = L.Finding.Seen;
    if (L.Seen == Sight::Refuted && Seen) {
      std::string Text = L.id() + ": watched, " + Seen->Verdict;
      if (const auto &Absence = Seen->Absence)
        Text +=
            formatv("; one {0} every {1} ms would have been missed with p = "
                    "{2}",
                    Absence->Absent, report::measurementText(Absence->EveryMs),
                    report::probabilityText(Absence->Missed));
      Out.Lines.push_back(std::move(Text));
    } else if (L.isApart()) {
      Out.Lines.push_back(formatv(
          "{0}: {1} threads came to the code that uses it, each with objects "
          "of "
          "its own, and the one that was watched is a single thread's. Others "
          "of the type were not watched",
          L.id(), Seen->ThreadsApart));
    } else if (L.Isolated && L.Isolated->Verdict == "no-difference") {
      Out.Lines.push_back(L.id() +
                          ": on lines of its own the metric is the same, so "
                          "its neighbours cost nothing" +
                          (L.Finding.Kind == "false-sharing"
                               ? ""
                               : "; what the same bytes cost is not known"));
    }
  }
  if (Result.PageOutcome == "no-effect")
    Out.Lines.push_back("static pages on the other node: no effect");
  if (Result.Leads.empty())
    Out.Lines.push_back(
        (Result.Types ? "no line of the static data and no field of a type "
                        "that is known has a "
                      : "no line of the static data has a ") +
        std::string("writer beside another user, as far as the facts of this "
                    "binary tell"));
  return Out;
}

Section describeUnknown(const HuntRequest &Request, const HuntResult &Result,
                        const Lead *Best) {
  Section Unknown{"What is not known", {}};
  std::vector<std::string> Fields, Others;
  for (const Lead &L : Result.Leads)
    if (&L != Best && L.isOpen() && !L.isApart() && L.Seen != Sight::Confirmed)
      (L.IsField ? Fields : Others).push_back(L.id());
  if (!Fields.empty())
    Unknown.Lines.push_back(
        formatv("{0} of types: {1}. Their objects have no address in the "
                "file; --at=EXPRESSION leads to one, as in linesman watch",
                report::plural(Fields.size(), "suspected field"),
                list(Fields, MostNamed)));
  if (!Others.empty())
    Unknown.Lines.push_back(
        formatv("{0}, nothing certain seen: {1}",
                report::plural(Others.size(), "other located finding"),
                list(Others, MostNamed)));
  for (const Lead &L : Result.Leads)
    if (!L.WhyNotIsolated.empty() && L.isOpen())
      Unknown.Lines.push_back("cost of " + L.id() + ": " + L.WhyNotIsolated);
  if (!Request.Libraries.empty())
    Unknown.Lines.push_back(
        "not looked at: " + list(Request.Libraries, MostNamed) +
        ", which the program loads; hunt --program=FILE looks into one");
  if (Best && Request.Process)
    Unknown.Lines.push_back("costs: a running process is not started again; "
                            "hunt -- COMMAND with --link-command or --fixed "
                            "compares builds");
  else if (Best && !Best->IsField && !Request.hasLink())
    Unknown.Lines.push_back("costs: --link-command=FILE or --captured=OUTPUT "
                            "lets linesman link the program with the finding "
                            "apart");
  if (Best && !Request.Process && Request.Fixed.empty() &&
      Best->Finding.Kind != "false-sharing")
    Unknown.Lines.push_back("what the source change gains: --fixed='COMMAND' "
                            "compares a build that has it");
  if (!Request.HasNodes)
    Unknown.Lines.push_back("pages: this machine has one NUMA node, so none "
                            "could be moved");
  else if (Request.IsCounter)
    Unknown.Lines.push_back("pages were not searched: linesman bisect has no "
                            "counters");
  for (const StepRecord &Step : Result.Steps)
    if (Step.End == StepEnd::Failed)
      Unknown.Lines.push_back(Step.Action.Name + " failed: " + Step.Problem);
    else if (Step.End == StepEnd::Stopped)
      Unknown.Lines.push_back(Step.Action.Name +
                              " was interrupted; --resume goes on from there");
  append_range(Unknown.Lines, Result.Notes);
  return Unknown;
}

Section listCommands(const HuntResult &Result) {
  Section Again{"Run it again", {}, Section::Form::Commands};
  for (const StepRecord &Step : Result.Steps)
    Again.Lines.push_back("linesman " +
                          guard::quoteCommand(Step.Action.Arguments));
  return Again;
}

std::string titleOf(const HuntResult &Result, const Lead *Best) {
  HuntOutcome Outcome = Result.outcome();
  std::string Title = word(Outcome).str() + ": ";
  std::string Name = Best ? Best->id() : "";
  switch (Outcome) {
  case HuntOutcome::Costed:
    return Title + (Name.empty() ? Result.Culprits.front().Id : Name);
  case HuntOutcome::Observed:
    return Title + Name +
           "; threads meet on its line, what it costs is not "
           "known";
  case HuntOutcome::Open:
    return Title + Name +
           "; no threads were seen to meet on it, and nothing "
           "rules it out";
  case HuntOutcome::NothingFound:
    return Title +
           (Result.Types
                ? "nothing worth fixing in what was looked at"
                : "nothing worth fixing in the static data; no facts tell "
                  "of objects on the heap");
  case HuntOutcome::Stopped:
    return Title + "interrupted; --resume goes on";
  }
  llvm_unreachable("unknown outcome");
}

} // namespace

StringRef word(HuntOutcome Outcome) {
  switch (Outcome) {
  case HuntOutcome::Costed:
    return "costed";
  case HuntOutcome::Observed:
    return "observed";
  case HuntOutcome::Open:
    return "open";
  case HuntOutcome::NothingFound:
    return "nothing-found";
  case HuntOutcome::Stopped:
    return "stopped";
  }
  llvm_unreachable("unknown outcome");
}

static Section describeChanged(const report::Comparison &Changes) {
  Section New{"What is new", {report::describeTotal(Changes.Total, &Changes)}};
  const std::vector<std::string> Names(Changes.Unaccepted.begin(),
                                       Changes.Unaccepted.end());
  if (!Names.empty())
    New.Lines.push_back("new or worse than accepted: " +
                        list(Names, MostNamed));
  return New;
}

Story tellStory(const HuntRequest &Request, const HuntResult &Result,
                const report::Comparison *Changes) {
  const Lead *Best = Result.best();
  Story Told{titleOf(Result, Best), {}};
  std::vector<Section> All;
  if (Changes)
    All.push_back(describeChanged(*Changes));
  if (Best) {
    All.push_back(describeLead(*Best, Result.LineSize));
    All.push_back(describeEvidence(Result, *Best));
  }
  All.push_back(describeCosts(Request, Result));
  if (Best)
    All.push_back(describeFix(Request, *Best, Result.LineSize));
  All.push_back(showPatch(Result));
  All.push_back(describeRuledOut(Result));
  All.push_back(describeUnknown(Request, Result, Best));
  All.push_back(listCommands(Result));
  for (Section &S : All)
    if (!S.Lines.empty())
      Told.Sections.push_back(std::move(S));
  return Told;
}

} // namespace linesman::drive
