// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of a module as bytes: first numbers for all that they refer to,
// then the edges.

#include "CallRecord.h"
#include "Pointers.h"
#include "linesman/Facts/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace linesman::facts;

void linesman::facts::writeFloat(double Value, raw_ostream &OS) {
  char Bytes[4];
  support::endian::write32le(
      Bytes, llvm::bit_cast<uint32_t>(static_cast<float>(Value)));
  OS.write(Bytes, sizeof(Bytes));
}

/// Local functions have namesakes in other modules.
void CallRecord::intern(const GlobalValue *GV, SymbolNames W) {
  if (!GV)
    return;
  StringRef Symbol = W(*GV);
  if (!GV->hasLocalLinkage() && !Symbol.empty())
    Names.try_emplace(hashName(Symbol), Names.size());
  else if (!isa<Function>(GV))
    Tables.try_emplace(GV, Tables.size());
  else if (!Symbol.empty())
    Locals.try_emplace(GV, Locals.size());
}

uint64_t CallRecord::reference(const GlobalValue *GV, SymbolNames W) const {
  if (!GV)
    return 0;
  if (auto It = Locals.find(GV); It != Locals.end())
    return 1 + It->second;
  if (auto It = Tables.find(GV); It != Tables.end())
    return 1 + Locals.size() + Names.size() + It->second;
  auto It = Names.find(hashName(W(*GV)));
  return It != Names.end() ? 1 + Locals.size() + It->second : 0;
}

CallRecord::CallRecord(const ModuleFacts &Facts, SymbolNames W) {
  auto InternAll = [&](const GlobalValue &Caller, ArrayRef<Edge> Edges) {
    if (Edges.empty())
      return;
    intern(&Caller, W);
    for (const Edge &E : Edges)
      intern(E.Callee, W);
  };
  for (const FunctionFacts &FF : Facts.Functions) {
    InternAll(*FF.F, FF.Calls);
    if (!FF.Records.empty() || !FF.Pointers.empty() || FF.hasLocks())
      intern(FF.F, W);
    for (const PointerFact &P : FF.Pointers) {
      intern(P.Callee, W);
      if (P.Source.Kind == Origin::Result)
        intern(P.Source.GV, W);
    }
  }
  for (const TableFacts &TF : Facts.Tables)
    InternAll(*TF.Table, TF.Functions);
  raw_string_ostream OS(Payload);
  for (const FunctionFacts &FF : Facts.Functions)
    write(*FF.F, FF.Calls, W, OS);
  for (const TableFacts &TF : Facts.Tables)
    write(*TF.Table, TF.Functions, W, OS);
  if (all_of(Declared, [](char Number) { return Number == 0; }))
    Declared.clear();
}

void CallRecord::write(const GlobalValue &Caller, ArrayRef<Edge> Edges,
                       SymbolNames W, raw_ostream &OS) {
  uint64_t CallerId = reference(&Caller, W);
  if (Edges.empty() || CallerId == 0)
    return;
  encodeULEB128(CallerId, OS);
  encodeULEB128(Edges.size(), OS);
  for (size_t I = 0; I != Edges.size(); ++I) {
    const Edge &E = Edges[I];
    uint8_t Flags = static_cast<uint8_t>(E.Kind);
    if (E.InLoop)
      Flags |= format::InLoop;
    if (I && E.Stage == Edges[I - 1].Stage)
      Flags |= format::SameStage;
    if (E.Weight != 1)
      Flags |= format::HasWeight;
    if (E.Signature)
      Flags |= format::HasSignature;
    OS << static_cast<char>(Flags);
    if (E.Weight != 1)
      writeFloat(E.Weight, OS);
    if (E.Signature)
      OS << static_cast<char>(E.Signature);
    encodeULEB128(reference(E.Callee, W), OS);
    if (E.Kind == CallKind::Address || E.Kind == CallKind::Indirect)
      Declared.push_back(static_cast<char>(E.Declared));
  }
}

std::string CallRecord::packNames() const {
  std::string Packed;
  for (const auto &[Hash, Index] : Names) {
    char Bytes[format::NameEntrySize];
    support::endian::write64le(Bytes, Hash);
    Packed.append(Bytes, sizeof(Bytes));
  }
  return Packed;
}
