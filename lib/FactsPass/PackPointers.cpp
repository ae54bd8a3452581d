// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses of pointers as bytes: what says nothing is left out.

#include "CallRecord.h"
#include "PackColumns.h"
#include "Pointers.h"
#include "linesman/Facts/Format.h"
#include "llvm/IR/Function.h"

using namespace llvm;
using namespace linesman::facts;

namespace {

class Packer {
public:
  Packer(const CallRecord &Numbers, CallRecord::SymbolNames Name,
         function_ref<uint32_t(const GlobalValue &)> ObjectIndex,
         function_ref<uint32_t(StringRef)> FileNumber)
      : Numbers(Numbers), Name(Name), ObjectIndex(ObjectIndex),
        FileNumber(FileNumber) {}

  void write(uint64_t Function, bool HasProfile, ArrayRef<PointerFact> Uses) {
    Columns.writeULEB(format::UseHeads, Function);
    Columns.writeULEB(format::UseHeads, Uses.size() * 2 + HasProfile);
    for (const PointerFact &P : Uses)
      write(P);
  }
  std::string join() const { return Columns.join(); }

private:
  void write(const PointerFact &P);
  void writeOrigin(const PointerOrigin &Source);
  void writeUsedAs(const PointerFact &P);
  void writeOptional(unsigned Column, std::optional<uint64_t> Offset) {
    Columns.writeULEB(Column, Offset ? *Offset + 1 : 0);
  }

  const CallRecord &Numbers;
  CallRecord::SymbolNames Name;
  function_ref<uint32_t(const GlobalValue &)> ObjectIndex;
  function_ref<uint32_t(StringRef)> FileNumber;
  ColumnWriter<format::AllUseColumns> Columns;
  PlaceWriter Places;
};

} // namespace

void Packer::writeOrigin(const PointerOrigin &Source) {
  switch (Source.Kind) {
  case Origin::Object:
    Columns.writeULEB(format::UseOrigins, ObjectIndex(*Source.GV));
    break;
  case Origin::Parameter:
    Columns.writeULEB(format::UseOrigins, Source.Number);
    break;
  case Origin::Result:
    Columns.writeULEB(format::UseOrigins, Numbers.reference(Source.GV, Name));
    break;
  case Origin::Field:
    Columns.writeULEB(format::UseOrigins, Source.Type);
    Columns.writeULEB(format::UseOrigins, Source.Offset.value_or(0));
    break;
  case Origin::Variable:
    Columns.writeULEB(format::UseOrigins, ObjectIndex(*Source.GV));
    writeOptional(format::UseOrigins, Source.Offset);
    break;
  case Origin::Loaded:
  case Origin::Unknown:
    break;
  }
}

void Packer::writeUsedAs(const PointerFact &P) {
  switch (P.Kind) {
  case PointerUse::Access:
    Columns.writeULEB(format::UseTargets, P.Size);
    break;
  case PointerUse::Handed:
    Columns.writeULEB(format::UseTargets, Numbers.reference(P.Callee, Name));
    Columns.writeULEB(format::UseTargets, P.Parameter);
    break;
  case PointerUse::Returned:
    break;
  case PointerUse::Stored:
    if (P.Destination.Kind == Origin::Variable) {
      Columns.writeULEB(format::UseTargets,
                        uint64_t(ObjectIndex(*P.Destination.GV)) * 2 + 1);
      writeOptional(format::UseTargets, P.Destination.Offset);
    } else {
      Columns.writeULEB(format::UseTargets, uint64_t(P.Destination.Type) * 2);
      Columns.writeULEB(format::UseTargets, P.Destination.Offset.value_or(0));
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
  Columns.writeByte(format::UseFlagBytes, Flags);
  Columns.writeByte(format::UseFlagBytes, More);
  writeOrigin(P.Source);
  if (P.Offset && *P.Offset != 0)
    Columns.writeSLEB(format::UseOffsets, *P.Offset);
  if (HasWeight)
    Columns.writeByte(format::UseWeights, Weight);
  writeUsedAs(P);
  if (P.Except.Object) {
    Columns.writeULEB(format::UseHeads, ObjectIndex(*P.Except.Object));
    Columns.writeULEB(format::UseHeads, P.Except.Offset.value_or(0));
  }
  if (File)
    Places.write(File, P.Touched.Line, Columns, format::UsePlaces);
  if (P.Touched.StagesBefore)
    Columns.writeULEB(format::UseHeads, *P.Touched.StagesBefore);
}

std::string linesman::facts::packPointers(
    const ModuleFacts &Facts, const CallRecord &Numbers,
    CallRecord::SymbolNames Name,
    function_ref<uint32_t(const GlobalValue &)> ObjectIndex,
    function_ref<uint32_t(StringRef)> FileNumber) {
  Packer P(Numbers, Name, ObjectIndex, FileNumber);
  if (!Facts.Initial.empty())
    P.write(0, false, Facts.Initial);
  for (const FunctionFacts &FF : Facts.Functions)
    if (uint64_t Function = Numbers.reference(FF.F, Name);
        Function && !FF.Pointers.empty())
      P.write(Function, FF.HasProfile, FF.Pointers);
  return P.join();
}
