// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StepEvidence.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <cassert>
#include <map>
#include <tuple>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

/// Of an aim at one.
static constexpr unsigned WordBytes = 8;

/// Hits at one half of a range, with the other half armed as well, that show
/// that an instruction does not touch the other half. One is enough where each
/// hit is one access; a loop over bytes needs a few to come round.
static constexpr unsigned HitsToExclude = 3;

void noteExposures(ArrayRef<Aim> Aims, ArrayRef<ThreadStep> Threads,
                   double SecondsPerHit, Evidence &Known) {
  for (const ThreadStep &T : Threads) {
    // It ran in the kernel meanwhile, on our behalf.
    auto Trapped = static_cast<uint64_t>(double(T.Traps) * SecondsPerHit * 1e9);
    for (unsigned I = 0; I != Aims.size(); ++I) {
      if (Aims[I].Bytes.Size != WordBytes)
        continue;
      const Exposure &E = T.Exposures[I];
      LineWord Word{Aims[I].Line, Aims[I].Bytes.Offset / WordBytes};
      auto Add = [&](Absence Kind, uint64_t Ran) {
        Known.addWindow(T.Thread, Word, Kind,
                        Ran > Trapped ? Ran - Trapped : 0);
      };
      if (!E.HasStored)
        Add(Absence::Stores, E.Stores);
      if (!E.HasAccessed)
        Add(Absence::Accesses, E.Accesses);
    }
  }
}

bool areHalves(ArrayRef<Aim> Aims) {
  return Aims.size() == 2 && Aims[0].Bytes.Size != WordBytes;
}

void excludeHalves(ArrayRef<Aim> Aims, ArrayRef<Hit> Hits,
                   SharingMatrix &Matrix) {
  assert(areHalves(Aims) && Aims[0].Line == Aims[1].Line &&
         "two halves are of one range");
  struct Counts {
    std::array<unsigned, 2> All = {}, Together = {};
  };
  std::map<std::tuple<ThreadId, AccessKind, RunAddress>, Counts> Met;
  for (const Hit &H : Hits) {
    Counts &C = Met[{H.Thread, H.Kind, H.Site}];
    ++C.All[H.AimIndex];
    C.Together[H.AimIndex] += H.AllArmed;
  }
  for (const auto &[Pair, C] : Met)
    for (unsigned I = 0; I != 2; ++I)
      if (C.All[I] == 0 && C.Together[1 - I] >= HitsToExclude)
        Matrix.exclude(std::get<0>(Pair), std::get<1>(Pair), std::get<2>(Pair),
                       Aims[I].Bytes);
}

bool judgeLine(unsigned Line, const Evidence &Known,
               function_ref<bool(ThreadId)> IsReady, LineResult &Result) {
  const SharingMatrix &Matrix = Result.Matrix;
  const unsigned Words = Result.Watched.Size / WordBytes;
  const Verdict Seen = Matrix.verdict();
  std::vector<ThreadBytes> Threads = Matrix.threads();
  // What one thread does to its own line needs no evidence.
  const bool IsAlone = Seen == Verdict::Private && Threads.size() == 1;
  auto IsSeen = [&](ThreadId Thread, unsigned Word) {
    return Matrix.isSeen(Thread, Word);
  };
  auto IsNotAsked = [&](ThreadId Thread, unsigned Word) {
    if (IsAlone)
      return Thread == Threads.front().Thread;
    return Seen == Verdict::ReadOnly ? Matrix.isWritten(Thread, Word)
                                     : IsSeen(Thread, Word);
  };
  Result.Absent = Known.answer(
      {Line, Words,
       Seen == Verdict::ReadOnly ? Absence::Stores : Absence::Accesses,
       IsNotAsked},
      IsReady);
  const bool IsShared = outcomeOf(Seen) == Outcome::Confirmed;
  Result.IsKindKnown =
      !IsShared || all_of(Matrix.groups(), [&](ArrayRef<ThreadId> Group) {
        return Known.missedByGroup(
                   {Line, Words, Absence::Accesses, IsSeen, Evidence::KindGap},
                   Group) < Evidence::KindSignificance;
      });
  return IsShared ? Result.IsKindKnown && Seen != Verdict::Sharing
                  : Result.Absent.suffices() && Seen != Verdict::HandedOver;
}

} // namespace linesman::watch
