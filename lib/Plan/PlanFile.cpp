// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans as JSON. People edit them: unknown keys are kept out of the way,
// missing ones have defaults, and an error says where.
//
//     { "edits": [ { "kind": "isolate", "bytes": 64,
//                    "symbols": [ { "symbol": "nil_root" } ] } ] }

#include "linesman/Guard/Document.h"
#include "linesman/Guard/Head.h"
#include "linesman/Plan/Plan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace linesman::plan {

constexpr std::pair<StringLiteral, EditKind> Kinds[] = {
    {"isolate", EditKind::Isolate}, {"group", EditKind::Group},
    {"pad", EditKind::Pad},         {"shift", EditKind::Shift},
    {"explode", EditKind::Explode},
};

StringRef word(EditKind Kind) {
  for (const auto &[Word, Is] : Kinds)
    if (Is == Kind)
      return Word;
  llvm_unreachable("unknown edit kind");
}

std::vector<Edit> Plan::edits() const {
  std::vector<Edit> Result;
  for (const PlannedEdit &Edit : Edits)
    Result.push_back(Edit.Change);
  return Result;
}

static void writeEdit(const PlannedEdit &Edit, json::OStream &Json) {
  Json.attribute("kind", word(Edit.Change.Kind));
  Json.attribute("bytes", int64_t(Edit.Change.Bytes));
  if (!Edit.Change.Section.empty())
    Json.attribute("section", json::fixUTF8(Edit.Change.Section));
  Json.attributeArray("symbols", [&] {
    for (const SymbolRef &Symbol : Edit.Change.Symbols)
      Json.object([&] {
        Json.attribute("symbol", json::fixUTF8(Symbol.Symbol));
        if (!Symbol.File.empty())
          Json.attribute("file", json::fixUTF8(Symbol.File));
        if (Symbol.Ordinal)
          Json.attribute("ordinal", int64_t(*Symbol.Ordinal));
      });
  });
  Json.attributeObject("cost", [&] {
    Json.attribute("bytes", int64_t(Edit.Cost.Bytes));
    Json.attribute("pages", int64_t(Edit.Cost.Pages));
  });
  Json.attribute("removes", Edit.Removes);
  Json.attributeArray("findings", [&] {
    for (const std::string &Id : Edit.Findings)
      Json.value(json::fixUTF8(Id));
  });
}

void writePlan(const Plan &Planned, raw_ostream &OS) {
  json::OStream Json(OS, /*IndentSize=*/2);
  Json.object([&] {
    guard::writeHead("plan", Json);
    Json.attribute("binary", json::fixUTF8(Planned.Binary));
    Json.attribute("line_size", int64_t(Planned.Line.Bytes));
    Json.attribute("page_size", int64_t(Planned.Page.Bytes));
    Json.attributeObject("other_objects", [&] {
      Json.attribute("before", Planned.Before);
      Json.attribute("after", Planned.After);
    });
    Json.attributeArray("edits", [&] {
      for (const PlannedEdit &Edit : Planned.Edits)
        Json.object([&] { writeEdit(Edit, Json); });
    });
    Json.attributeArray("left", [&] {
      for (const LeftFinding &Left : Planned.Left)
        Json.object([&] {
          Json.attribute("finding", json::fixUTF8(Left.Id));
          Json.attribute("why", Left.Reason);
        });
    });
  });
  OS << '\n';
}

namespace {

class Reader {
public:
  Expected<Plan> read(const json::Value &Source) {
    json::Path::Root Root("plan");
    json::Path Top(Root);
    if (!readTop(Source, Top))
      return Root.getError();
    return std::move(Result);
  }

private:
  Plan Result;

  static bool readBytes(const json::Object &Source, StringRef Key,
                        uint64_t &Filled, json::Path Position) {
    const json::Value *Value = Source.get(Key);
    if (!Value)
      return true;
    std::optional<int64_t> Number = Value->getAsInteger();
    if (!Number || *Number <= 0 || *Number > int64_t(1) << 40) {
      Position.field(Key).report("expected a positive number of bytes");
      return false;
    }
    Filled = *Number;
    return true;
  }

  static bool expect(bool Holds, json::Path Position, StringLiteral Subject) {
    if (!Holds)
      Position.report(Subject);
    return Holds;
  }

  bool readTop(const json::Value &Source, json::Path Position) {
    const json::Object *Top = Source.getAsObject();
    if (!expect(Top, Position, "expected an object"))
      return false;
    if (const json::Value *Schema = Top->get("schema"))
      if (!expect(Schema->getAsInteger() == 1, Position.field("schema"),
                  "expected 1"))
        return false;
    if (!readBytes(*Top, "line_size", Result.Line.Bytes, Position) ||
        !readBytes(*Top, "page_size", Result.Page.Bytes, Position))
      return false;
    Result.Binary = Top->getString("binary").value_or("").str();
    if (const json::Object *Score = Top->getObject("other_objects")) {
      Result.Before = Score->getNumber("before").value_or(0);
      Result.After = Score->getNumber("after").value_or(0);
    }
    const json::Array *Edits = Top->getArray("edits");
    if (!expect(Edits, Position.field("edits"), "expected an array"))
      return false;
    if (const json::Array *Left = Top->getArray("left"))
      for (const json::Value &One : *Left)
        if (const json::Object *Finding = One.getAsObject())
          Result.Left.push_back(
              {Finding->getString("finding").value_or("").str(),
               Finding->getString("why").value_or("").str()});
    for (auto [Index, Edit] : enumerate(*Edits))
      if (!readEdit(Edit, Position.field("edits").index(Index)))
        return false;
    return true;
  }

