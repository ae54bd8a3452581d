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

/// The objects of an array in the object \p From; none where it is not there.
std::vector<const json::Object *> objectsAt(const json::Object *From,
                                            StringRef Key) {
  std::vector<const json::Object *> Result;
  if (const json::Array *Array = From ? From->getArray(Key) : nullptr)
    for (const json::Value &Value : *Array)
      if (const json::Object *Object = Value.getAsObject())
        Result.push_back(Object);
  return Result;
}

double numberAt(const json::Object &From, StringRef Key) {
  return From.getNumber(Key).value_or(0);
}

std::string textAt(const json::Object &From, StringRef Key) {
  return From.getString(Key).value_or("").str();
}

Sight readSight(const json::Object &Observed) {
  return StringSwitch<Sight>(Observed.getString("outcome").value_or(""))
      .Case("confirmed", Sight::Confirmed)
      .Case("refuted", Sight::Refuted)
      .Case("cannot-tell", Sight::CannotTell)
      .Default(Sight::NotSeen);
}

Lead makeLead(const json::Object &Finding) {
  Lead Result;
  Result.Id = textAt(Finding, "id");
  Result.Finding = Finding;
  return Result;
}

/// One of the two sides that ab compared.
double medianOf(const json::Object &Report, StringRef Side) {
  const json::Object *Values = Report.getObject(Side);
  return Values ? numberAt(*Values, "median") : 0;
}

} // namespace

StringRef Lead::kind() const { return Finding.getString("kind").value_or(""); }

std::vector<Lead> readLeads(const json::Value &Report, LeadKind Kind) {
  std::vector<Lead> Leads;
  for (const json::Object *Finding :
       objectsAt(Report.getAsObject(), "findings")) {
    Leads.push_back(makeLead(*Finding));
    Leads.back().IsField = Kind == LeadKind::Field;
  }
  return Leads;
}

void attachObserved(std::vector<Lead> &Leads, const json::Value &Report) {
  for (const json::Object *Finding :
       objectsAt(Report.getAsObject(), "findings")) {
    const json::Object *Observed = Finding->getObject("observed");
    if (!Observed)
      continue;
    std::string Id = textAt(*Finding, "id");
    auto Known = find_if(Leads, [&](const Lead &L) { return L.Id == Id; });
    if (Known == Leads.end()) {
      Leads.push_back(makeLead(*Finding));
      Leads.back().Seen = readSight(*Observed);
      continue;
    }
    Sight Seen = readSight(*Observed);
    if (Seen < Known->Seen)
      continue;
    Known->Seen = Seen;
    Known->Finding["observed"] = json::Value(json::Object(*Observed));
    Known->Finding["rung"] = textAt(*Finding, "rung");
    Known->Finding["kind"] = textAt(*Finding, "kind");
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
  if (const json::Object *Ratio = Top->getObject("ratio"))
    Cost.Ratio = {numberAt(*Ratio, "median"), numberAt(*Ratio, "low"),
                  numberAt(*Ratio, "high")};
  for (const json::Object *Level : objectsAt(Top->getObject("clusters"), "a"))
    Cost.Levels.push_back(numberAt(*Level, "level"));
  return Cost;
}

void attachCost(Lead &To, const CostEvidence &Cost, bool IsSimulated) {
  To.Isolated = Cost;
  if (Cost.Verdict != "faster" && Cost.Verdict != "slower")
    return;
  To.Finding["rung"] = "costed";
  json::Object Value{{"metric", Cost.Metric},      {"before", Cost.Before},
                     {"after", Cost.After},        {"p", Cost.P},
                     {"windows", 2 * Cost.Rounds}, {"simulated", IsSimulated}};
  if (Cost.Ratio)
    Value["ratio"] = json::Object{{"median", Cost.Ratio->Median},
                                  {"low", Cost.Ratio->Low},
                                  {"high", Cost.Ratio->High}};
  To.Finding["cost"] = std::move(Value);
}

std::vector<Culprit> readCulprits(const json::Value &Report) {
  std::vector<Culprit> Culprits;
  for (const json::Object *Finding :
       objectsAt(Report.getAsObject(), "findings")) {
    const json::Object *Cost = Finding->getObject("cost");
    if (!Cost)
      continue;
    Culprit Found;
    Found.Id = textAt(*Finding, "id");
    if (const json::Object *Page = Finding->getObject("page"))
      Found.Page = textAt(*Page, "address");
    Found.Explains = numberAt(*Cost, "explains");
    Found.P = Cost->getNumber("p").value_or(1);
    Found.IsSimulated = Cost->getBoolean("simulated").value_or(false);
    Culprits.push_back(std::move(Found));
  }
  return Culprits;
}

void rankLeads(std::vector<Lead> &Leads) {
  auto place = [](const Lead &L) {
    unsigned Group = L.Seen == Sight::Confirmed ? 0 : L.isOpen() ? 1 : 2;
    return std::pair(Group, L.IsField);
  };
  stable_sort(
      Leads, [&](const Lead &A, const Lead &B) { return place(A) < place(B); });
}

void appendNotes(std::vector<std::string> &To, const json::Value &Report) {
  const json::Object *Top = Report.getAsObject();
  const json::Array *Notes = Top ? Top->getArray("notes") : nullptr;
  if (!Notes)
    return;
  for (const json::Value &Note : *Notes)
    if (std::optional<StringRef> Text = Note.getAsString();
        Text && !is_contained(To, *Text))
      To.push_back(Text->str());
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
