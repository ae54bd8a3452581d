// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights of machine code are guesses: 32 turns a loop. A lock behind five
// tests and two loops has the weight of one that each operation takes once:
//
//     lock(&m);                           1
//     if (a) if (b) if (c) if (d) if (e)
//       for (…) for (…) log();            1/32 * 32 * 32: a message
//
// Here a loop turns once. What is left is the chance that an operation gets
// there at all, which is an upper bound: a rare call in a loop counts as one
// that is made each time.

#include "ThreadsMeet.h"
#include "Parties.h"
#include "Score.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace linesman::layout {

namespace {

bool hasRole(ArrayRef<Role> Roles, RoleKind Kind) {
  return any_of(Roles, [&](const Role &R) { return R.Kind == Kind; });
}

/// Chances of one function in one role.
struct Visit {
  double Any = 0, Writing = 0;
};

} // namespace

double countVisits(const Image &Program, const AccessTable &Table,
                   ArrayRef<LineOccupant> Occupants, AddressRange Range) {
  ArrayRef<Role> Roles = Table.roles();
  const bool OnlyThreads =
      hasRole(Roles, RoleKind::Main) && hasRole(Roles, RoleKind::Thread);
  std::map<std::pair<RoleIndex, uint32_t>, Visit> Visits;
  for (const LineOccupant &Place : Occupants) {
    if (!Place.Object)
      continue;
    const Symbol &Object = Program.symbols()[Place.Object->Symbol];
    for (const ObjectAccess &A : Place.Object->Accesses) {
      // Of an array, the element that is meant may be on the line.
      if (!canTouch(A, Object, Range))
        continue;
      Table.visitShares(A, [&](const RoleShare &S, double) {
        if (OnlyThreads && Roles[S.Role].Kind != RoleKind::Thread)
          return;
        Visit &V = Visits[{S.Role, A.Function}];
        double Chance = std::min(A.Weight, 1.0) * std::min(S.Weight, 1.0);
        // A lock is taken and left.
        V.Any = std::max(V.Any, Chance);
        if (A.writes())
          V.Writing = std::max(V.Writing, Chance);
      });
    }
  }
  std::map<RoleIndex, Visit> Sums;
  for (const auto &[Place, V] : Visits) {
    Visit &Sum = Sums[Place.first];
    Sum.Any += V.Any;
    Sum.Writing += V.Writing;
  }
  double Most = 0;
  for (const auto &[A, Writer] : Sums)
    for (const auto &[B, User] : Sums)
      if (mayRunTogether(Roles, A, B))
        Most = std::max(Most, std::min(Writer.Writing, User.Any));
  return Most;
}

size_t countWriters(const Image &Program, const AccessTable &Table,
                    ArrayRef<LineOccupant> Occupants, AddressRange Range) {
  DenseSet<uint32_t> Writers;
  for (const LineOccupant &Place : Occupants) {
    if (!Place.Object)
      continue;
    const Symbol &Object = Program.symbols()[Place.Object->Symbol];
    for (const ObjectAccess &A : Place.Object->Accesses)
      if (A.writes() && canTouch(A, Object, Range) && Table.isConcurrent(A))
        Writers.insert(A.Function);
  }
  return Writers.size();
}

/// Of judged findings, all that threads write under load, and that plain stores
/// mostly write, have less than 1.4 reads for a write (docs/unseen-files.md,
/// the thirty-fifth set).
static constexpr double MostReadsForWrite = 1.5;

bool isMostlyRead(const Image &Program, const AccessTable &Table,
                  ArrayRef<LineOccupant> Occupants, AddressRange Range) {
  AccessWeights Sum;
  for (const LineOccupant &Place : Occupants) {
    if (!Place.Object)
      continue;
    if (isStandIn(Table, *Place.Object))
      return false;
    const Symbol &Object = Program.symbols()[Place.Object->Symbol];
    for (const ObjectAccess &A : Place.Object->Accesses)
      if (canTouch(A, Object, Range))
        Sum.add(A.Kind, Table.concurrentWeight(A), 0);
  }
  return Sum.Atomics < Sum.Writes &&
         Sum.Reads > MostReadsForWrite * (Sum.Writes + Sum.Atomics);
}

} // namespace linesman::layout
