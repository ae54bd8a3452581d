// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses of pointers as bytes: what says nothing is left out.

#include "CallRecord.h"
#include "Pointers.h"
#include "linesman/Facts/Format.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace linesman::facts;

namespace {

class Packer {
public:
  Packer(const CallRecord &Numbers, CallRecord::SymbolNames Name,
         function_ref<uint32_t(const GlobalValue &)> ObjectIndex,
         function_ref<uint32_t(StringRef)> FileNumber, raw_ostream &OS)
      : Numbers(Numbers), Name(Name), ObjectIndex(ObjectIndex),
        FileNumber(FileNumber), OS(OS) {}

  void write(uint64_t Function, bool HasProfile, ArrayRef<PointerFact> Uses) {
    encodeULEB128(Function, OS);
    encodeULEB128(Uses.size() * 2 + HasProfile, OS);
    for (const PointerFact &P : Uses)
      write(P);
  }

private:
  void write(const PointerFact &P);
  void writeOrigin(const PointerOrigin &Source);
  void writeUsedAs(const PointerFact &P);
  void writeOptional(std::optional<uint64_t> Offset) {
    encodeULEB128(Offset ? *Offset + 1 : 0, OS);
  }

  const CallRecord &Numbers;
  CallRecord::SymbolNames Name;
  function_ref<uint32_t(const GlobalValue &)> ObjectIndex;
  function_ref<uint32_t(StringRef)> FileNumber;
  raw_ostream &OS;
};

} // namespace

void Packer::writeOrigin(const PointerOrigin &Source) {
  switch (Source.Kind) {
  case Origin::Object:
    encodeULEB128(ObjectIndex(*Source.GV), OS);
    break;
  case Origin::Parameter:
    encodeULEB128(Source.Number, OS);
    break;
  case Origin::Result:
    encodeULEB128(Numbers.reference(Source.GV, Name), OS);
    break;
  case Origin::Field:
    encodeULEB128(Source.Type, OS);
    encodeULEB128(Source.Offset.value_or(0), OS);
    break;
  case Origin::Variable:
    encodeULEB128(ObjectIndex(*Source.GV), OS);
    writeOptional(Source.Offset);
    break;
  case Origin::Loaded:
  case Origin::Unknown:
    break;
  }
}

void Packer::writeUsedAs(const PointerFact &P) {
  switch (P.Kind) {
  case PointerUse::Access:
    encodeULEB128(P.Size, OS);
    break;
  case PointerUse::Handed:
    encodeULEB128(Numbers.reference(P.Callee, Name), OS);
    encodeULEB128(P.Parameter, OS);
    break;
  case PointerUse::Returned:
    break;
  case PointerUse::Stored:
    if (P.Destination.Kind == Origin::Variable) {
      encodeULEB128(uint64_t(ObjectIndex(*P.Destination.GV)) * 2 + 1, OS);
      writeOptional(P.Destination.Offset);
    } else {
      encodeULEB128(uint64_t(P.Destination.Type) * 2, OS);
      encodeULEB128(P.Destination.Offset.value_or(0), OS);
    }
    break;
  case PointerUse::StoredThrough:
  case PointerUse::LoadedThrough:
    break;
  }
}

void Packer::write(const PointerFact &P) {
  uint8_t Weight = packWeight(P.Touched.Weight);
  bool HasWeight =
      (P.Kind == PointerUse::Access || P.Kind == PointerUse::Handed) &&
      Weight != format::WeightOfOne;
  uint8_t Flags = static_cast<uint8_t>(P.Kind) |
                  static_cast<uint8_t>(P.Source.Kind) << format::OriginShift;
  if (!P.Offset)
    Flags |= format::AnyUseOffset;
  else if (*P.Offset != 0)
    Flags |= format::HasUseOffset;
  if (HasWeight)
    Flags |= format::HasUseWeight;
  uint32_t File = FileNumber(P.Touched.File);
  uint8_t More = P.IsLock ? format::LockKind : static_cast<uint8_t>(P.Does);
  if (P.IsMay)
    More |= format::IsMayUse;
  if (P.Except.Object)
    More |= format::HasException;
  if (P.Touched.StagesBefore)
    More |= format::HasUseStages;
  if (File)
    More |= format::HasUseSource;
  OS << static_cast<char>(Flags) << static_cast<char>(More);
  writeOrigin(P.Source);
  if (P.Offset && *P.Offset != 0)
    encodeSLEB128(*P.Offset, OS);
  if (HasWeight)
    OS << static_cast<char>(Weight);
  writeUsedAs(P);
  if (P.Except.Object) {
    encodeULEB128(ObjectIndex(*P.Except.Object), OS);
    encodeULEB128(P.Except.Offset.value_or(0), OS);
  }
  if (File) {
    encodeULEB128(File, OS);
    encodeULEB128(P.Touched.Line, OS);
  }
  if (P.Touched.StagesBefore)
    encodeULEB128(*P.Touched.StagesBefore, OS);
}

std::string linesman::facts::packPointers(
    const ModuleFacts &Facts, const CallRecord &Numbers,
    CallRecord::SymbolNames Name,
    function_ref<uint32_t(const GlobalValue &)> ObjectIndex,
    function_ref<uint32_t(StringRef)> FileNumber) {
  std::string Payload;
  raw_string_ostream OS(Payload);
  Packer P(Numbers, Name, ObjectIndex, FileNumber, OS);
  if (!Facts.Initial.empty())
    P.write(0, false, Facts.Initial);
  for (const FunctionFacts &FF : Facts.Functions)
    if (uint64_t Function = Numbers.reference(FF.F, Name);
        Function && !FF.Pointers.empty())
      P.write(Function, FF.HasProfile, FF.Pointers);
  return Payload;
}
