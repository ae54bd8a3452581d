// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sites of an occupant.

#include "Sites.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <map>
#include <tuple>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

std::string sourceText(StringRef File, uint32_t Line) {
  return File.empty() ? "" : (File + ":" + Twine(Line)).str();
}

std::string displayName(const Image &Image, OccupantIndex Occupant) {
  return demangle(Image.label(Occupant));
}

std::vector<Site> findSites(const LayoutReport &Report,
                            const LineOccupant &Place) {
  if (!Place.Object)
    return {};
  const Symbol &Object = Report.Image.symbols()[Place.Object->Symbol];
  using Key = std::tuple<uint32_t, StringRef, uint32_t, facts::AccessKind>;
  std::map<Key, double> Weights;
  for (const ObjectAccess &A : Place.Object->Accesses)
    if (canTouch(A, Object, Place.Range))
      Weights[{A.Function, A.File, A.Line, A.Kind}] += A.Weight;

  std::vector<Site> Sites;
  for (const auto &[Where, Weight] : Weights) {
    const auto &[FunctionIndex, File, Line, Kind] = Where;
    const Function &F = Report.Accesses.functions()[FunctionIndex];
    Sites.push_back(
        {demangle(F.Name), sourceText(File, Line), Kind, F.RunBy, Weight});
  }
  stable_sort(Sites, [](const Site &A, const Site &B) {
    return std::tuple(A.RunBy == Role::StartUp, -A.Weight) <
           std::tuple(B.RunBy == Role::StartUp, -B.Weight);
  });
  return Sites;
}

} // namespace linesman::report
