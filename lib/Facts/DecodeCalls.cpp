// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes to facts about calls.

#include "Decoder.h"
#include "linesman/Facts/Discarded.h"

using namespace llvm;
using namespace linesman;
using namespace linesman::facts;

FunctionRef Decoder::resolve(uint64_t Reference) const {
  if (Reference == 0)
    return {};
  uint64_t Index = Reference - 1;
  if (Index < Locals.Count) {
    uint64_t Address =
        read64(Locals.Data + Index * format::LocalFunctionEntrySize);
    return {FunctionRef::Address, isDiscarded(Address) ? 0 : Address};
  }
  Index -= Locals.Count;
  if (Index < Names.Count) {
    uint64_t Hash = read64(Names.Data + Index * format::NameEntrySize);
    // No name's: damaged.
    if (isDiscarded(Hash))
      return {FunctionRef::Address, 0};
    return {FunctionRef::Name, Hash};
  }
  // A contribution has more bytes than tables, with those that a compressed
  // record expands to, so no two values are equal.
  return {FunctionRef::Table,
          ContributionOffset + ExpandedBefore + (Index - Names.Count)};
}

Error Decoder::decodeCalls(StringRef Payload) {
  Cursor C(Payload);
  while (!C.atEnd()) {
    const char *Begin = C.position();
    uint64_t Caller, Count;
    if (!C.readULEB(Caller) || !C.readULEB(Count))
      return error(Begin, "found no caller and number of edges");
    if (Caller == 0 || !isReference(Caller) || Count > C.left())
      return error(Begin, "found caller " + Twine(Caller) + " with " +
                              Twine(Count) + " edges, expected at most " +
                              Twine(C.left()));
    CurrentCalls.Caller = resolve(Caller);
    CurrentCalls.Edges.clear();
    uint32_t Stage = 0;
    for (uint64_t I = 0; I != Count; ++I)
      if (Error E =
              decodeEdge(C, CurrentCalls.Edges.emplace_back(), Stage, I == 0))
        return E;
    applyCallLocks(Caller);
    applyCallFlags(Caller);
    if (CurrentCalls.Caller == FunctionRef{FunctionRef::Address, 0})
      continue;
    ++Counts.Callers;
    if (VisitCalls)
      VisitCalls(CurrentCalls);
  }
  if (Declared && !Declared->empty())
    return error(Declared->begin(), "found more declared types than edges");
  Declared.reset();
  return Error::success();
}

Error Decoder::decodeEdge(Cursor &C, CallEdge &Edge, uint32_t &Stage,
                          bool IsFirst) {
  const char *Begin = C.position();
  if (C.atEnd())
    return error(Begin, "found an edge beyond its record");
  uint8_t Flags = C.readByte();
  if (Flags & ~format::AllCallFlags)
    return error(Begin, "found flags of a call 0x" + Twine::utohexstr(Flags) +
                            ", expected at most 0x" +
                            Twine::utohexstr(format::AllCallFlags));
  Edge.Kind = static_cast<CallKind>(Flags & format::CallKindMask);
  Edge.InLoop = Flags & format::InLoop;
  if (!IsFirst && !(Flags & format::SameStage))
    ++Stage;
  Edge.Stage = Stage;
  uint64_t Fixed = (Flags & format::HasWeight ? 4 : 0) +
                   (Flags & format::HasSignature ? 1 : 0);
  if (C.left() < Fixed)
    return error(Begin, "found an edge beyond its record");
  if (Flags & format::HasWeight)
    if (Error E = readWeight(Begin + 1, C, Edge.Weight))
      return E;
  if (Flags & format::HasSignature)
    Edge.Signature = C.readByte();
  uint64_t Callee;
  if (!C.readULEB(Callee))
    return error(Begin, "found an edge beyond its record");
  if (!isReference(Callee))
    return error(Begin, "found callee " + Twine(Callee) +
                            ", more than the section has bytes");
  Edge.Callee = resolve(Callee);
  if (Declared &&
      (Edge.Kind == CallKind::Address || Edge.Kind == CallKind::Indirect)) {
    if (Declared->empty())
      return error(Begin, "found fewer declared types than edges");
    Edge.Declared = static_cast<uint8_t>(Declared->front());
    *Declared = Declared->drop_front();
  }
  return Error::success();
}
