// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UsedTogether.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>

using namespace llvm;

namespace linesman::layout {

namespace {

struct Use {
  double Writes = 0, All = 0;
};

/// How often functions use an object on a line while threads run.
class Uses {
public:
  Uses(const Image &Program, const AccessTable &Table,
       const LineOccupant &Place) {
    const Symbol &Object = Program.symbols()[Place.Object->Symbol];
    for (const ObjectAccess &A : Place.Object->Accesses) {
      if (!canTouch(A, Object, Place.Range))
        continue;
      const double Weight = Table.concurrentWeight(A);
      Use &Known = OfFunction[A.Function];
      Known.All += Weight;
      Total.All += Weight;
      if (A.writes()) {
        Known.Writes += Weight;
        Total.Writes += Weight;
      }
    }
  }
  double writes() const { return Total.Writes; }
  double all() const { return Total.All; }
  /// By functions that do not write both this and \p Other.
  double allApartFrom(const Uses &Other) const {
    double Sum = 0;
    for (const auto &[Function, Known] : OfFunction)
      if (Known.Writes == 0 || Other.OfFunction.lookup(Function).Writes == 0)
        Sum += Known.All;
    return Sum;
  }

private:
  DenseMap<uint32_t, Use> OfFunction;
  Use Total;
};

} // namespace

double shareApart(const Image &Program, const AccessTable &Table,
                  const LineOccupant &A, const LineOccupant &B) {
  const Uses OfA(Program, Table, A), OfB(Program, Table, B);
  const double All =
      std::min(OfA.writes(), OfB.all()) + std::min(OfB.writes(), OfA.all());
  const double Apart = std::min(OfA.writes(), OfB.allApartFrom(OfA)) +
                       std::min(OfB.writes(), OfA.allApartFrom(OfB));
  return All > 0 ? Apart / All : 1;
}

} // namespace linesman::layout
