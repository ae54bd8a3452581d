// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the steps, and what each of them needs from those before.

#include "linesman/Drive/Hunt.h"
#include "HuntFix.h"
#include "HuntLeads.h"
#include "HuntSteps.h"
#include "linesman/Guard/Document.h"
#include "linesman/Guard/Output.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace linesman::drive {

namespace {

/// Tries of the lines that a first watch could not tell of; each is a run of
/// the command.
constexpr unsigned MostRetries = 4;
/// Lines that are watched alone, because a watch of several could not tell
/// their price well; those that seem to cost most.
constexpr unsigned MostPriced = 2;
/// Fields whose types are tried on what an expression leads to, or that are
/// watched in an object that the program uses.
constexpr unsigned MostFields = 3;

class Hunt {
public:
  Hunt(const HuntRequest &Request, StepRunner RunStep)
      : Request(Request), RunStep(RunStep) {}

  Expected<HuntResult> run() {
    if (Error E = locate())
      return std::move(E);
    observe();
    observeObjects();
    rankLeads(Result.Leads);
    priceAlone();
    rankLeads(Result.Leads);
    searchThePages();
    costIsolated();
    costFixed();
    proposePatch();
    return std::move(Result);
  }

private:
  const HuntRequest &Request;
  StepRunner RunStep;
  HuntResult Result;

  /// Whether the file that the step makes is there. A step that fails is
  /// remembered, and what needs its result is left out.
  bool perform(const Step &Action) {
    if (Result.IsStopped)
      return false;
    Expected<StepEnd> End = sys::fs::exists(Action.Result)
                                ? Expected<StepEnd>(StepEnd::Known)
                                : RunStep(Action);
    StepRecord Record{Action, StepEnd::Failed, ""};
    if (End)
      Record.End = *End;
    else
      Record.Problem = toString(End.takeError());
    Result.IsStopped = Record.End == StepEnd::Stopped;
    Result.Steps.push_back(std::move(Record));
    StepEnd Is = Result.Steps.back().End;
    return Is == StepEnd::Done || Is == StepEnd::Known;
  }

  /// The same, and what the file says.
  std::optional<json::Value> learn(const Step &Action) {
    if (!perform(Action))
      return std::nullopt;
    Expected<json::Value> Report = guard::readJson(Action.Result);
    if (Report)
      return std::move(*Report);
    Result.Steps.back().End = StepEnd::Failed;
    Result.Steps.back().Problem = toString(Report.takeError());
    return std::nullopt;
  }

  Error locate() {
    std::optional<json::Value> Variables = learn(locateVariables(Request));
    if (!Variables)
      return Result.IsStopped ? Error::success()
                              : createStringError(Result.Steps.back().Problem);
    Result.Leads = readLeads(*Variables, LeadKind::Variable);
    appendNotes(Result.Notes, *Variables);
    if (const json::Object *Top = Variables->getAsObject())
      Result.LineSize =
          Top->getInteger("line_size").value_or(layout::LineSize().Bytes);
    if (std::optional<json::Value> Fields = learn(locateFields(Request))) {
      append_range(Result.Leads, readLeads(*Fields, LeadKind::Field));
      if (const json::Object *Top = Fields->getAsObject())
        Result.Types = Top->getInteger("types").value_or(0);
      appendNotes(Result.Notes, *Fields);
    }
    return Error::success();
  }

  void observe() {
    if (none_of(Result.Leads, [](const Lead &L) { return !L.IsField; }))
      return;
    if (std::optional<json::Value> Seen = learn(watchFindings(Request)))
      attachObserved(Result.Leads, *Seen);
    else
      return;
    // A short command may have ended too early, and a process was watched for
    // as long as there was hope.
    unsigned Tries = 0;
    for (size_t I = 0; I != Result.Leads.size() && !Request.Process; ++I)
      while (hasNoVerdict(Result.Leads[I]) && Tries != MostRetries) {
        std::optional<json::Value> Seen =
            learn(watchFinding(Request, Result.Leads[I].id(), ++Tries));
        if (!Seen)
          return;
        // Only this one is new in the report.
        attachObserved(Result.Leads, *Seen);
      }
  }

  /// A line that has a session for itself is watched as often as all the lines
  /// of one with many.
  void priceAlone() {
    if (count_if(Result.Leads,
                 [](const Lead &L) { return L.Seen != Sight::NotWatched; }) < 2)
      return;
    std::vector<std::string> Wide;
    for (const Lead &L : Result.Leads) {
      std::optional<PredictedCost> Price = L.predicted();
      if (!L.IsField && !L.Finding.Occupants.empty() &&
          L.Seen == Sight::Confirmed && Wide.size() != MostPriced &&
          (!Price || Price->isWide()))
        Wide.push_back(L.id());
    }
    for (auto [I, Id] : enumerate(Wide)) {
      std::optional<json::Value> Seen =
          learn(watchForPrice(Request, Id, I + 1));
      if (!Seen)
        return;
      attachObserved(Result.Leads, *Seen);
    }
  }

