// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sites of an occupant.

#include "Sites.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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
  // Facts of a compiler have their source, those of machine code get it here.
  // Where there is none, each instruction is a site.
  using Key = std::tuple<uint32_t, std::string, facts::AccessKind, uint64_t>;
  std::map<Key, Site> ByPlace;
  for (const ObjectAccess &A : Place.Object->Accesses) {
    if (!canTouch(A, Object, Place.Range))
      continue;
    const Function &F = Report.Accesses.functions()[A.Function];
    Site S{demangle(F.Name),
           sourceText(A.File, A.Line),
           {},
           A.Instruction,
           A.Kind,
           F.RunBy,
           0};
    if (A.Instruction.Value && Report.FindFrames) {
      std::vector<Frame> Frames = Report.FindFrames(A.Instruction);
      if (!Frames.empty()) {
        S.Source = sourceText(Frames.front().File, Frames.front().Line);
        S.InlinedInto.assign(Frames.begin() + 1, Frames.end());
      }
    }
    uint64_t Instruction = S.Source.empty() ? A.Instruction.Value : 0;
    if (F.Name.empty())
      S.Function = "function at 0x" + utohexstr(F.Address.Value, true);
    auto It =
        ByPlace.try_emplace({A.Function, S.Source, A.Kind, Instruction}, S)
            .first;
    It->second.Weight += A.Weight;
  }

  std::vector<Site> Sites;
  for (auto &[Where, S] : ByPlace)
    Sites.push_back(std::move(S));
  stable_sort(Sites, [](const Site &A, const Site &B) {
    return std::tuple(A.RunBy == Role::StartUp, -A.Weight) <
           std::tuple(B.RunBy == Role::StartUp, -B.Weight);
  });
  return Sites;
}

} // namespace linesman::report
