// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding as JSON, schema 1, in both directions. docs/design.md has the
// shape; new keys may be added, old ones keep their meaning.

#include "Keys.h"
#include "linesman/Report/Merge.h"
#include "linesman/Report/Report.h"
#include <cassert>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

// Not in a namespace without a name, where KeyReader and KeyWriter would not
// find them.

template <class Keys>
void describe(Keys &Json, Is<FindingSite::Frame> auto &Frame) {
  Json.text("function", Frame.Function, Empty::Written);
  Json.place("source", Frame.Place, Empty::Written);
}

template <class Keys> void describe(Keys &Json, Is<FindingSite> auto &Site) {
  Json.text("function", Site.Function);
  Json.place("source", Site.Place);
  Json.hex("instruction", Site.Instruction);
  Json.objects("inlined_into", Site.InlinedInto);
  Json.text("through", Site.Way);
  Json.place("through_source", Site.HandedOn);
  Json.flag("perhaps", Site.IsMay);
  Json.text("access", Site.Access);
  Json.texts("touches", Site.Touches);
  Json.number("weight", Site.Weight);
  Json.text("role", Site.Role);
  Json.texts("roles", Site.Roles);
}

template <class Keys>
void describe(Keys &Json, Is<FindingMember> auto &Member) {
  Json.text("member", Member.Path, Empty::Written);
  Json.hex("address", Member.Address);
  Json.number("size", Member.Size, Empty::Written);
  Json.number("first_bit", Member.FirstBit);
  Json.number("bits", Member.Bits);
  Json.number("reads", Member.Reads, Empty::Written);
  Json.number("writes", Member.Writes, Empty::Written);
  Json.number("atomics", Member.Atomics, Empty::Written);
}

template <class Keys> void describe(Keys &Json, Is<FindingArray> auto &Array) {
  Json.text("member", Array.Path, Empty::Written);
  Json.number("elements", Array.Elements, Empty::Written);
  Json.number("stride", Array.Stride, Empty::Written);
  Json.number("per_line", Array.PerLine, Empty::Written);
}

template <class Keys>
void describe(Keys &Json, Is<FindingObject> auto &Object) {
  Json.hex("address", Object.Address);
  Json.number("size", Object.Size, Empty::Written);
  Json.text("file", Object.File);
  Json.text("origin", Object.Origin);
  Json.texts("aliases", Object.Aliases);
}

template <class Keys>
void describe(Keys &Json, Is<FindingOccupant> auto &Occupant) {
  Json.text("symbol", Occupant.Symbol);
  Json.text("name", Occupant.Name, Empty::Written);
  Json.number("offset", Occupant.Offset);
  Json.text("member", Occupant.Member);
  Json.hex("address", Occupant.Address);
  Json.number("size", Occupant.Size);
  Json.object("object", Occupant.Object);
  Json.place("source", Occupant.Defined);
  if constexpr (Keys::IsReader) {
    Occupant.HasWeights =
        Json.has("reads") || Json.has("writes") || Json.has("atomics");
    if (Occupant.Name.empty())
      Occupant.Name = Occupant.Symbol;
  }
  const Empty Kept = Occupant.HasWeights ? Empty::Written : Empty::LeftOut;
  Json.number("reads", Occupant.Reads, Kept);
  Json.number("writes", Occupant.Writes, Kept);
  Json.number("atomics", Occupant.Atomics, Kept);
  Json.number("perhaps_reads", Occupant.PerhapsReads);
  Json.number("perhaps_writes", Occupant.PerhapsWrites);
  Json.number("perhaps_atomics", Occupant.PerhapsAtomics);
  Json.texts("written_by", Occupant.WrittenBy);
  Json.texts("read_by", Occupant.ReadBy);
  Json.objects("members", Occupant.Members);
  Json.objects("arrays", Occupant.Arrays);
  Json.objects("sites", Occupant.Sites,
               Occupant.SitesAs ? Empty::LeftOut : Kept);
  Json.hex("sites_as", Occupant.SitesAs);
  Json.number("more_sites", Occupant.MoreSites);
}

