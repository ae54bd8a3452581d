// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lock's JSON, as lib/Report/LockReport.cpp writes it.

#include "linesman/Input/ReadLock.h"
#include "linesman/Guard/Document.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::input {

namespace {

bool readIdentity(const json::Value &Source, Identity &Filled,
                  json::Path Position) {
  if (std::optional<StringRef> Name = Source.getAsString()) {
    Filled.Symbol = *Name;
    return true;
  }
  json::ObjectMapper Map(Source, Position);
  int64_t Ordinal = 0;
  bool Reads = Map && Map.map("symbol", Filled.Symbol) &&
               Map.mapOptional("file", Filled.File) &&
               Map.mapOptional("ordinal", Ordinal);
  Filled.Ordinal = Ordinal;
  return Reads;
}

bool readObject(const json::Value &Source, MatesOf &Filled,
                json::Path Position) {
  if (!readIdentity(Source, Filled.Object, Position))
    return false;
  json::ObjectMapper Map(Source, Position);
  std::string Word;
  if (!Map || !Map.map("use", Word))
    return false;
  if (Word != "written" && Word != "read") {
    Position.field("use").report("expected written or read");
    return false;
  }
  Filled.Usage = Word == "written" ? Use::Written : Use::Read;
  const json::Array *Mates = Source.getAsObject()->getArray("line_mates");
  if (!Mates) {
    Position.field("line_mates").report("expected an array");
    return false;
  }
  for (size_t I = 0; I != Mates->size(); ++I)
    if (!readIdentity((*Mates)[I], Filled.Mates.emplace_back(),
                      Position.field("line_mates").index(I)))
      return false;
  return true;
}

bool readScore(const json::Value &Source, LockedScore &Filled,
               json::Path Position) {
  if (!Source.getAsObject()) {
    Position.report("expected an object");
    return false;
  }
  json::ObjectMapper Map(Source, Position);
  return readIdentity(Source, Filled.Head, Position) && Map &&
         Map.map("score", Filled.Score);
}

/// A key of \p Source that has one object an entry.
template <typename Row, typename Reader>
bool readRows(const json::Value &Source, StringRef Key,
              std::vector<Row> &Filled, Reader Read, json::Path Position) {
  const json::Array *Rows = Source.getAsObject()->getArray(Key);
  if (!Rows) {
    Position.field(Key).report("expected an array");
    return false;
  }
  for (size_t I = 0; I != Rows->size(); ++I)
    if (!Read((*Rows)[I], Filled.emplace_back(), Position.field(Key).index(I)))
      return false;
  return true;
}

bool readTop(const json::Value &Source, Lock &Filled, json::Path Position) {
  json::ObjectMapper Map(Source, Position);
  if (!Map)
    return false;
  int64_t Line = LineSize().Bytes, Units = 0;
  if (!Map.map("line_size", Line) ||
      !Map.mapOptional("units_with_facts", Units))
    return false;
  if (Units < 0) {
    Position.field("units_with_facts").report("expected a number of units");
    return false;
  }
  Filled.UnitsWithFacts = Units;
  if (!isPowerOf2_64(Line) || uint64_t(Line) < LineSize::Least ||
      uint64_t(Line) > LineSize::Most) {
    static_assert(LineSize::Least == 16 && LineSize::Most == 4096);
    Position.field("line_size")
        .report("expected a power of two from 16 to 4096");
    return false;
  }
  Filled.Mates.Line.Bytes = Line;
  if (!readRows(Source, "objects", Filled.Mates.Objects, readObject,
                Position) ||
      !readRows(Source, "findings", Filled.Scores, readScore, Position))
    return false;
  const json::Object *Sizes = Source.getAsObject()->getObject("sizes");
  if (!Sizes) {
    Position.field("sizes").report("expected an object");
    return false;
  }
  for (const auto &[File, Bytes] : *Sizes) {
    std::optional<int64_t> Value = Bytes.getAsInteger();
    if (!Value || *Value < 0) {
      Position.field("sizes").field(File).report("expected a number of bytes");
      return false;
    }
    Filled.Sizes.push_back({File.str(), uint64_t(*Value)});
  }
  return true;
}

} // namespace

Expected<Lock> readLock(StringRef Path) {
  Expected<json::Value> Parsed = guard::readJson(Path);
  if (!Parsed)
    return Parsed.takeError();
  StringRef Command;
  if (const json::Object *Top = Parsed->getAsObject())
    Command = Top->getString("command").value_or("");
  if (Command != "lock")
    return createFileError(
        Path, createStringError("not a lock" +
                                (Command.empty() ? ""
                                                 : ", but what 'linesman " +
                                                       Command + "' wrote") +
                                "; 'linesman lock' writes one"));
  json::Path::Root Root("lock");
  Lock Result;
  if (!readTop(*Parsed, Result, Root))
    return createFileError(Path, Root.getError());
  return Result;
}

} // namespace linesman::input
