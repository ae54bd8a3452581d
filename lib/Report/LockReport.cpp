// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock, and what broke it:
//
//     finding counter: new, score 12.5
//     counter (written): new line-mate log_level
//     8 bytes were added in thread.c
//     note: 27 more written objects have new line-mates, and no score is worse

#include "MateNames.h"
#include "linesman/Guard/Head.h"
#include "linesman/Layout/MatchLines.h"
#include "linesman/Report/Diff.h"
#include "linesman/Report/Document.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

/// No line begins where this many are said.
static constexpr size_t MatesInText = 20;

static std::string describeCause(StringRef File, int64_t Bytes) {
  uint64_t Many = std::abs(Bytes);
  return plural(Many, "byte") + (Many == 1 ? " was " : " were ") +
         (Bytes > 0 ? "added in " : "removed from ") +
         (File.empty() ? "objects whose source file is not known" : File.str());
}

/// What it was accepted as; empty where that is its name still.
static std::string oldName(const ScoreChange &Change) {
  return Change.OldHead.Symbol.empty() ||
                 keyOf(Change.OldHead) == keyOf(Change.Head)
             ? ""
             : nameOf(Change.OldHead);
}

void writeText(const LockCheck &Check, raw_ostream &OS) {
  for (const ScoreChange &Change : Check.Worse)
    OS << "finding " << nameOf(Change.Head) << ": "
       << describeChange(Change.OldScore, Change.NewScore, oldName(Change))
       << '\n';
  for (const MateChange &Change : ArrayRef(Check.Mates).take_front(MatesInText))
    writeText(Change, OS);
  if (Check.Mates.size() > MatesInText)
    OS << "and " << Check.Mates.size() - MatesInText << " more\n";
  for (const auto &[File, Bytes] : Check.Causes)
    OS << describeCause(File, Bytes) << '\n';
  if (Check.Moved)
    OS << (Check.isBroken() ? "elsewhere " : "")
       << plural(Check.Moved, "written object")
       << (Check.Moved == 1 ? " has" : " have")
       << " new line-mates, and no score is worse\n";
  if (!Check.isBroken() && !Check.Moved)
    OS << "no finding is new or worse, and no written object has a new "
          "line-mate\n";
}

void writeJson(const LockCheck &Check, raw_ostream &OS) {
  json::OStream Json(OS, /*IndentSize=*/2);
  Json.object([&] {
    guard::writeHead("diff", Json);
    writeChanges(Check.Mates, Json);
    Json.attributeArray("findings", [&] {
      for (const ScoreChange &Change : Check.Worse)
        Json.object([&] {
          Json.attribute("id", json::fixUTF8(Change.Head.Symbol));
          writeIdentity(Change.Head, Json);
          if (!oldName(Change).empty())
            Json.attribute("old_id", json::fixUTF8(Change.OldHead.Symbol));
          writeScore("old_score", Change.OldScore, Json);
          writeScore("score", Change.NewScore, Json);
        });
    });
    Json.attribute("moved_objects", int64_t(Check.Moved));
    Json.attributeArray("causes", [&] {
      for (const auto &[File, Bytes] : Check.Causes)
        Json.object([&, &File = File, Bytes = Bytes] {
          Json.attribute("file", json::fixUTF8(File));
          Json.attribute("bytes", Bytes);
        });
    });
  });
  OS << '\n';
}

void writeLock(const Lock &Accepted, raw_ostream &OS) {
  json::OStream Json(OS, /*IndentSize=*/2);
  Json.object([&] {
    guard::writeHead("lock", Json);
    Json.attribute("line_size", int64_t(Accepted.Mates.Line.Bytes));
    Json.attribute("units_with_facts", int64_t(Accepted.UnitsWithFacts));
    Json.attributeArray("findings", [&] {
      for (const LockedScore &Locked : Accepted.Scores)
        Json.object([&] {
          writeIdentity(Locked.Head, Json);
          writeScore("score", Locked.Score, Json);
        });
    });
    Json.attributeObject("sizes", [&] {
      for (const LockedSize &Locked : Accepted.Sizes)
        Json.attribute(json::fixUTF8(Locked.File), int64_t(Locked.Bytes));
    });
    Json.attributeArray("objects", [&] {
      for (const MatesOf &Object : Accepted.Mates.Objects)
        Json.object([&] {
          writeIdentity(Object.Object, Json);
          Json.attribute("use", useWord(Object.Usage));
          writeMates("line_mates", Object.Mates, Json);
        });
    });
  });
  OS << '\n';
}

} // namespace linesman::report