template <class Keys> void describe(Keys &Json, Is<FindingLine> auto &Line) {
  Json.hex("address", Line.Address);
  Json.text("section", Line.Section);
  Json.hex("page", Line.Page);
  Json.number("offset", Line.Offset);
}

template <class Keys> void describe(Keys &Json, Is<FindingPage> auto &Page) {
  Json.text("module", Page.Module, Empty::Written);
  Json.hex("address", Page.Address);
  Json.number("size", Page.Size, Empty::Written);
}

template <class Keys>
void describe(Keys &Json, Is<VariableSubject> auto &Variable) {
  Json.object("line", Variable.Line);
  Json.number("like_lines", Variable.LikeLines);
  Json.text("threads_meet_by", Variable.MeetBy);
  Json.text("behind_lock", Variable.BehindLock);
  Json.object("page", Variable.Page);
}

template <class Keys> void describe(Keys &Json, Is<FieldSubject> auto &Field) {
  Json.text("member", Field.Member, Empty::Written);
  Json.inside("type", [&](auto &Type) {
    Type.text("name", Field.Type, Empty::Written);
    Type.number("size", Field.Size, Empty::Written);
    Type.number("alignment", Field.Alignment, Empty::Written);
    Type.place("source", Field.Defined);
    Type.flag("synchronised", Field.IsSynchronised, Empty::Written);
    Type.flag("array", Field.IsArray, Empty::Written);
    Type.text("group", Field.Group);
    Type.flag("breaks_group", Field.BreaksGroup);
    Type.number("phases", Field.Phases, Empty::Written);
    Type.text("partner", Field.Partner);
    Type.number("shared_phases", Field.SharedPhases, Empty::Written);
  });
  Json.object("line", Field.Line);
}

template <class Keys> void describe(Keys &, Is<SourceSubject> auto &) {}

template <class Keys>
void describe(Keys &Json, Is<FindingSuspicion> auto &Suspicion) {
  Json.text("subject", Suspicion.Subject);
  Json.text("field", Suspicion.Field);
  Json.text("beside", Suspicion.Neighbour);
  Json.text("check", Suspicion.Check, Empty::Written);
  Json.text("message", Suspicion.Message);
}

template <class Keys> void describe(Keys &Json, Is<FindingScore> auto &Parts) {
  Json.score("same_bytes", Parts.SameBytes);
  Json.score("other_objects", Parts.OtherObjects);
  Json.score("same_object", Parts.SameObject);
}

template <class Keys>
void describe(Keys &Json, Is<FindingRemedy> auto &Remedy) {
  Json.text("kind", Remedy.Kind, Empty::Written);
  Json.text("text", Remedy.Text);
  Json.texts("symbols", Remedy.Symbols);
}

template <class Keys> void describe(Keys &Json, Is<Finding::Note> auto &Note) {
  Json.text("message", Note.Message);
  Json.place("source", Note.Place);
}

template <class Keys>
void describe(Keys &Json, Is<ObservedAccess> auto &Access) {
  Json.number("thread", Access.Thread, Empty::Written);
  Json.text("thread_name", Access.ThreadName, Empty::Written);
  Json.number("reads", Access.Reads, Empty::Written);
  Json.number("writes", Access.Writes, Empty::Written);
  Json.flag("ceiling", Access.IsCeiling, Empty::Written);
  Json.places("sites", Access.Sites);
}

template <class Keys> void describe(Keys &Json, Is<ObservedWord> auto &Word) {
  Json.number("offset", Word.Offset, Empty::Written);
  Json.number("size", Word.Size, Empty::Written);
  Json.flag("exact", Word.IsExact, Empty::Written);
  Json.text("label", Word.Label, Empty::Written);
  Json.objects("accesses", Word.Accesses, Empty::Written);
}

template <class Keys>
void describe(Keys &Json, Is<ObservedAbsence::Thread> auto &Thread) {
  Json.number("thread", Thread.Number, Empty::Written);
  Json.text("thread_name", Thread.Name, Empty::Written);
  Json.text("part", Thread.Part, Empty::Written);
  Json.number("ran_ms", Thread.RanMs, Empty::Written);
  Json.number("armed_ms", Thread.ArmedMs, Empty::Written);
  Json.number("windows", Thread.Windows, Empty::Written);
  Json.number("missed", Thread.Missed, Empty::Written);
}