  static bool hasNoVerdict(const Lead &L) {
    return !L.IsField &&
           (L.Seen == Sight::CannotTell || L.Seen == Sight::NotSeen);
  }

  void observeObjects() {
    if (Request.Expressions.empty())
      observeUsed();
    for (size_t I = 0; I != Request.Expressions.size() && !Result.IsStopped;
         ++I)
      if (!observeField(I))
        if (std::optional<json::Value> Seen = learn(watchObject(Request, I)))
          attachObserved(Result.Leads, *Seen);
  }

  /// Fields in objects that nobody named. Where none can be found, the story
  /// says why.
  void observeUsed() {
    unsigned Tried = 0;
    for (size_t I = 0; I != Result.Leads.size(); ++I) {
      if (!Result.Leads[I].IsField)
        continue;
      if (Result.IsStopped || Tried++ == MostFields)
        return;
      std::string Id = Result.Leads[I].id();
      if (std::optional<json::Value> Seen =
              learn(watchUsedField(Request, Id, Tried))) {
        attachObserved(Result.Leads, *Seen);
      } else if (!Result.IsStopped) {
        Result.Notes.push_back(Id + " was not watched: " + problem());
        Result.Steps.pop_back();
      }
    }
  }

  /// Whether the object is one of a type that has a finding: watch refuses
  /// those of other types, which is no failure of the hunt.
  bool observeField(size_t Object) {
    unsigned Tried = 0;
    for (const Lead &L : Result.Leads) {
      if (!L.IsField)
        continue;
      if (Tried++ == MostFields)
        break;
      if (std::optional<json::Value> Seen =
              learn(watchField(Request, Object, L.id(), Tried))) {
        attachObserved(Result.Leads, *Seen);
        return true;
      }
      if (Result.IsStopped)
        return true;
      Result.Steps.pop_back();
    }
    return false;
  }

  bool hasMetric() const { return !Request.Process || !Request.Probe.empty(); }

  void searchThePages() {
    if (!Request.HasNodes || !hasMetric() || Request.IsCounter)
      return;
    Step Search = searchPages(Request, PageSearch::ThenSymbol);
    std::optional<json::Value> Found = learn(Search);
    // A link that cannot take symbols apart is refused before the first window;
    // pages need none.
    Step PagesOnly = searchPages(Request, PageSearch::PagesOnly);
    if (!Found && !Result.IsStopped && PagesOnly.Name != Search.Name)
      Found = learn(PagesOnly);
    if (!Found)
      return;
    Result.Culprits = readCulprits(*Found);
    if (const json::Object *Top = Found->getAsObject())
      Result.PageOutcome = Top->getString("outcome").value_or("").str();
    appendNotes(Result.Notes, *Found);
  }

  void costIsolated() {
    if (!Request.hasLink() || Request.Command.empty())
      return;
    unsigned Costed = 0;
    for (size_t I = 0; I != Result.Leads.size(); ++I) {
      Lead &L = Result.Leads[I];
      // Fields are moved in the source.
      if (L.IsField || !L.isOpen() || L.Finding.Occupants.empty())
        continue;
      if (Costed == Request.MostCosted) {
        L.WhyNotIsolated = "others come first, see --top";
        continue;
      }
      Costed += costOne(L, I);
    }
  }

  /// Whether it was tried.
  bool costOne(Lead &L, size_t Index) {
    Step Plan = planIsolation(Request, L.id(), Index);
    std::optional<json::Value> Edits = learn(Plan);
    if (!Edits) {
      L.WhyNotIsolated = problem();
      return false;
    }
    L.WhyNotIsolated = whyNothingMoves(*Edits);
    if (!L.WhyNotIsolated.empty())
      return false;
    Step Link = linkIsolated(Request, Plan, Index);
    auto Command = replaceProgram(Request, Link.Result);
    if (!Command) {
      L.WhyNotIsolated = "no word of the command is the program's file, so the "
                         "isolated one cannot take its place";
      return false;
    }
    if (!perform(Link)) {
      L.WhyNotIsolated = problem();
      return false;
    }
    std::optional<json::Value> Report =
        learn(compare(Request, "cost-" + std::to_string(Index + 1),
                      "compare with the build that has it apart",
                      guard::quoteCommand(*Command)));
    if (!Report) {
      L.WhyNotIsolated = problem();
      return true;
    }
    if (Expected<CostEvidence> Cost = readCost(*Report))
      attachCost(L, *Cost, Request.IsSimulated);
    else
      L.WhyNotIsolated = toString(Cost.takeError());
    return true;
  }

