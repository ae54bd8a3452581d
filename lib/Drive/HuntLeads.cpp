// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports are read by their documented keys, and nothing else.

#include "HuntLeads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::drive {

namespace {

/// The objects of an array in the object \p Source; none where it is not there.
std::vector<const json::Object *> objectsAt(const json::Object *Source,
                                            StringRef Key) {
  std::vector<const json::Object *> Result;
  if (const json::Array *Array = Source ? Source->getArray(Key) : nullptr)
    for (const json::Value &Value : *Array)
      if (const json::Object *Object = Value.getAsObject())
        Result.push_back(Object);
  return Result;
}

double numberAt(const json::Object &Source, StringRef Key) {
  return Source.getNumber(Key).value_or(0);
}

std::string textAt(const json::Object &Source, StringRef Key) {
  return Source.getString(Key).value_or("").str();
}

Sight sightOf(const report::FindingObservation &Seen) {
  return StringSwitch<Sight>(Seen.Outcome)
      .Case("confirmed", Sight::Confirmed)
      .Case("refuted", Sight::Refuted)
      .Case("cannot-tell", Sight::CannotTell)
      .Default(Sight::NotSeen);
}

/// The findings of a report; what is none is passed over.
std::vector<report::Finding> findingsIn(const json::Value &Report) {
  std::vector<report::Finding> Result;
  for (const json::Object *Object : objectsAt(Report.getAsObject(), "findings"))
    if (Expected<report::Finding> Read = report::readFinding(*Object))
      Result.push_back(std::move(*Read));
    else
      consumeError(Read.takeError());
  return Result;
}

/// Of what was confirmed already, a second look may say more of the price, or
/// less.
bool isWorsePrice(const report::FindingObservation &Again, const Lead &Known) {
  std::optional<PredictedCost> Before = Known.predicted();
  if (!Before || sightOf(Again) != Sight::Confirmed)
    return false;
  return !Again.Price || readPrice(*Again.Price).width() > Before->width();
}

/// One of the two sides that ab compared.
double medianOf(const json::Object &Report, StringRef Side) {
  const json::Object *Values = Report.getObject(Side);
  return Values ? numberAt(*Values, "median") : 0;
}

} // namespace

std::optional<PredictedCost> Lead::predicted() const {
  if (Seen != Sight::Confirmed || !Finding.Seen || !Finding.Seen->Price)
    return std::nullopt;
  return readPrice(*Finding.Seen->Price);
}

std::vector<Lead> readLeads(const json::Value &Report, LeadKind Kind) {
  std::vector<Lead> Leads;
  for (report::Finding &Finding : findingsIn(Report)) {
    Lead &Found = Leads.emplace_back();
    Found.Finding = std::move(Finding);
    Found.IsField = Kind == LeadKind::Field;
  }
  return Leads;
}

void attachObserved(std::vector<Lead> &Leads, const json::Value &Report) {
  for (report::Finding &Finding : findingsIn(Report)) {
    if (!Finding.Seen)
      continue;
    const Sight Seen = sightOf(*Finding.Seen);
    auto Known =
        find_if(Leads, [&](const Lead &L) { return L.id() == Finding.Id; });
    if (Known == Leads.end()) {
      Lead &Found = Leads.emplace_back();
      Found.Finding = std::move(Finding);
      Found.Seen = Seen;
      continue;
    }
    if (Seen < Known->Seen || isWorsePrice(*Finding.Seen, *Known))
      continue;
    Known->Seen = Seen;
    Known->Finding.Seen = std::move(Finding.Seen);
    Known->Finding.Reached = Finding.Reached;
    Known->Finding.Kind = Finding.Kind;
  }
}