template <class Keys>
void describe(Keys &Json, Is<ObservedAbsence> auto &Absence) {
  Json.text("absent", Absence.Absent, Empty::Written);
  Json.number("every_ms", Absence.EveryMs, Empty::Written);
  Json.number("missed", Absence.Missed, Empty::Written);
  Json.number("significance", Absence.Significance, Empty::Written);
  Json.number("unmet_ms", Absence.UnmetMs, Empty::Written);
  Json.objects("threads", Absence.Threads, Empty::Written);
  Json.number("rarest_every_ms", Absence.RarestEveryMs);
  Json.number("weakest_thread", Absence.WeakestThread);
}

template <class Keys>
void describe(Keys &Json, Is<FindingPrice::Range> auto &Range) {
  Json.number("low", Range.Low, Empty::Written);
  Json.number("high", Range.High);
}

template <class Keys> void describe(Keys &Json, Is<FindingPrice> auto &Price) {
  Json.number("transfer_ns", Price.TransferNs, Empty::Written);
  Json.number("threads", Price.Threads, Empty::Written);
  Json.inside("transfers_per_second",
              [&](auto &Inner) { describe(Inner, Price.Transfers); });
  Json.inside("share", [&](auto &Inner) { describe(Inner, Price.Share); });
}

template <class Keys>
void describe(Keys &Json, Is<FindingObservation> auto &Seen) {
  Json.objects("words", Seen.Words, Empty::Written);
  Json.text("verdict", Seen.Verdict, Empty::Written);
  Json.text("outcome", Seen.Outcome, Empty::Written);
  Json.object("evidence", Seen.Absence);
  Json.text("advice", Seen.Advice);
  Json.number("threads_apart", Seen.ThreadsApart);
  Json.object("predicted", Seen.Price);
  Json.text("unpriced", Seen.Unpriced);
}

template <class Keys>
void describe(Keys &Json, Is<FindingCost::Interval> auto &Ratio) {
  Json.number("median", Ratio.Median, Empty::Written);
  Json.number("low", Ratio.Low, Empty::Written);
  Json.number("high", Ratio.High, Empty::Written);
}

template <class Keys> void describe(Keys &Json, Is<FindingCost> auto &Cost) {
  Json.text("metric", Cost.Metric, Empty::Written);
  Json.number("before", Cost.Before, Empty::Written);
  Json.number("after", Cost.After, Empty::Written);
  Json.number("local", Cost.Local);
  Json.number("alone", Cost.Alone);
  Json.number("explains", Cost.Explains);
  Json.number("posterior", Cost.Posterior);
  Json.number("p", Cost.P, Empty::Written);
  Json.number("windows", Cost.Windows, Empty::Written);
  Json.flag("simulated", Cost.IsSimulated, Empty::Written);
  Json.object("ratio", Cost.Ratio);
}

template <class Keys>
void describe(Keys &Json, Is<FindingAllocation> auto &Allocation) {
  Json.number("size", Allocation.Size, Empty::Written);
  Json.number("freed", Allocation.Freed, Empty::Written);
  Json.texts("stack", Allocation.Stack, Empty::Written);
}

template <class Keys> void describe(Keys &Json, Is<FindingEdit> auto &Edit) {
  Json.place("source", Edit.Place, Empty::Written);
  Json.text("before", Edit.Before, Empty::Written);
  Json.text("after", Edit.After, Empty::Written);
}

template <class Keys> void describe(Keys &Json, Is<FindingFile> auto &File) {
  Json.text("package", File.Package, Empty::Written);
  Json.text("path", File.Path, Empty::Written);
}

static void describeRung(KeyReader &Json, Rung &Reached) {
  std::string Word;
  Json.text("rung", Word);
  Reached = parseRung(Word).value_or(Rung::Suspected);
}
static void describeRung(KeyWriter &Json, const Rung &Reached) {
  Json.text("rung", word(Reached));
}

