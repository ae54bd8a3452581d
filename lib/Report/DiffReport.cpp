// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What changed, in words:
//
//     counter (written): new line-mate log_level; no longer table
//     finding counter: new, score 12.5

#include "linesman/Guard/Text.h"
#include "linesman/Report/Diff.h"
#include "linesman/Report/Document.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

static StringRef useWord(Use As) {
  return As == Use::Written ? "written" : "read";
}

static std::string nameOf(const Identity &Is) {
  std::string Name = guard::demangle(Is.Symbol);
  return Is.File.empty() ? Name : Is.File + ":" + Name;
}

void writeText(const DiffReport &Report, raw_ostream &OS) {
  auto Names = [&](ArrayRef<Identity> These) {
    ListSeparator Comma;
    for (const Identity &Is : These)
      OS << StringRef(Comma) << nameOf(Is);
  };
  for (const MateChange &Change : Report.Mates) {
    OS << nameOf(Change.Object) << " (" << useWord(Change.As) << "): ";
    if (!Change.Gained.empty()) {
      OS << "new line-mate" << (Change.Gained.size() > 1 ? "s " : " ");
      Names(Change.Gained);
    }
    if (!Change.Gained.empty() && !Change.Lost.empty())
      OS << "; ";
    if (!Change.Lost.empty()) {
      OS << "no longer ";
      Names(Change.Lost);
    }
    OS << '\n';
  }
  for (const FindingChange &Change : Report.Findings) {
    OS << "finding " << Change.Id << ": ";
    if (Change.OldScore == 0)
      OS << formatv("new, score {0:f1}\n", Change.NewScore);
    else if (Change.NewScore == 0)
      OS << formatv("gone, score was {0:f1}\n", Change.OldScore);
    else
      OS << formatv("score {0:f1}, was {1:f1}\n", Change.NewScore,
                    Change.OldScore);
  }
  if (Report.Mates.empty() && Report.Findings.empty())
    OS << "no object that is touched has another line-mate\n";
}

static void writeIdentity(const Identity &Is, json::OStream &Json) {
  Json.attribute("symbol", json::fixUTF8(Is.Symbol));
  if (!Is.File.empty())
    Json.attribute("file", json::fixUTF8(Is.File));
  if (Is.Ordinal)
    Json.attribute("ordinal", int64_t(Is.Ordinal));
}

static void writeMates(StringRef Key, ArrayRef<Identity> Mates,
                       json::OStream &Json) {
  Json.attributeArray(Key, [&] {
    for (const Identity &Is : Mates)
      if (Is.File.empty() && !Is.Ordinal)
        Json.value(json::fixUTF8(Is.Symbol));
      else
        Json.object([&] { writeIdentity(Is, Json); });
  });
}

void writeJson(const DiffReport &Report, raw_ostream &OS) {
  json::OStream Json(OS, /*IndentSize=*/2);
  Json.object([&] {
    writeHead("diff", Json);
    Json.attributeArray("objects", [&] {
      for (const MateChange &Change : Report.Mates)
        Json.object([&] {
          writeIdentity(Change.Object, Json);
          Json.attribute("use", useWord(Change.As));
          writeMates("gained", Change.Gained, Json);
          writeMates("lost", Change.Lost, Json);
        });
    });
    Json.attributeArray("findings", [&] {
      for (const FindingChange &Change : Report.Findings)
        Json.object([&] {
          Json.attribute("id", json::fixUTF8(Change.Id));
          Json.attribute("old_score", Change.OldScore);
          Json.attribute("score", Change.NewScore);
        });
    });
  });
  OS << '\n';
}

void writeLock(const LineMates &Accepted, raw_ostream &OS) {
  json::OStream Json(OS, /*IndentSize=*/2);
  Json.object([&] {
    writeHead("lock", Json);
    Json.attribute("line_size", int64_t(Accepted.Line.Bytes));
    Json.attributeArray("objects", [&] {
      for (const MatesOf &Object : Accepted.Objects)
        Json.object([&] {
          writeIdentity(Object.Object, Json);
          Json.attribute("use", useWord(Object.As));
          writeMates("line_mates", Object.Mates, Json);
        });
    });
  });
  OS << '\n';
}

} // namespace linesman::report
