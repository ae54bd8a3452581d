// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three reasons: start-up, one thread, cold paths.

#include "linesman/Layout/Contradict.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace linesman::layout {

StringRef contradictSuspicion(const AccessTable &Table,
                              const AccessedObject &Object) {
  // A branch that LLVM holds for unlikely runs once in 2000 times, and one to
  // an error's end less often; an ordinary branch in another one in four.
  constexpr double Cold = 1.0 / 64;
  bool IsWritten = false, IsWrittenLater = false;
  double Hottest = 0;
  DenseSet<RoleIndex> Roles;
  for (const ObjectAccess &A : Object.Accesses) {
    IsWritten |= A.writes();
    Table.visitShares(
        A, [&](const RoleShare &Share, double) { Roles.insert(Share.Role); });
    if (!A.writes() || !Table.isConcurrent(A))
      continue;
    IsWrittenLater = true;
    // Per entry of the function: how often that is called, others know.
    Hottest = std::max({Hottest, A.Weight, Table.concurrentWeight(A)});
  }
  if (!IsWritten)
    return "";
  if (!IsWrittenLater)
    return "only start-up code writes it";
  if (Roles.size() == 1 &&
      Table.roles()[*Roles.begin()].Count == Instances::One)
    return "one thread has it alone";
  if (Hottest < Cold)
    return "it is written on paths that rarely run";
  return "";
}

} // namespace linesman::layout