template <class Keys>
void describe(Keys &Json, Is<FindingEvidence> auto &Evidence) {
  Json.text("from", Evidence.Source, Empty::Written);
  describeRung(Json, Evidence.Reached);
  Json.number("rank", Evidence.Rank);
  Json.text("id", Evidence.Id);
  Json.text("kind", Evidence.Kind);
  Json.score("score", Evidence.Score);
  Json.text("check", Evidence.Check);
  Json.text("message", Evidence.Message);
  Json.place("source", Evidence.Place);
}

/// The keys say what it is about.
static void describeSubject(KeyReader &Json, Finding &Found) {
  if (Json.hasText("check"))
    describe(Json, Found.Suspicion.emplace());
  if (Json.hasObject("type"))
    describe(Json, Found.About.emplace<FieldSubject>());
  else if (Found.Suspicion && !Json.hasObject("line"))
    describe(Json, Found.About.emplace<SourceSubject>());
  else
    describe(Json, Found.About.emplace<VariableSubject>());
}
static void describeSubject(KeyWriter &Json, const Finding &Found) {
  assert((Found.Suspicion ||
          !std::holds_alternative<SourceSubject>(Found.About)) &&
         "only a check is about the source alone");
  if (Found.Suspicion)
    describe(Json, *Found.Suspicion);
  std::visit([&](const auto &Subject) { describe(Json, Subject); },
             Found.About);
}

template <class Keys> void describe(Keys &Json, Is<Finding> auto &Found) {
  Json.text("id", Found.Id, Empty::Written);
  describeRung(Json, Found.Reached);
  Json.text("kind", Found.Kind);
  Json.score("score", Found.Score);
  Json.object("score_parts", Found.Parts);
  describeSubject(Json, Found);
  Json.text("marks", Found.Marks);
  // A page without symbols has a list without entries.
  const VariableSubject *Variable = Found.variable();
  Json.objects("occupants", Found.Occupants,
               Variable && Variable->Page ? Empty::Written : Empty::LeftOut);
  Json.object("remedy", Found.Remedy);
  Json.objects("fix", Found.Fix);
  Json.objects("notes", Found.Notes,
               Found.Suspicion ? Empty::Written : Empty::LeftOut);
  Json.object("observed", Found.Seen);
  Json.object("cost", Found.Cost);
  Json.object("allocation", Found.Allocation);
  Json.objects("evidence", Found.Evidence);
  Json.objects("files", Found.Files);
  Json.text("remark", Found.Remark);
  Json.text("contradicted", Found.Contradicted);
}

namespace {

/// What \p Write writes, as a value.
json::Object asObject(function_ref<void(json::OStream &)> Write) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream Json(OS);
  Json.object([&] { Write(Json); });
  Json.flush();
  Expected<json::Value> Parsed = json::parse(Text);
  // Our own text, which is whole.
  return std::move(*cantFail(std::move(Parsed)).getAsObject());
}

template <class Described>
void writeKeys(const Described &Written, json::OStream &Json) {
  KeyWriter Keys(Json);
  describe(Keys, Written);
}

} // namespace

Expected<Finding> readFinding(const json::Object &Source) {
  if (!Source.getString("id") ||
      !parseRung(Source.getString("rung").value_or("")))
    return createStringError("not a report: a finding without id and rung");
  Finding Result;
  KeyReader Keys(Source);
  describe(Keys, Result);
  Result.Unknown = Keys.unknown();
  return Result;
}

void writeFinding(const Finding &Written, json::OStream &Json) {
  Json.object([&] {
    writeKeys(Written, Json);
    for (const auto &[Key, Value] : Written.Unknown)
      Json.attribute(Key, Value);
  });
}

json::Object toJson(const Finding &Written) {
  json::Object Result =
      asObject([&](json::OStream &Json) { writeKeys(Written, Json); });
  for (const auto &[Key, Value] : Written.Unknown)
    Result.try_emplace(Key, Value);
  return Result;
}

json::Object toJson(const FindingObservation &Seen) {
  return asObject([&](json::OStream &Json) { writeKeys(Seen, Json); });
}

void writeOccupant(const FindingOccupant &Written, json::OStream &Json) {
  Json.object([&] { writeKeys(Written, Json); });
}

void writeLine(const FindingLine &Written, json::OStream &Json) {
  writeKeys(Written, Json);
}

} // namespace linesman::report