Expected<CostEvidence> readCost(const json::Value &Report) {
  const json::Object *Top = Report.getAsObject();
  if (!Top || Top->getString("command") != "ab" || !Top->getString("verdict"))
    return createStringError("expected a report of linesman ab");
  CostEvidence Cost;
  Cost.Metric = textAt(*Top, "metric");
  Cost.Better = textAt(*Top, "better");
  Cost.Verdict = textAt(*Top, "verdict");
  Cost.Before = medianOf(*Top, "a");
  Cost.After = medianOf(*Top, "b");
  Cost.P = Top->getNumber("p").value_or(1);
  Cost.Rounds = numberAt(*Top, "rounds");
  Cost.Disturbed = numberAt(*Top, "disturbed_rounds");
  Cost.CountsDisturbed = Top->getBoolean("counts_disturbed").value_or(false);
  Cost.RoundsNeeded = numberAt(*Top, "rounds_needed");
  Cost.SecondsNeeded = numberAt(*Top, "seconds_needed");
  if (const json::Object *Shares = Top->getObject("shares");
      Shares && Shares->getBoolean("decide").value_or(false))
    Cost.Shares = {numberAt(*Shares, "low_level"),
                   uint64_t(numberAt(*Shares, "a_low")),
                   uint64_t(numberAt(*Shares, "b_low"))};
  if (const json::Object *Ratio = Top->getObject("ratio"))
    Cost.Ratio = {numberAt(*Ratio, "median"), numberAt(*Ratio, "low"),
                  numberAt(*Ratio, "high")};
  for (const json::Object *Level : objectsAt(Top->getObject("clusters"), "a"))
    Cost.Levels.push_back(numberAt(*Level, "level"));
  return Cost;
}

void attachCost(Lead &Updated, const CostEvidence &Cost, bool IsSimulated) {
  Updated.Isolated = Cost;
  if (Cost.Verdict != "faster" && Cost.Verdict != "slower")
    return;
  Updated.Finding.Reached = layout::Rung::Costed;
  report::FindingCost &Measured = Updated.Finding.Cost.emplace();
  Measured.Metric = Cost.Metric;
  Measured.Before = Cost.Before;
  Measured.After = Cost.After;
  Measured.P = Cost.P;
  Measured.Windows = 2 * Cost.Rounds;
  Measured.IsSimulated = IsSimulated;
  if (Cost.Ratio)
    Measured.Ratio = {Cost.Ratio->Median, Cost.Ratio->Low, Cost.Ratio->High};
}

std::vector<Culprit> readCulprits(const json::Value &Report) {
  std::vector<Culprit> Culprits;
  for (const report::Finding &Finding : findingsIn(Report)) {
    if (!Finding.Cost)
      continue;
    Culprit Found;
    Found.Id = Finding.Id;
    if (const report::VariableSubject *Subject = Finding.variable();
        Subject && Subject->Page)
      Found.Page = formatv("{0:x}", Subject->Page->Address);
    Found.Explains = Finding.Cost->Explains.value_or(0);
    Found.P = Finding.Cost->P;
    Found.IsSimulated = Finding.Cost->IsSimulated;
    Culprits.push_back(std::move(Found));
  }
  return Culprits;
}

void rankLeads(std::vector<Lead> &Leads) {
  auto place = [](const Lead &L) {
    unsigned Group = L.Seen == Sight::Confirmed ? 0 : L.isOpen() ? 1 : 2;
    // What certainly costs most comes first; then what may.
    PredictedCost None;
    None.HighShare = 0;
    PredictedCost Price = L.predicted().value_or(None);
    return std::tuple(Group, L.IsField, -Price.LowShare, -Price.HighShare);
  };
  stable_sort(
      Leads, [&](const Lead &A, const Lead &B) { return place(A) < place(B); });
}

void appendNotes(std::vector<std::string> &List, const json::Value &Report) {
  const json::Object *Top = Report.getAsObject();
  const json::Array *Notes = Top ? Top->getArray("notes") : nullptr;
  if (!Notes)
    return;
  for (const json::Value &Note : *Notes)
    if (std::optional<StringRef> Text = Note.getAsString();
        Text && !is_contained(List, *Text))
      List.push_back(Text->str());
}

std::string whyNothingMoves(const json::Value &Plan) {
  const json::Object *Top = Plan.getAsObject();
  if (!Top || !objectsAt(Top, "edits").empty())
    return "";
  for (const json::Object *Left : objectsAt(Top, "left"))
    return textAt(*Left, "why");
  return "no layout helps: the same bytes are shared";
}

} // namespace linesman::drive
