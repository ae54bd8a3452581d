// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses by type as bytes. They are many, so that each field is left out
// where it says nothing, and stands with those of the other accesses.

#include "CallRecord.h"
#include "PackColumns.h"
#include "linesman/Facts/Format.h"
#include "llvm/IR/Function.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace linesman::facts;

/// 1 is WeightOfOne; what is not positive is as little as there is.
uint8_t linesman::facts::packWeight(double Weight) {
  if (!(Weight > 0))
    return 0;
  double Steps = std::log2(Weight) * format::WeightSteps;
  return static_cast<uint8_t>(
      std::clamp(std::round(Steps) + format::WeightOfOne, 0.0, 255.0));
}

using TypeColumns = ColumnWriter<format::AllTypeColumns>;

static void writeAccess(const TypeAccess &A, uint32_t File,
                        TypeColumns &Columns, PlaceWriter &Places) {
  uint8_t Weight = packWeight(A.Weight);
  uint8_t Flags = A.IsLock ? format::LockKind : static_cast<uint8_t>(A.Kind);
  if (A.Offset)
    Flags |= format::HasTypeOffset;
  if (A.IsSynchronised)
    Flags |= format::IsSynchronised;
  if (A.IsElement)
    Flags |= format::IsElement;
  if (A.IsIndexed)
    Flags |= format::IsIndexed;
  if (Weight != format::WeightOfOne)
    Flags |= format::HasTypeWeight;
  if (A.StagesBefore)
    Flags |= format::HasStages;
  Columns.writeByte(format::TypeFlags, Flags);
  if (Weight != format::WeightOfOne)
    Columns.writeByte(format::TypeWeights, Weight);
  if (A.Offset)
    Columns.writeULEB(format::TypeOffsets, *A.Offset);
  Columns.writeULEB(format::TypeSizes, A.Size);
  Places.write(File, A.Line, Columns, format::TypePlaces);
  if (A.StagesBefore)
    Columns.writeULEB(format::TypeHeads, *A.StagesBefore);
}

/// Functions with accesses, in the order of both records.
static void
eachFunction(const ModuleFacts &Facts, const CallRecord &Numbers,
             CallRecord::SymbolNames Name,
             function_ref<void(uint64_t, const FunctionFacts &)> Visit) {
  for (const FunctionFacts &FF : Facts.Functions)
    if (uint64_t Function = Numbers.reference(FF.F, Name);
        Function && !FF.Records.empty())
      Visit(Function, FF);
}

std::string linesman::facts::packTypeAccesses(
    const ModuleFacts &Facts, const CallRecord &Numbers,
    CallRecord::SymbolNames Name,
    function_ref<uint32_t(StringRef)> FileNumber) {
  TypeColumns Columns;
  PlaceWriter Places;
  eachFunction(Facts, Numbers, Name,
               [&](uint64_t Function, const FunctionFacts &FF) {
                 Columns.writeULEB(format::TypeHeads, Function);
                 Columns.writeULEB(format::TypeHeads, FF.Records.size());
                 for (const RecordAccesses &R : FF.Records) {
                   Columns.writeULEB(format::TypeHeads, R.Type);
                   Columns.writeULEB(format::TypeHeads, R.Accesses.size());
                   for (const TypeAccess &A : R.Accesses)
                     writeAccess(A, FileNumber(A.File), Columns, Places);
                 }
               });
  return Columns.join();
}

std::string linesman::facts::packUnlocked(const ModuleFacts &Facts,
                                          const CallRecord &Numbers,
                                          CallRecord::SymbolNames Name) {
  std::string Bits;
  size_t Count = 0;
  bool IsAny = false;
  eachFunction(Facts, Numbers, Name, [&](uint64_t, const FunctionFacts &FF) {
    for (const RecordAccesses &R : FF.Records)
      for (const TypeAccess &A : R.Accesses) {
        if (Count % 8 == 0)
          Bits.push_back(0);
        Bits.back() |= static_cast<char>(A.IsUnlocked << Count++ % 8);
        IsAny |= A.IsUnlocked;
      }
  });
  return IsAny ? Bits : "";
}
