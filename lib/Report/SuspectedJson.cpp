// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Suspected findings as JSON, schema 1: what the first rung knows of it.

#include "linesman/Report/Report.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

/// Messages end with what to do: "..., which is only read; keep it apart".
static StringRef advice(StringRef Message) {
  return Message.substr(Message.find_last_of(";:") + 1).ltrim();
}

static void writeFinding(const SuspectedFinding &Finding, json::OStream &Json) {
  auto Text = [&](StringRef Key, StringRef Value) {
    if (!Value.empty())
      Json.attribute(Key, json::fixUTF8(Value));
  };
  Json.object([&] {
    Text("id", Finding.Id);
    Json.attribute("rung", word(Rung::Suspected));
    Json.attribute("kind", word(Finding.Kind));
    Json.attribute("score", 0.0);
    if (Finding.Subject != SubjectKind::Unknown)
      Text("subject", word(Finding.Subject));
    Text("field", Finding.Field);
    Text("beside", Finding.Beside);
    Text("check", Finding.Check);
    Text("message", Finding.Message);
    Json.attributeArray("occupants", [&] {
      Json.object([&] {
        Text("name", Finding.Id);
        Json.attributeArray("sites", [&] {
          Json.object([&] {
            Text("function", Finding.Function);
            Text("source", Finding.Source);
            Json.attribute("access", word(facts::AccessKind::Write));
          });
        });
      });
    });
    Json.attributeObject("remedy", [&] {
      Json.attribute("kind", word(Finding.Cure));
      Text("text", advice(Finding.Message));
    });
    Json.attributeArray("notes", [&] {
      for (const SuspectedFinding::Note &Note : Finding.Notes)
        Json.object([&] {
          Text("message", Note.Message);
          Text("source", Note.Source);
        });
    });
  });
}

Expected<json::Array> toJson(ArrayRef<SuspectedFinding> Findings) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream Json(OS);
  Json.array([&] {
    for (const SuspectedFinding &Finding : Findings)
      writeFinding(Finding, Json);
  });
  Json.flush();
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed)
    return Parsed.takeError();
  return std::move(*Parsed->getAsArray());
}

} // namespace linesman::report
