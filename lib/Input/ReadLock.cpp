// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lock's JSON, as lib/Report/LockFile.cpp writes it.

#include "linesman/Input/ReadLock.h"
#include "linesman/Guard/Document.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::input {

namespace {

bool readIdentity(const json::Value &From, Identity &Into, json::Path Where) {
  if (std::optional<StringRef> Name = From.getAsString()) {
    Into.Symbol = *Name;
    return true;
  }
  json::ObjectMapper Map(From, Where);
  int64_t Ordinal = 0;
  bool Reads = Map && Map.map("symbol", Into.Symbol) &&
               Map.mapOptional("file", Into.File) &&
               Map.mapOptional("ordinal", Ordinal);
  Into.Ordinal = Ordinal;
  return Reads;
}

bool readObject(const json::Value &From, MatesOf &Into, json::Path Where) {
  if (!readIdentity(From, Into.Object, Where))
    return false;
  json::ObjectMapper Map(From, Where);
  std::string As;
  if (!Map || !Map.map("use", As))
    return false;
  if (As != "written" && As != "read") {
    Where.field("use").report("expected written or read");
    return false;
  }
  Into.As = As == "written" ? Use::Written : Use::Read;
  const json::Array *Mates = From.getAsObject()->getArray("line_mates");
  if (!Mates) {
    Where.field("line_mates").report("expected an array");
    return false;
  }
  for (size_t I = 0; I != Mates->size(); ++I)
    if (!readIdentity((*Mates)[I], Into.Mates.emplace_back(),
                      Where.field("line_mates").index(I)))
      return false;
  return true;
}

bool readTop(const json::Value &From, LineMates &Into, json::Path Where) {
  json::ObjectMapper Map(From, Where);
  std::string Command;
  if (!Map || !Map.map("command", Command))
    return false;
  if (Command != "lock") {
    Where.field("command").report("expected lock");
    return false;
  }
  int64_t Line = 64;
  if (!Map.map("line_size", Line))
    return false;
  if (Line < 16 || Line > 4096 || (Line & (Line - 1))) {
    Where.field("line_size").report("expected a power of two from 16 to 4096");
    return false;
  }
  Into.Line.Bytes = Line;
  const json::Array *Objects = From.getAsObject()->getArray("objects");
  if (!Objects) {
    Where.field("objects").report("expected an array");
    return false;
  }
  for (size_t I = 0; I != Objects->size(); ++I)
    if (!readObject((*Objects)[I], Into.Objects.emplace_back(),
                    Where.field("objects").index(I)))
      return false;
  return true;
}

} // namespace

Expected<LineMates> readLock(StringRef Path) {
  Expected<json::Value> Parsed = guard::readJson(Path);
  if (!Parsed)
    return Parsed.takeError();
  json::Path::Root Root("lock");
  LineMates Result;
  if (!readTop(*Parsed, Result, Root))
    return createFileError(Path, Root.getError());
  return Result;
}

} // namespace linesman::input
