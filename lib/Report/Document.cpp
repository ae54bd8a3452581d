// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every format asks of a finding: its place, its identity, one sentence.

#include "linesman/Report/Document.h"
#include "UseTexts.h"
#include "linesman/Report/Merge.h"
#include "linesman/Report/Report.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace llvm;

namespace linesman::report {

void writeScore(StringRef Key, double Score, json::OStream &Json) {
  Json.attributeBegin(Key);
  Json.rawValue(std::isfinite(Score) ? scoreText(Score) : "null");
  Json.attributeEnd();
}

void writeTotal(double Total, const Comparison *Changes, json::OStream &Json) {
  writeScore("total_score", Total, Json);
  if (!Changes)
    return;
  Json.attributeObject("against", [&] {
    writeScore("total_score", Changes->OldTotal, Json);
    Json.attribute("new", int64_t(Changes->New));
    Json.attribute("worse", int64_t(Changes->Worse));
    Json.attribute("better", int64_t(Changes->Better));
    Json.attribute("gone", int64_t(Changes->Gone));
  });
}

void writeLimits(StringRef Blind, layout::Rung Reach, layout::Rung Usual,
                 json::OStream &Json) {
  if (!Blind.empty())
    Json.attribute("blind", json::fixUTF8(Blind));
  if (Reach < Usual)
    Json.attribute("highest_rung", word(Reach));
}

std::string describeChanges(const Comparison &Changes) {
  return formatv("{0} new, {1} worse, {2} better, {3} gone", Changes.New,
                 Changes.Worse, Changes.Better, Changes.Gone);
}

std::string describeStanding(const Finding &Found) {
  std::string Text = Found.Kind.empty() ? "" : Found.Kind + ", ";
  if (Found.score() > 0)
    Text += "score " + number(Found.score()) + ", ";
  return Text + word(Found.Reached).str();
}

std::string describeTotal(double Total, const Comparison *Changes) {
  std::string Text = formatv(
      "total score {0} (line transfers an operation, at most)", number(Total));
  if (!Changes)
    return Text;
  double Change = Total - Changes->OldTotal;
  if (number(Total) == number(Changes->OldTotal))
    Text += ", as accepted";
  else
    Text += formatv(", {0} {1} than accepted", number(std::abs(Change)),
                    Change < 0 ? "less" : "more");
  return Text + ": " + describeChanges(*Changes);
}

static bool isWrite(const FindingSite &Site) {
  return Site.Access == "write" || Site.Access == "atomic";
}

/// The heaviest write; or else the heaviest access.
static const FindingSite *heaviestSite(const Finding &Found) {
  const FindingSite *Best = nullptr;
  auto Key = [](const FindingSite &Site) {
    return std::tuple(!Site.isStartUp(), isWrite(Site),
                      Site.Weight.value_or(0));
  };
  for (const FindingOccupant &Occupant : Found.Occupants)
    for (const FindingSite &Site : Occupant.Sites)
      if (Site.Place && (!Best || Key(Site) > Key(*Best)))
        Best = &Site;
  return Best;
}

/// Of the occupant that the finding is named after, or else of one that is
/// written.
static SourcePlace definition(const Finding &Found) {
  const FindingOccupant *Best = nullptr;
  auto Key = [&](const FindingOccupant &Occupant) {
    return std::tuple(StringRef(Found.Id).starts_with(Occupant.Name),
                      Occupant.Writes + Occupant.Atomics);
  };
  for (const FindingOccupant &Occupant : Found.Occupants)
    if (Occupant.Defined && (!Best || Key(Occupant) > Key(*Best)))
      Best = &Occupant;
  if (Best)
    return Best->Defined;
  const FieldSubject *Field = Found.field();
  return Field ? Field->Defined : SourcePlace();
}

SourcePlace primaryPlace(const Finding &Found) {
  const FindingSite *Site = heaviestSite(Found);
  if (!Found.Remedy || Found.Remedy->Kind != "guard" || !Site)
    if (SourcePlace Defined = definition(Found); Defined && !Found.check())
      return Defined;
  if (Site)
    return Site->Place;
  for (const SourcePlace &Place : placesOf(Found))
    return Place;
  return {};
}

const FindingLine *Finding::line() const {
  const std::optional<FindingLine> *Line = field()      ? &field()->Line
                                           : variable() ? &variable()->Line
                                                        : nullptr;
  return Line && *Line ? &**Line : nullptr;
}

std::optional<int64_t>
Finding::offsetOf(const FindingOccupant &Occupant) const {
  const FindingLine *Line = line();
  if (Line && Line->Address && Occupant.Address)
    return int64_t(*Occupant.Address - *Line->Address);
  if (Line && Line->Offset && Occupant.Offset)
    return *Occupant.Offset - *Line->Offset;
  return std::nullopt;
}

std::string Finding::remedyText() const {
  return Remedy && !Remedy->Text.empty() ? Remedy->Kind + ": " + Remedy->Text
                                         : "";
}

bool FindingObservation::hasAccesses() const {
  return any_of(
      Words, [](const ObservedWord &Word) { return !Word.Accesses.empty(); });
}

bool Finding::hasCheck() const {
  return check() || any_of(Evidence, [](const FindingEvidence &Evidence) {
           return !Evidence.Check.empty();
         });
}

std::string threadName(const ObservedAccess &Access) {
  return Access.ThreadName.empty() ? std::to_string(Access.Thread)
                                   : Access.ThreadName;
}

std::vector<SourcePlace> placesOf(const Finding &Found) {
  std::vector<SourcePlace> Places;
  auto Add = [&](const SourcePlace &Place) {
    if (Place && !is_contained(Places, Place))
      Places.push_back(Place);
  };
  for (const FindingOccupant &Occupant : Found.Occupants) {
    for (const FindingSite &Site : Occupant.Sites) {
      Add(Site.Place);
      Add(Site.HandedOn);
      for (const FindingSite::Frame &Frame : Site.InlinedInto)
        Add(Frame.Place);
    }
    Add(Occupant.Defined);
  }
  if (const FieldSubject *Field = Found.field())
    Add(Field->Defined);
  for (const FindingEvidence &Evidence : Found.Evidence)
    Add(Evidence.Place);
  for (const Finding::Note &Note : Found.Notes)
    Add(Note.Place);
  if (Found.Seen)
    for (const ObservedWord &Word : Found.Seen->Words)
      for (const ObservedAccess &Access : Word.Accesses)
        for (const SourcePlace &Place : Access.Sites)
          Add(Place);
  return Places;
}

std::vector<std::string> stableKeys(const Finding &Found) {
  if (Found.Files.empty() || Found.IsAccepted)
    return {stableKey(Found)};
  std::vector<std::string> Keys;
  for (const FindingFile &File : Found.Files) {
    StringRef Name = sys::path::filename(File.Path);
    std::string Program =
        File.Package.empty() ? Name.str() : File.Package + "/" + Name.str();
    // Two folders may have files of one name.
    if (std::string Key = Program + ": " + plainIdentity(Found.Id);
        !is_contained(Keys, Key))
      Keys.push_back(std::move(Key));
  }
  return Keys;
}

std::string stableKey(const Finding &Found) {
  // A baseline's row is called by its key.
  if (Found.IsAccepted)
    return Found.Id;
  // What names nothing is called by its place; its message says more.
  if (const FindingSuspicion *Check = Found.check();
      Check && parsePlace(Found.Id).Line) {
    StringRef File = StringRef(Found.Id).rsplit(':').first;
    return (File.substr(File.rfind('/') + 1) + " " + Check->Message).str();
  }
  return Found.Files.empty() ? plainIdentity(Found.Id)
                             : stableKeys(Found).front();
}

/// "writes 3, reads 4" of one occupant, as part of a sentence.
static std::string describeUse(const FindingOccupant &Is) {
  std::vector<std::string> Texts =
      useTexts(Is, {"written", "updated atomically", "read"});
  return listed(Texts, Texts.size()) + " times an operation";
}

static double usesOf(const FindingOccupant &Occupant) {
  return Occupant.Reads + Occupant.Writes + Occupant.Atomics;
}

/// The occupant that the finding is named after, or the one that is written
/// most.
static const FindingOccupant *headOf(const Finding &Found) {
  const FindingOccupant *Head = nullptr;
  auto Key = [&](const FindingOccupant &Occupant) {
    bool IsNamed = StringRef(Found.Id).starts_with(Occupant.Name);
    return std::tuple(IsNamed ? Occupant.Name.size() : 0,
                      Occupant.Writes + Occupant.Atomics);
  };
  for (const FindingOccupant &Occupant : Found.Occupants)
    if (Occupant.isUsed() && (!Head || Key(Occupant) > Key(*Head)))
      Head = &Occupant;
  return Head;
}

std::string costText(const FindingCost &Cost) {
  if (Cost.Explains)
    return formatv("it explains {0} % of the slow-down of {1}",
                   percentText(*Cost.Explains), Cost.Metric);
  if (Cost.Ratio)
    return formatv("apart it has {0} times the metric {1} ({2} to {3})",
                   number(Cost.Ratio->Median), Cost.Metric,
                   number(Cost.Ratio->Low), number(Cost.Ratio->High));
  return formatv("{0} {1} before, {2} after", Cost.Metric, number(Cost.Before),
                 number(Cost.After));
}

std::string summarize(const Finding &Found) {
  if (const FindingSuspicion *Check = Found.check())
    return Check->Message;
  std::string Text = "`" + briefName(Found.Id) + "`";
  if (const FindingOccupant *Head = headOf(Found)) {
    Text += " is " + describeUse(*Head);
    // Those that lose the line most often come first.
    std::vector<const FindingOccupant *> Mates;
    for (const FindingOccupant &Occupant : Found.Occupants)
      if (&Occupant != Head && Occupant.isUsed())
        Mates.push_back(&Occupant);
    stable_sort(Mates, [](const auto *A, const auto *B) {
      return usesOf(*A) > usesOf(*B);
    });
    std::vector<std::string> Others;
    for (const FindingOccupant *Mate : Mates)
      Others.push_back("`" + briefName(Mate->Name) + "`");
    if (!Others.empty())
      Text += ", on the cache line of " + listed(Others, 3);
  }
  if (Found.Cost)
    Text += "; " + costText(*Found.Cost);
  else if (Found.Seen && !Found.Seen->Verdict.empty())
    Text +=
        formatv("; watched: {0}{1}", Found.Seen->Verdict,
                Found.Seen->Outcome.empty() ? "" : ", " + Found.Seen->Outcome);
  Text += " (" + describeStanding(Found) + ")";
  return Text;
}

} // namespace linesman::report