  bool readEdit(const json::Value &Source, json::Path Position) {
    const json::Object *Object = Source.getAsObject();
    if (!expect(Object, Position, "expected an object"))
      return false;
    StringRef Kind = Object->getString("kind").value_or("");
    auto Known = find_if(Kinds, [&](const auto &K) { return K.first == Kind; });
    if (!expect(Known != std::end(Kinds), Position.field("kind"),
                "expected isolate, group, pad, shift or explode"))
      return false;
    PlannedEdit Edit;
    Edit.Change.Kind = Known->second;
    Edit.Change.Bytes = Edit.Change.Kind == EditKind::Explode
                            ? Result.Page.Bytes
                            : Result.Line.Bytes;
    if (!readBytes(*Object, "bytes", Edit.Change.Bytes, Position))
      return false;
    // As the options of a command line that set them.
    uint64_t Most = Edit.Change.Kind == EditKind::Isolate ||
                            Edit.Change.Kind == EditKind::Group
                        ? layout::LineSize::Most
                        : layout::PageSize::Most;
    if (!expect(Edit.Change.Bytes <= Most, Position.field("bytes"),
                Most == layout::LineSize::Most
                    ? StringLiteral("expected at most 4096 bytes")
                    : StringLiteral("expected at most 1 GiB")))
      return false;
    if (!expect(isRoom(Edit.Change.Kind) || isPowerOf2_64(Edit.Change.Bytes),
                Position.field("bytes"), "expected a power of two"))
      return false;
    Edit.Change.Section = Object->getString("section").value_or("").str();
    if (const json::Array *Symbols = Object->getArray("symbols"))
      for (auto [Index, Symbol] : enumerate(*Symbols))
        if (!readSymbol(Symbol, Edit, Position.field("symbols").index(Index)))
          return false;
    bool CanBeEmpty =
        Edit.Change.Kind == EditKind::Shift && !Edit.Change.Section.empty();
    if (!expect(CanBeEmpty || !Edit.Change.Symbols.empty(),
                Position.field("symbols"), "expected at least one symbol"))
      return false;
    readReasons(*Object, Edit);
    Result.Edits.push_back(std::move(Edit));
    return true;
  }

  bool readSymbol(const json::Value &Source, PlannedEdit &Edit,
                  json::Path Position) {
    SymbolRef Symbol;
    if (std::optional<StringRef> Name = Source.getAsString()) {
      Symbol.Symbol = *Name;
    } else if (const json::Object *Object = Source.getAsObject()) {
      Symbol.Symbol = Object->getString("symbol").value_or("").str();
      Symbol.File = Object->getString("file").value_or("").str();
      if (const json::Value *Ordinal = Object->get("ordinal")) {
        std::optional<int64_t> N = Ordinal->getAsInteger();
        if (!expect(N && *N >= 0 && isUInt<32>(*N), Position.field("ordinal"),
                    "expected a number from 0"))
          return false;
        Symbol.Ordinal = *N;
      }
    }
    if (!expect(!Symbol.Symbol.empty(), Position,
                "expected a name, or an object with 'symbol'"))
      return false;
    Edit.Change.Symbols.push_back(std::move(Symbol));
    return true;
  }

  /// What only people read: absent in a plan that somebody wrote.
  static void readReasons(const json::Object &Source, PlannedEdit &Edit) {
    if (const json::Object *Cost = Source.getObject("cost")) {
      Edit.Cost.Bytes = Cost->getInteger("bytes").value_or(0);
      Edit.Cost.Pages = Cost->getInteger("pages").value_or(0);
    }
    Edit.Removes = Source.getNumber("removes").value_or(0);
    if (const json::Array *Findings = Source.getArray("findings"))
      for (const json::Value &Id : *Findings)
        Edit.Findings.push_back(Id.getAsString().value_or("").str());
  }
};

} // namespace

Expected<Plan> readPlan(StringRef Text) {
  Expected<json::Value> Parsed = guard::parseJson(Text);
  if (!Parsed)
    return Parsed.takeError();
  // Of another command; people's own may have no such key.
  if (const json::Object *Top = Parsed->getAsObject()) {
    if (StringRef Command = Top->getString("command").value_or("plan");
        Command != "plan")
      return createStringError("not a plan, but what 'linesman " + Command +
                               "' wrote; 'linesman plan' writes one");
    if (!Top->get("edits"))
      return createStringError("not a plan: it has no 'edits'; 'linesman plan' "
                               "writes one");
  }
  return Reader().read(*Parsed);
}

} // namespace linesman::plan
