// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evidence in sentences. Nothing is said that no step found.

#include "linesman/Drive/Story.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace linesman::drive {

namespace {

/// Sites of one access that are listed.
constexpr size_t MostSites = 3;
/// Leads that are named where several are alike.
constexpr size_t MostNamed = 5;

/// Four digits, and no exponent where people have none.
std::string number(double Value) {
  bool IsLarge = Value >= 1000 && Value < 1e15;
  return formatv("{0}", format(IsLarge ? "%.0f" : "%.4g", Value)).str();
}

std::string textAt(const json::Object &From, StringRef Key) {
  return From.getString(Key).value_or("").str();
}

template <typename Function>
void forEachObject(const json::Object *From, StringRef Key, Function Use) {
  const json::Array *Array = From ? From->getArray(Key) : nullptr;
  if (!Array)
    return;
  for (const json::Value &Value : *Array)
    if (const json::Object *Object = Value.getAsObject())
      Use(*Object);
}

std::vector<std::string> textsAt(const json::Object &From, StringRef Key) {
  std::vector<std::string> Texts;
  if (const json::Array *Array = From.getArray(Key))
    for (const json::Value &Value : *Array)
      if (std::optional<StringRef> Text = Value.getAsString())
        Texts.push_back(Text->str());
  return Texts;
}

/// "a, b, c and 4 more".
std::string list(ArrayRef<std::string> Names, size_t Most) {
  std::string Text = join(Names.take_front(Most), ", ");
  if (Names.size() > Most)
    Text += formatv(" and {0} more", Names.size() - Most);
  return Text;
}

/// Reports have the folder of the compile in front of some.
std::string sourceAt(const json::Object &From) {
  StringRef Source = From.getString("source").value_or("");
  Source.consume_front("./");
  return Source.str();
}

/// Where an occupant is accessed: "f() (x.cpp:12, x.cpp:15), g()".
std::string sitesOf(const json::Object &Occupant) {
  MapVector<StringRef, std::vector<std::string>> Places;
  forEachObject(&Occupant, "sites", [&](const json::Object &Site) {
    std::vector<std::string> &Known =
        Places[Site.getString("function").value_or("")];
    if (std::string Place = sourceAt(Site);
        !Place.empty() && !is_contained(Known, Place))
      Known.push_back(std::move(Place));
  });
  std::vector<std::string> Sites;
  for (const auto &[Function, Known] : Places)
    Sites.push_back(Known.empty() ? Function.str()
                                  : (Function + " (").str() +
                                        list(Known, MostSites) + ")");
  return list(Sites, MostSites);
}

std::string describeOccupant(const json::Object &Occupant) {
  std::string Text = textAt(Occupant, "name");
  if (std::string Member = textAt(Occupant, "member");
      !Member.empty() && !StringRef(Text).ends_with(Member))
    Text += ", " + Member;
  Text += formatv(", {0} bytes", Occupant.getInteger("size").value_or(0));
  if (std::string Source = sourceAt(Occupant); !Source.empty())
    Text += ", defined at " + Source;
  for (auto [Key, Word] : {std::pair("written_by", "written by "),
                           std::pair("read_by", "read by ")})
    if (std::vector<std::string> Roles = textsAt(Occupant, Key); !Roles.empty())
      Text += std::string("; ") + Word + list(Roles, MostNamed);
  if (std::string Sites = sitesOf(Occupant); !Sites.empty())
    Text += ": " + Sites;
  return Text;
}

bool isUsed(const json::Object &Occupant) {
  return any_of(
      std::initializer_list<StringRef>{"reads", "writes", "atomics"},
      [&](StringRef Key) { return Occupant.getNumber(Key).value_or(0) > 0; });
}

Section describeLead(const Lead &Best, unsigned LineSize) {
  Section Is{"What it is", {}};
  std::string Where;
  if (const json::Object *Type = Best.Finding.getObject("type"))
    Where =
        formatv("fields of {0} that share a line of {1} bytes in {2} of {3} "
                "placements of an object",
                textAt(*Type, "name"), LineSize,
                Type->getInteger("shared_phases").value_or(0),
                Type->getInteger("phases").value_or(0));
  else if (const json::Object *Line = Best.Finding.getObject("line"))
    Where = formatv(
        "the line of {0} bytes at {1}{2}", LineSize, textAt(*Line, "address"),
        Line->getString("section") ? " in " + textAt(*Line, "section") : "");
  std::string Kind = Best.kind().str();
  std::replace(Kind.begin(), Kind.end(), '-', ' ');
  if (Kind == "mixed")
    Kind = "false sharing and true sharing";
  Is.Lines.push_back(Kind + (Kind.empty() ? "" : " on ") + Where);
  forEachObject(&Best.Finding, "occupants", [&](const json::Object &Occupant) {
    if (isUsed(Occupant))
      Is.Lines.push_back(describeOccupant(Occupant));
  });
  return Is;
}

/// "written by 2 threads (shard.cpp:5), read by 1".
std::string describeWord(const json::Object &Word) {
  std::vector<std::string> Writers, Readers, Sites;
  forEachObject(&Word, "accesses", [&](const json::Object &Access) {
    std::string Thread = formatv("{0}/{1}", textAt(Access, "thread_name"),
                                 Access.getInteger("thread").value_or(0));
    if (Access.getNumber("writes").value_or(0) > 0)
      Writers.push_back(Thread);
    if (Access.getNumber("reads").value_or(0) > 0)
      Readers.push_back(Thread);
    for (std::string &Site : textsAt(Access, "sites"))
      if (!is_contained(Sites, Site))
        Sites.push_back(std::move(Site));
  });
  int64_t Offset = Word.getInteger("offset").value_or(0);
  std::string Text = formatv("bytes {0}-{1}", Offset,
                             Offset + Word.getInteger("size").value_or(8) - 1);
  if (std::string Label = textAt(Word, "label"); !Label.empty())
    Text += " (" + Label + ")";
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
  if (Cost.Ratio)
    Text += formatv(": {0} times the metric (95 % interval {1} to {2})",
                    number(Cost.Ratio->Median), number(Cost.Ratio->Low),
                    number(Cost.Ratio->High));
  if (Cost.Rounds)
    Text += formatv("; {0}, {1} is better: {2} before, {3} after", Cost.Metric,
                    Cost.Better, number(Cost.Before), number(Cost.After));
  Text += formatv("; {0} rounds, p = {1}", Cost.Rounds,
                  formatv("{0}", format("%.2g", Cost.P)));
  if (Cost.RoundsNeeded)
    Text += formatv("; about {0} rounds could tell", Cost.RoundsNeeded);
  if (Cost.CountsDisturbed)
    Text += formatv("; in {0} of them other programs kept it waiting, which "
                    "hides a part of the difference",
                    Cost.Disturbed);
  else if (Cost.Disturbed)
    Text += formatv("; {0} rounds were left out because other programs kept it "
                    "waiting",
                    Cost.Disturbed);
  return Text;
}

Section describeEvidence(const HuntResult &Result, const Lead &Best) {
  Section Known{"How we know", {}};
  if (Best.Finding.getArray("occupants"))
    Known.Lines.push_back(
        Best.IsField
            ? "suspected: by facts of the code about the type; threads that "
              "share an object are not known from the file"
            : "located: by facts of the code and the addresses of this binary");
  if (const json::Object *Observed = Best.Finding.getObject("observed")) {
    Known.Lines.push_back("observed: hardware watchpoints on the running "
                          "program, " +
                          sightWord(Best.Seen) + " as " +
                          textAt(*Observed, "verdict"));
    forEachObject(Observed, "words", [&](const json::Object &Word) {
      Known.Lines.push_back(describeWord(Word));
    });
  }
  for (const Culprit &Found : Result.Culprits)
    Known.Lines.push_back(formatv(
        "costed: {0}{1} alone on the remote node explains {2:f0} % of "
        "the slow-down, p = {3}{4}",
        Found.Id, Found.Page.empty() ? "" : " (page " + Found.Page + ")",
        100 * Found.Explains, formatv("{0}", format("%.2g", Found.P)),
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
  for (const Lead &L : Result.Leads)
    if (L.Isolated) {
      Costs.Lines.push_back(L.Id + " isolated: " + describeCost(*L.Isolated));
      if (L.Isolated->Levels.size() > 1)
        Costs.Lines.push_back(formatv(
            "starts of the program as it is fall into levels ({0} and {1}): "
            "where memory lies decides",
            number(L.Isolated->Levels[0]), number(L.Isolated->Levels[1])));
    }
  if (Result.Fixed)
    Costs.Lines.push_back("the build of --fixed: " +
                          describeCost(*Result.Fixed));
  return Costs;
}

Section describeFix(const HuntRequest &Request, const Lead &Best) {
  Section Fix{"How to fix it", {}};
  const json::Object *Remedy = Best.Finding.getObject("remedy");
  if (!Remedy)
    return Fix;
  Fix.Lines.push_back(textAt(*Remedy, "kind") + ": " + textAt(*Remedy, "text"));
  if (!Best.IsField)
    Fix.Lines.push_back("lines for the source: linesman plan --select=" +
                        guard::quoteForShell(Best.Id) + " --emit=cpp " +
                        Request.Program);
  return Fix;
}

Section describeRuledOut(const HuntResult &Result) {
  Section Out{"What was ruled out", {}};
  for (const Lead &L : Result.Leads) {
    const json::Object *Observed = L.Finding.getObject("observed");
    if (L.Seen == Sight::Refuted && Observed) {
      std::string Text = L.Id + ": watched, " + textAt(*Observed, "verdict");
      if (const json::Object *Evidence = Observed->getObject("evidence"))
        Text += formatv(
            "; one {0} every {1} ms would have been missed with p = "
            "{2}",
            textAt(*Evidence, "absent"),
            number(Evidence->getNumber("every_ms").value_or(0)),
            formatv("{0}",
                    format("%.2g", Evidence->getNumber("missed").value_or(1))));
      Out.Lines.push_back(std::move(Text));
    } else if (L.Isolated && L.Isolated->Verdict == "no-difference") {
      Out.Lines.push_back(L.Id +
                          ": on lines of its own the metric is the same, so "
                          "its neighbours cost nothing" +
                          (L.kind() == "false-sharing"
                               ? ""
                               : "; what the same bytes cost is not known"));
    }
  }
  if (Result.PageOutcome == "no-effect")
    Out.Lines.push_back("static pages on the other node: no effect");
  if (Result.Leads.empty())
    Out.Lines.push_back(
        "no line of the static data and no type has a writer beside another "
        "user, by the facts of this binary");
  return Out;
}

Section describeUnknown(const HuntRequest &Request, const HuntResult &Result,
                        const Lead *Best) {
  Section Unknown{"What is not known", {}};
  std::vector<std::string> Fields, Others;
  for (const Lead &L : Result.Leads)
    if (&L != Best && L.isOpen() && L.Seen != Sight::Confirmed)
      (L.IsField ? Fields : Others).push_back(L.Id);
  if (!Fields.empty())
    Unknown.Lines.push_back(
        formatv("{0} suspected fields of types: {1}. Their objects have no "
                "address in the file; --at=EXPRESSION leads to one, as in "
                "linesman watch",
                Fields.size(), list(Fields, MostNamed)));
  if (!Others.empty())
    Unknown.Lines.push_back(formatv("{0} other located findings, nothing "
                                    "certain seen: {1}",
                                    Others.size(), list(Others, MostNamed)));
  for (const Lead &L : Result.Leads)
    if (!L.WhyNotIsolated.empty() && L.isOpen())
      Unknown.Lines.push_back("cost of " + L.Id + ": " + L.WhyNotIsolated);
  if (Best && Request.Process)
    Unknown.Lines.push_back("costs: a running process is not started again; "
                            "hunt -- COMMAND with --link-command or --fixed "
                            "compares builds");
  else if (Best && !Best->IsField && !Request.hasLink())
    Unknown.Lines.push_back("costs: --link-command=FILE or --captured=OUTPUT "
                            "lets linesman link the program with the finding "
                            "apart");
  if (Best && !Request.Process && Request.Fixed.empty() &&
      Best->kind() != "false-sharing")
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
      Unknown.Lines.push_back(Step.What.Name + " failed: " + Step.Problem);
    else if (Step.End == StepEnd::Stopped)
      Unknown.Lines.push_back(Step.What.Name +
                              " was interrupted; --resume goes on from there");
  append_range(Unknown.Lines, Result.Notes);
  return Unknown;
}

Section listCommands(const HuntResult &Result) {
  Section Again{"Run it again", {}, Section::Form::Commands};
  for (const StepRecord &Step : Result.Steps)
    Again.Lines.push_back("linesman " +
                          guard::quoteCommand(Step.What.Arguments));
  return Again;
}

std::string titleOf(const HuntResult &Result, const Lead *Best) {
  HuntOutcome Outcome = Result.outcome();
  std::string Title = word(Outcome).str() + ": ";
  std::string Name = Best ? Best->Id : "";
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
    return Title + "nothing worth fixing in what was looked at";
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

Story tellStory(const HuntRequest &Request, const HuntResult &Result) {
  const Lead *Best = Result.best();
  Story Told{titleOf(Result, Best), {}};
  std::vector<Section> All;
  if (Best) {
    All.push_back(describeLead(*Best, Result.LineSize));
    All.push_back(describeEvidence(Result, *Best));
  }
  All.push_back(describeCosts(Request, Result));
  if (Best)
    All.push_back(describeFix(Request, *Best));
  All.push_back(describeRuledOut(Result));
  All.push_back(describeUnknown(Request, Result, Best));
  All.push_back(listCommands(Result));
  for (Section &S : All)
    if (!S.Lines.empty())
      Told.Sections.push_back(std::move(S));
  return Told;
}

} // namespace linesman::drive
