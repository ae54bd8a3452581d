// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads schema 1, whichever command wrote it. Reports come from strangers: what
// has another type than it should have is not there.

#include "linesman/Guard/Document.h"
#include "linesman/Report/Document.h"
#include "linesman/Report/Merge.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

SourcePlace parsePlace(StringRef Text) {
  auto [File, Line] = Text.rsplit(':');
  SourcePlace At;
  if (to_integer(Line, At.Line, 10))
    At.File = File.str();
  else
    At.File = Text.str();
  if (Text.starts_with("0x"))
    return {};
  return At;
}

namespace {

std::string text(const json::Object &From, StringRef Key) {
  return From.getString(Key).value_or("").str();
}

double number(const json::Object &From, StringRef Key) {
  return From.getNumber(Key).value_or(0);
}

SourcePlace place(const json::Object &From, StringRef Key = "source") {
  return parsePlace(From.getString(Key).value_or(""));
}

/// Calls \p Read with each object of the array \p Key.
void eachObject(const json::Object &From, StringRef Key,
                function_ref<void(const json::Object &)> Read) {
  if (const json::Array *List = From.getArray(Key))
    for (const json::Value &Value : *List)
      if (const json::Object *One = Value.getAsObject())
        Read(*One);
}

uint64_t address(const json::Object &From, StringRef Key) {
  StringRef Text = From.getString(Key).value_or("");
  uint64_t Value = 0;
  return Text.consume_front("0x") && to_integer(Text, Value, 16) ? Value : 0;
}

FindingSite readSite(const json::Object &From) {
  FindingSite Site;
  Site.Function = text(From, "function");
  Site.At = place(From);
  Site.Access = text(From, "access");
  Site.Weight = number(From, "weight");
  Site.Through = text(From, "through");
  Site.HandedOn = place(From, "through_source");
  Site.IsMay = From.getBoolean("perhaps").value_or(false);
  Site.IsStartUp = From.getString("role") == "start-up";
  eachObject(From, "inlined_into", [&](const json::Object &Frame) {
    Site.InlinedInto.push_back({text(Frame, "function"), place(Frame)});
  });
  return Site;
}

/// \p Line has the line's address, or the line's offset in the object.
FindingOccupant readOccupant(const json::Object &From,
                             const json::Object *Line) {
  FindingOccupant Is;
  Is.Name = text(From, "name");
  if (Is.Name.empty())
    Is.Name = text(From, "symbol");
  Is.Size = From.getInteger("size").value_or(0);
  if (Line && From.getString("address") && Line->getString("address"))
    Is.Offset = int64_t(address(From, "address") - address(*Line, "address"));
  else if (Line && From.getInteger("offset") && Line->getInteger("offset"))
    Is.Offset = *From.getInteger("offset") - *Line->getInteger("offset");
  Is.Defined = place(From);
  Is.Reads = number(From, "reads");
  Is.Writes = number(From, "writes");
  Is.Atomics = number(From, "atomics");
  eachObject(From, "sites", [&](const json::Object &Site) {
    Is.Sites.push_back(readSite(Site));
  });
  return Is;
}

FindingSubject readSubject(const json::Object &From) {
  if (const json::Object *Type = From.getObject("type"))
    return FieldSubject{
        text(*Type, "name"), text(From, "member"), text(*Type, "partner"),
        uint64_t(Type->getInteger("size").value_or(0)), place(*Type)};
  const json::Object *Line = From.getObject("line");
  if (!Line && From.getString("check"))
    return SourceSubject{text(From, "check"), text(From, "message")};
  VariableSubject Variable;
  if (Line)
    Variable = {address(*Line, "address"), text(*Line, "section")};
  return Variable;
}

FindingObservation readObservation(const json::Object &From) {
  FindingObservation Seen{text(From, "verdict"), text(From, "outcome"), {}};
  eachObject(From, "words", [&](const json::Object &Word) {
    eachObject(Word, "accesses", [&](const json::Object &Access) {
      FindingObservation::Access One{Word.getInteger("offset").value_or(0),
                                     text(Access, "thread_name"),
                                     Access.getInteger("reads").value_or(0),
                                     Access.getInteger("writes").value_or(0),
                                     {}};
      if (One.Thread.empty())
        One.Thread = utostr(Access.getInteger("thread").value_or(0));
      if (const json::Array *Sites = Access.getArray("sites"))
        for (const json::Value &Site : *Sites)
          if (std::optional<StringRef> Text = Site.getAsString())
            One.Sites.push_back(parsePlace(*Text));
      Seen.Accesses.push_back(std::move(One));
    });
  });
  return Seen;
}

FindingCost readCost(const json::Object &From) {
  return {text(From, "metric"),
          number(From, "before"),
          number(From, "after"),
          number(From, "explains"),
          number(From, "posterior"),
          number(From, "p"),
          From.getInteger("windows").value_or(0),
          From.getBoolean("simulated").value_or(false)};
}

FindingEvidence readEvidence(const json::Object &From) {
  return {
      text(From, "from"),
      parseRung(From.getString("rung").value_or("")).value_or(Rung::Suspected),
      text(From, "check"),
      text(From, "message"),
      number(From, "score"),
      place(From),
      text(From, "id")};
}

} // namespace

