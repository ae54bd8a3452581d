// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses of pointers to facts about types.
//
//  1. What each pointer of the function points to: parameters, results and
//     variables by themselves, what is loaded through a pointer by what that
//     points to. An instruction that loads through pointers to several records
//     tells nothing.
//  2. Accesses through those, inside of the record.

#include "CodeTypes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using linesman::facts::Origin;
using linesman::facts::PointerUse;

namespace linesman::input {

namespace {

/// Loads behind each other that are followed.
constexpr unsigned MostLoads = 16;
/// Of a lock: where the rest of it is touched, too, it is on the same line.
constexpr uint64_t LockBytes = 4;
/// What is smaller than this and part of other records, a list's links or a
/// lock, has its neighbours in those, and which one it is in is not known.
constexpr uint64_t LeastPart = 64;

class PointerTypes {
public:
  PointerTypes(const facts::PointerFacts &Function,
               const PointedRecords &Records)
      : Records(Records) {
    if (auto It = Records.Functions.find(Function.Function.Value);
        It != Records.Functions.end())
      Own = &It->second;
    for (unsigned Round = 0; Round != MostLoads; ++Round)
      if (!followLoads(Function))
        return;
    // Some might turn out to disagree.
    Loaded.clear();
  }

  /// The record that a pointer from \p Source points to.
  RecordIndex recordOf(const Origin &Source) const {
    switch (Source.Kind) {
    case Origin::Parameter:
      if (Own)
        for (auto [Number, Record] : Own->Parameters)
          if (Number == Source.Value)
            return Record;
      return NoRecord;
    case Origin::Result: {
      auto It = Source.Function.Kind == facts::FunctionRef::Address
                    ? Records.Functions.find(Source.Function.Value)
                    : Records.Functions.end();
      return It == Records.Functions.end() ? NoRecord : It->second.Result;
    }
    case Origin::Variable: {
      auto It = Records.Variables.find(Source.Value);
      if (It == Records.Variables.end() || !Source.Offset)
        return NoRecord;
      const PointedVariable &Variable = It->second;
      if (Variable.IsPointer)
        return *Source.Offset ? NoRecord : Variable.Record;
      return Records.Records[Variable.Record].pointedFrom(*Source.Offset);
    }
    case Origin::Loaded:
      return Loaded.lookup_or(Source.Value, NoRecord);
    default:
      return NoRecord;
    }
  }

private:
  const PointedRecords &Records;
  const PointedFunction *Own = nullptr;
  /// By instruction; NoRecord where several records disagree, or what it loads
  /// is no pointer to a record.
  DenseMap<uint64_t, RecordIndex> Loaded;

  /// Whether \p Source was looked at, and points to no one record.
  bool isOpen(const Origin &Source) const {
    auto It = Source.Kind == Origin::Loaded ? Loaded.find(Source.Value)
                                            : Loaded.end();
    return It != Loaded.end() && It->second == NoRecord;
  }

  /// Whether anything new is known.
  bool followLoads(const facts::PointerFacts &Function) {
    bool IsChanged = false;
    for (const PointerUse &Use : Function.Uses) {
      if (Use.Kind != PointerUse::LoadedThrough || !Use.Offset ||
          *Use.Offset < 0)
        continue;
      RecordIndex Record = recordOf(Use.Source);
      if (Record == NoRecord && !isOpen(Use.Source))
        continue;
      RecordIndex Next = Record == NoRecord
                             ? NoRecord
                             : Records.Records[Record].pointedFrom(*Use.Offset);
      auto [It, IsNew] = Loaded.try_emplace(Use.Destination.Value, Next);
      IsChanged |= IsNew;
      if (!IsNew && It->second != Next && It->second != NoRecord) {
        It->second = NoRecord;
        IsChanged = true;
      }
    }
    return IsChanged;
  }
};

/// A use of memory, or a lock that a callee is given.
std::optional<facts::TypeAccess> accessOf(const PointerUse &Use,
                                          const PointedRecord &Record) {
  bool IsLock = Use.Kind == PointerUse::Handed && Use.IsLock;
  if ((Use.Kind != PointerUse::Access && !IsLock) || !Use.Offset ||
      *Use.Offset < 0)
    return std::nullopt;
  facts::TypeAccess A;
  A.Kind = IsLock ? facts::AccessKind::Atomic : Use.Does;
  A.Offset = *Use.Offset;
  A.Size = IsLock ? LockBytes : Use.Size;
  if (!A.Size || *A.Offset >= Record.Size || A.Size > Record.Size - *A.Offset)
    return std::nullopt;
  A.Weight = Use.Weight;
  A.Instruction = Use.Instruction;
  A.StagesBefore = Use.StagesBefore;
  A.IsLocked = Use.IsLocked;
  A.HeldLock = Use.HeldLock;
  A.IsLock = Use.IsLock;
  A.IsSynchronised = A.Kind == facts::AccessKind::Atomic;
  return A;
}

} // namespace

std::vector<facts::TypeFact> typeFactsOf(const facts::PointerFacts &Function,
                                         const PointedRecords &Records) {
  PointerTypes Types(Function, Records);
  uint64_t Unit = 0;
  if (auto It = Records.Functions.find(Function.Function.Value);
      It != Records.Functions.end())
    Unit = It->second.Unit;
  bool TakesLocks =
      any_of(Function.Uses, [](const PointerUse &Use) { return Use.IsLock; });
  MapVector<RecordIndex, facts::TypeFact> Facts;
  for (const PointerUse &Use : Function.Uses) {
    RecordIndex Index = Types.recordOf(Use.Source);
    if (Index == NoRecord)
      continue;
    const PointedRecord &Record = Records.Records[Index];
    if (Record.IsPart && Record.Size < LeastPart)
      continue;
    std::optional<facts::TypeAccess> A = accessOf(Use, Record);
    if (!A)
      continue;
    A->IsUnlocked = TakesLocks && !A->IsLocked && !A->IsLock;
    auto [It, IsNew] = Facts.try_emplace(Index);
    facts::TypeFact &Fact = It->second;
    if (IsNew) {
      Fact.Function = Function.Function;
      Fact.Type.Name = Record.Name;
      Fact.Type.Size = Record.Size;
      Fact.Type.Fingerprint = Record.Fingerprint;
      Fact.Unit = Unit;
    }
    Fact.Accesses.push_back(std::move(*A));
  }
  std::vector<facts::TypeFact> Result;
  for (auto &[Index, Fact] : Facts)
    Result.push_back(std::move(Fact));
  return Result;
}

} // namespace linesman::input