  void costFixed() {
    if (Request.Fixed.empty() || Request.Command.empty())
      return;
    std::optional<json::Value> Report =
        learn(compare(Request, "cost-fixed",
                      "compare with the build of --fixed", Request.Fixed));
    if (!Report)
      return;
    if (Expected<CostEvidence> Cost = readCost(*Report))
      Result.Fixed = *Cost;
    else
      consumeError(Cost.takeError());
  }

  /// Of the lead that the story is about.
  void proposePatch() {
    const Lead *Best = Result.best();
    if (Request.Build.empty() || !Best || Result.IsStopped)
      return;
    if (Error E = patch(Result.Leads[Best - Result.Leads.data()].Finding))
      Result.Notes.push_back("no patch: " + toString(std::move(E)));
  }

  Error patch(report::Finding &Found) {
    auto Units = unitsOf(Found, Request.Build, Request.Program);
    if (!Units)
      return Units.takeError();
    std::optional<json::Value> Checks = learn(checkUnits(Request, *Units));
    // The step is among those that failed.
    if (!Checks)
      return Error::success();
    attachFix(Found, *Checks);
    if (Found.Fix.empty())
      return createStringError("no check knows a change of the source for " +
                               Found.Id);
    Expected<std::string> Patch = makePatch(Found);
    if (!Patch)
      return Patch.takeError();
    std::string File = Request.State + "/fix.patch";
    if (Error E =
            guard::writeOutput(File, [&](raw_ostream &OS) { OS << *Patch; }))
      return E;
    Result.Patch = std::move(*Patch);
    Result.PatchFile = std::move(File);
    return Error::success();
  }

  /// Of the last step.
  std::string problem() const {
    const StepRecord &Last = Result.Steps.back();
    return Last.End == StepEnd::Stopped ? "the hunt was ended before"
                                        : Last.Problem;
  }
};

bool isCure(const std::optional<CostEvidence> &Cost) {
  return Cost && Cost->Verdict == "faster";
}

/// Whether nothing more is to be known of it.
bool isRuledOut(const Lead &L) {
  return !L.isOpen() || L.isApart() ||
         (L.Finding.Kind == "false-sharing" && L.Isolated &&
          L.Isolated->Verdict == "no-difference");
}

} // namespace

const Lead *HuntResult::best() const {
  auto Costs = find_if(Leads, [](const Lead &L) { return isCure(L.Isolated); });
  if (Costs == Leads.end())
    Costs = find_if(Leads, [](const Lead &L) { return !isRuledOut(L); });
  return Costs == Leads.end() ? nullptr : &*Costs;
}

std::vector<report::Finding> HuntResult::judged() const {
  std::vector<report::Finding> Findings;
  const Lead *Told = best();
  for (const Lead &L : Leads) {
    if (isRuledOut(L))
      continue;
    report::Finding &Found = Findings.emplace_back(L.Finding);
    if (&L == Told)
      Found.Reached = std::max(Found.Reached, rung());
  }
  for (const Culprit &C : Culprits) {
    report::Finding &Found = Findings.emplace_back();
    Found.Id = C.Id;
    Found.Reached = layout::Rung::Costed;
  }
  return Findings;
}

bool HuntResult::isOpen() const {
  return outcome() == HuntOutcome::Open ||
         any_of(Leads, [](const Lead &L) { return L.isApart(); });
}

std::string HuntResult::whyBlind(layout::Rung Least) const {
  if (isOpen())
    return "nothing was seen of what was found, so --fail-on has nothing to "
           "judge";
  if (Least == layout::Rung::Costed && (best() || !Culprits.empty()) &&
      !isCostDecided())
    return "no comparison told what the findings cost, so --fail-on=costed has "
           "nothing to judge; --link-command, --captured and --fixed let "
           "linesman compare";
  return "";
}

bool HuntResult::isCostDecided() const {
  auto isDecided = [](const std::optional<CostEvidence> &Cost) {
    return Cost && Cost->Verdict != "cannot-tell";
  };
  return isDecided(Fixed) || !Culprits.empty() || PageOutcome == "no-effect" ||
         any_of(Leads, [&](const Lead &L) { return isDecided(L.Isolated); });
}

HuntOutcome HuntResult::outcome() const {
  if (isCure(Fixed) || !Culprits.empty() ||
      any_of(Leads, [](const Lead &L) { return isCure(L.Isolated); }))
    return HuntOutcome::Costed;
  if (IsStopped)
    return HuntOutcome::Stopped;
  if (all_of(Leads, isRuledOut))
    return HuntOutcome::NothingFound;
  if (any_of(Leads, [](const Lead &L) {
        return L.Seen == Sight::Confirmed && !isRuledOut(L);
      }))
    return HuntOutcome::Observed;
  return HuntOutcome::Open;
}

Expected<HuntResult> runHunt(const HuntRequest &Request, StepRunner RunStep) {
  return Hunt(Request, RunStep).run();
}

} // namespace linesman::drive