Expected<Finding> readFinding(const json::Object &From) {
  std::optional<StringRef> Id = From.getString("id");
  std::optional<Rung> On = parseRung(From.getString("rung").value_or(""));
  if (!Id || !On)
    return createStringError("not a report: a finding without id and rung");
  Finding Result;
  Result.Id = Id->str();
  Result.On = *On;
  Result.Kind = text(From, "kind");
  Result.Score = number(From, "score");
  Result.About = readSubject(From);
  Result.Marks = text(From, "marks");
  const json::Object *Line = From.getObject("line");
  eachObject(From, "occupants", [&](const json::Object &Occupant) {
    Result.Occupants.push_back(readOccupant(Occupant, Line));
  });
  if (const json::Object *Remedy = From.getObject("remedy")) {
    Result.RemedyKind = text(*Remedy, "kind");
    Result.RemedyText = text(*Remedy, "text");
  }
  Result.Remark = text(From, "remark");
  eachObject(From, "evidence", [&](const json::Object &Each) {
    Result.Evidence.push_back(readEvidence(Each));
  });
  eachObject(From, "notes", [&](const json::Object &Note) {
    Result.Notes.push_back({text(Note, "message"), place(Note)});
  });
  if (const json::Object *Seen = From.getObject("observed"))
    Result.Seen = readObservation(*Seen);
  if (const json::Object *Cost = From.getObject("cost"))
    Result.Cost = readCost(*Cost);
  return Result;
}

Expected<Document> readReport(const json::Value &Root) {
  const json::Object *Top = Root.getAsObject();
  const json::Array *Findings = Top ? Top->getArray("findings") : nullptr;
  if (!Findings)
    return createStringError("not a report: it has no 'findings'");
  if (Top->getInteger("schema") != std::optional<int64_t>(1))
    return createStringError("not a report of schema 1");
  Document Result;
  Result.Command = text(*Top, "command");
  Result.Binary = text(*Top, "binary");
  Result.LineSize = Top->getInteger("line_size").value_or(64);
  Result.Hidden = Top->getInteger("hidden_findings").value_or(0);
  if (const json::Array *Notes = Top->getArray("notes"))
    for (const json::Value &Note : *Notes)
      if (std::optional<StringRef> Text = Note.getAsString())
        Result.Notes.push_back(Text->str());
  for (const json::Value &Each : *Findings) {
    static const json::Object Nothing;
    const json::Object *One = Each.getAsObject();
    Expected<Finding> Read = readFinding(One ? *One : Nothing);
    if (!Read)
      return Read.takeError();
    Read->IsAccepted = Result.Command == "baseline";
    Result.Findings.push_back(std::move(*Read));
  }
  for (const Finding &F : Result.Findings)
    Result.TotalScore += F.Score;
  // It knows of what --top left out.
  Result.TotalScore = Top->getNumber("total_score").value_or(Result.TotalScore);
  return Result;
}

Expected<Document> parseReport(StringRef Text) {
  if (Text.trim().empty())
    return createStringError("an empty file");
  Expected<json::Value> Root = guard::parseJson(Text);
  if (!Root)
    return Root.takeError();
  return readReport(*Root);
}

} // namespace linesman::report
