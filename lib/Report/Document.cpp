// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every format asks of a finding: its place, its identity, one sentence.

#include "linesman/Report/Document.h"
#include "linesman/Report/Merge.h"
#include "linesman/Report/Report.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace linesman::report {

json::Object makeHead(StringRef Command) {
  return json::Object{
      {"schema", 1}, {"tool", "linesman"}, {"command", Command}};
}

void writeHead(StringRef Command, json::OStream &Json) {
  Json.attribute("schema", 1);
  Json.attribute("tool", "linesman");
  Json.attribute("command", Command);
}

void writeTotal(double Total, const Comparison *Against, json::OStream &Json) {
  Json.attribute("total_score", Total);
  if (!Against)
    return;
  Json.attributeObject("against", [&] {
    Json.attribute("total_score", Against->OldTotal);
    Json.attribute("new", int64_t(Against->New));
    Json.attribute("worse", int64_t(Against->Worse));
    Json.attribute("better", int64_t(Against->Better));
    Json.attribute("gone", int64_t(Against->Gone));
  });
}

std::string describeTotal(double Total, const Comparison *Against) {
  std::string Text = formatv(
      "total score {0} (line transfers an operation, at most)", number(Total));
  if (!Against)
    return Text;
  double Change = Total - Against->OldTotal;
  if (number(Total) == number(Against->OldTotal))
    Text += ", as accepted";
  else
    Text += formatv(", {0} {1} than accepted", number(std::abs(Change)),
                    Change < 0 ? "less" : "more");
  return Text + formatv(": {0} new, {1} worse, {2} better, {3} gone",
                        Against->New, Against->Worse, Against->Better,
                        Against->Gone)
                    .str();
}

static bool isWrite(const FindingSite &Site) {
  return Site.Access == "write" || Site.Access == "atomic";
}

/// The heaviest write; or else the heaviest access.
static const FindingSite *heaviestSite(const Finding &Of) {
  const FindingSite *Best = nullptr;
  auto Key = [](const FindingSite &Site) {
    return std::tuple(!Site.isStartUp(), isWrite(Site),
                      Site.Weight.value_or(0));
  };
  for (const FindingOccupant &Occupant : Of.Occupants)
    for (const FindingSite &Site : Occupant.Sites)
      if (Site.At && (!Best || Key(Site) > Key(*Best)))
        Best = &Site;
  return Best;
}

/// Of the occupant that the finding is named after, or else of one that is
/// written.
static SourcePlace definition(const Finding &Of) {
  const FindingOccupant *Best = nullptr;
  auto Key = [&](const FindingOccupant &Occupant) {
    return std::tuple(StringRef(Of.Id).starts_with(Occupant.Name),
                      Occupant.Writes + Occupant.Atomics);
  };
  for (const FindingOccupant &Occupant : Of.Occupants)
    if (Occupant.Defined && (!Best || Key(Occupant) > Key(*Best)))
      Best = &Occupant;
  if (Best)
    return Best->Defined;
  const FieldSubject *Field = Of.field();
  return Field ? Field->Defined : SourcePlace();
}

SourcePlace primaryPlace(const Finding &Of) {
  const FindingSite *Site = heaviestSite(Of);
  if (!Of.Remedy || Of.Remedy->Kind != "guard" || !Site)
    if (SourcePlace Defined = definition(Of); Defined && !Of.check())
      return Defined;
  if (Site)
    return Site->At;
  for (const SourcePlace &At : placesOf(Of))
    return At;
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
  return check() || any_of(Evidence, [](const FindingEvidence &Each) {
           return !Each.Check.empty();
         });
}

std::string threadName(const ObservedAccess &Access) {
  return Access.ThreadName.empty() ? std::to_string(Access.Thread)
                                   : Access.ThreadName;
}

std::vector<SourcePlace> placesOf(const Finding &Of) {
  std::vector<SourcePlace> Places;
  auto Add = [&](const SourcePlace &At) {
    if (At && !is_contained(Places, At))
      Places.push_back(At);
  };
  for (const FindingOccupant &Occupant : Of.Occupants) {
    for (const FindingSite &Site : Occupant.Sites) {
      Add(Site.At);
      Add(Site.HandedOn);
      for (const FindingSite::Frame &Frame : Site.InlinedInto)
        Add(Frame.At);
    }
    Add(Occupant.Defined);
  }
  if (const FieldSubject *Field = Of.field())
    Add(Field->Defined);
  for (const FindingEvidence &Each : Of.Evidence)
    Add(Each.At);
  for (const Finding::Note &Note : Of.Notes)
    Add(Note.At);
  if (Of.Seen)
    for (const ObservedWord &Word : Of.Seen->Words)
      for (const ObservedAccess &Access : Word.Accesses)
        for (const SourcePlace &At : Access.Sites)
          Add(At);
  return Places;
}

std::string stableKey(const Finding &Of) {
  // A baseline's row is called by its key.
  if (Of.IsAccepted)
    return Of.Id;
  // What names nothing is called by its place; its message says more.
  if (const FindingSuspicion *Check = Of.check();
      Check && parsePlace(Of.Id).Line) {
    StringRef File = StringRef(Of.Id).rsplit(':').first;
    return (File.substr(File.rfind('/') + 1) + " " + Check->Message).str();
  }
  return plainIdentity(Of.Id);
}

/// "writes 3, reads 4" of one occupant, as part of a sentence.
static std::string describeUse(const FindingOccupant &Is) {
  std::vector<std::string> Parts;
  if (Is.Writes > 0)
    Parts.push_back("written " + number(Is.Writes));
  if (Is.Atomics > 0)
    Parts.push_back("updated atomically " + number(Is.Atomics));
  if (Is.Reads > 0)
    Parts.push_back("read " + number(Is.Reads));
  return listed(Parts, Parts.size()) + " times an operation";
}

/// The occupant that the finding is named after, or the one that is written
/// most.
static const FindingOccupant *headOf(const Finding &Of) {
  const FindingOccupant *Head = nullptr;
  auto Key = [&](const FindingOccupant &Each) {
    bool IsNamed = StringRef(Of.Id).starts_with(Each.Name);
    return std::tuple(IsNamed ? Each.Name.size() : 0,
                      Each.Writes + Each.Atomics);
  };
  for (const FindingOccupant &Each : Of.Occupants)
    if (Each.isUsed() && (!Head || Key(Each) > Key(*Head)))
      Head = &Each;
  return Head;
}

std::string summarize(const Finding &Of) {
  if (const FindingSuspicion *Check = Of.check())
    return Check->Message;
  std::string Text = "`" + Of.Id + "`";
  if (const FindingOccupant *Head = headOf(Of)) {
    Text += " is " + describeUse(*Head);
    std::vector<std::string> Others;
    for (const FindingOccupant &Each : Of.Occupants)
      if (&Each != Head && Each.isUsed())
        Others.push_back("`" + Each.Name + "`");
    if (!Others.empty())
      Text += ", on the cache line of " + listed(Others, 3);
  }
  if (Of.Cost)
    Text +=
        formatv("; it explains {0} % of the slow-down of {1}",
                number(Of.Cost->Explains.value_or(0) * 100), Of.Cost->Metric);
  else if (Of.Seen && !Of.Seen->Verdict.empty())
    Text += formatv("; watched: {0}{1}", Of.Seen->Verdict,
                    Of.Seen->Outcome.empty() ? "" : ", " + Of.Seen->Outcome);
  Text += formatv(" ({0}{1}score {2}, {3})", Of.Kind,
                  Of.Kind.empty() ? "" : ", ", number(Of.score()), word(Of.On));
  return Text;
}

} // namespace linesman::report
