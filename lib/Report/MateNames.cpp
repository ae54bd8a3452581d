// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MateNames.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

StringRef useWord(layout::Use Usage) {
  return Usage == layout::Use::Written ? "written" : "read";
}

std::string nameOf(const Identity &Is) {
  std::string Name = guard::demangle(Is.Symbol);
  return Is.File.empty() ? Name : Is.File + ":" + Name;
}

void writeText(const MateChange &Change, raw_ostream &OS) {
  auto Names = [&](ArrayRef<Identity> These) {
    ListSeparator Comma;
    for (const Identity &Is : These)
      OS << StringRef(Comma) << nameOf(Is);
  };
  OS << nameOf(Change.Object) << " (" << useWord(Change.Usage) << "): ";
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

void writeIdentity(const Identity &Is, json::OStream &Json) {
  Json.attribute("symbol", json::fixUTF8(Is.Symbol));
  if (!Is.File.empty())
    Json.attribute("file", json::fixUTF8(Is.File));
  if (Is.Ordinal)
    Json.attribute("ordinal", int64_t(Is.Ordinal));
}

void writeMates(StringRef Key, ArrayRef<Identity> Mates, json::OStream &Json) {
  Json.attributeArray(Key, [&] {
    for (const Identity &Is : Mates)
      if (Is.File.empty() && !Is.Ordinal)
        Json.value(json::fixUTF8(Is.Symbol));
      else
        Json.object([&] { writeIdentity(Is, Json); });
  });
}

void writeChanges(ArrayRef<MateChange> Changes, json::OStream &Json) {
  Json.attributeArray("objects", [&] {
    for (const MateChange &Change : Changes)
      Json.object([&] {
        writeIdentity(Change.Object, Json);
        Json.attribute("use", useWord(Change.Usage));
        writeMates("gained", Change.Gained, Json);
        writeMates("lost", Change.Lost, Json);
      });
  });
}

} // namespace linesman::report
