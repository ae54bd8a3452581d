// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses by the members that they touch.

#include "MemberUses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <tuple>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

static bool overlap(ByteRange A, ByteRange B) {
  return A.Begin < B.End && B.Begin < A.End;
}

static bool isBefore(const Member &A, const Member &B) {
  return std::tuple(A.Bytes.Begin, A.FirstBit) <
         std::tuple(B.Bytes.Begin, B.FirstBit);
}

static ByteRange bytesOf(const ObjectAccess &Access) {
  return {*Access.offset(),
          *Access.offset() + std::max<uint64_t>(Access.Size, 1)};
}

std::vector<Member> membersOf(const LayoutReport &Report, const Symbol &Object,
                              ArrayRef<const ObjectAccess *> Accesses) {
  std::vector<Member> Found;
  if (!Report.ObjectTypes)
    return Found;
  ObjectMembers Members(*Report.ObjectTypes, Object.Address, Object.Size);
  // Members of a union begin together: equals are no neighbours then.
  StringSet<> Known;
  for (const ObjectAccess *A : Accesses)
    if (A->offset())
      for (Member &M : Members.membersIn(bytesOf(*A)))
        if (Known.insert(M.Path).second)
          Found.push_back(std::move(M));
  llvm::stable_sort(Found, isBefore);
  return Found;
}

std::optional<MemberUses> findMemberUses(const LayoutReport &Report,
                                         const LineOccupant &Place) {
  if (!Report.ObjectTypes || !Place.Object)
    return std::nullopt;
  const Symbol &Object = Report.Image.symbols()[Place.Object->Symbol];
  ObjectMembers Members(*Report.ObjectTypes, Object.Address, Object.Size);
  if (!Members.hasMembers())
    return std::nullopt;

  MemberUses Result;
  ByteRange Asked{Place.Range.Begin - Object.Address,
                  Place.Range.End - Object.Address};
  std::optional<ByteRange> All, Likely;
  auto Widen = [](std::optional<ByteRange> &Range, ByteRange Bytes) {
    Range = Range ? ByteRange{std::min(Range->Begin, Bytes.Begin),
                              std::max(Range->End, Bytes.End)}
                  : Bytes;
  };
  auto AddArrays = [&](ByteRange Range) {
    for (const MemberArray &A : Members.arraysIn(Range))
      if (none_of(Result.Arrays,
                  [&](const MemberArray &B) { return B.Path == A.Path; }))
        Result.Arrays.push_back(A);
  };
  auto Use = [&](const Member &M) -> MemberUse & {
    for (MemberUse &Known : Result.Members)
      if (Known.Touched.Path == M.Path)
        return Known;
    Result.Members.push_back({M});
    return Result.Members.back();
  };
  for (const ObjectAccess &A : Place.Object->Accesses) {
    double Weight = Report.Accesses.concurrentWeight(A);
    if (Weight <= 0 || !canTouch(A, Object, Place.Range))
      continue;
    if (!A.offset()) {
      AddArrays(Asked);
      Result.HasSomewhere = true;
      continue;
    }
    ByteRange Bytes = bytesOf(A);
    Widen(All, Bytes);
    if (!Report.Accesses.isPerhaps(A))
      Widen(Likely, Bytes);
    AddArrays(Bytes);
    for (const Member &M : Members.membersIn(Bytes)) {
      if (!overlap(M.Bytes, Asked))
        continue;
      MemberUse &Used = Use(M);
      switch (A.Kind) {
      case facts::AccessKind::Read:
        Used.Reads += Weight;
        break;
      case facts::AccessKind::Write:
        Used.Writes += Weight;
        break;
      case facts::AccessKind::Atomic:
        Used.Atomics += Weight;
        break;
      }
    }
  }
  if (All)
    Result.Around = Members.memberAround(Likely ? *Likely : *All);

  // Whatever else is here, between what was touched.
  std::vector<ByteRange> Touched;
  for (const MemberUse &Used : Result.Members)
    Touched.push_back(Used.Touched.Bytes);
  Touched.push_back({Asked.End, Asked.End});
  llvm::sort(Touched,
             [](ByteRange A, ByteRange B) { return A.Begin < B.Begin; });
  uint64_t Begin = Asked.Begin;
  for (ByteRange T : Touched) {
    if (Begin < T.Begin)
      for (const Member &M : Members.partsIn({Begin, T.Begin}))
        if (none_of(Touched, [&](ByteRange T) { return overlap(T, M.Bytes); }))
          Result.Members.push_back({M});
    Begin = std::max(Begin, T.End);
  }
  stable_sort(Result.Members, [](const MemberUse &A, const MemberUse &B) {
    return isBefore(A.Touched, B.Touched);
  });
  return Result;
}

} // namespace linesman::report
