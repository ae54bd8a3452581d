// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From accesses to byte sets, from byte sets to fields and a verdict.

#include "linesman/Watch/SharingMatrix.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cassert>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

StringRef verdictName(Verdict V) {
  switch (V) {
  case Verdict::NotSeen:
    return "not-seen";
  case Verdict::Private:
    return "private";
  case Verdict::ReadOnly:
    return "read-only";
  case Verdict::TrueSharing:
    return "true-sharing";
  case Verdict::FalseSharing:
    return "false-sharing";
  case Verdict::Mixed:
    return "mixed";
  case Verdict::Sharing:
    return "sharing";
  case Verdict::HandedOver:
    return "handed-over";
  }
  llvm_unreachable("all verdicts are named");
}

Outcome outcomeOf(Verdict V) {
  switch (V) {
  case Verdict::NotSeen:
    return Outcome::NotSeen;
  case Verdict::Private:
  case Verdict::ReadOnly:
    return Outcome::Refuted;
  case Verdict::HandedOver:
    return Outcome::CannotTell;
  case Verdict::TrueSharing:
  case Verdict::FalseSharing:
  case Verdict::Mixed:
  case Verdict::Sharing:
    return Outcome::Confirmed;
  }
  llvm_unreachable("all verdicts have an outcome");
}

StringRef outcomeName(Outcome O) {
  switch (O) {
  case Outcome::Confirmed:
    return "confirmed";
  case Outcome::Refuted:
    return "refuted";
  case Outcome::CannotTell:
    return "cannot-tell";
  case Outcome::NotSeen:
    return "not-seen";
  }
  llvm_unreachable("all outcomes are named");
}

ByteSet bytesOf(ByteRange Range) {
  ByteSet Set;
  for (uint32_t I = 0; I != Range.Size && Range.Offset + I < MaxLineSize; ++I)
    Set.set(Range.Offset + I);
  return Set;
}

static bool contains(ByteRange Outer, ByteRange Inner) {
  return Inner.Offset >= Outer.Offset &&
         Inner.Offset + Inner.Size <= Outer.Offset + Outer.Size;
}

namespace {

/// Who reads and who writes one byte.
struct Signature {
  std::vector<int> Readers, Writers;
  bool empty() const { return Readers.empty() && Writers.empty(); }
  friend bool operator==(const Signature &, const Signature &) = default;
};

/// A run of bytes with one signature.
struct Run {
  ByteRange Bytes;
  Signature Owner;
};

/// Runs of equal bytes; with \p Clip also cut where a word ends.
enum class Clip : uint8_t { Nowhere, AtWords };

std::vector<Run> findRuns(ArrayRef<ThreadBytes> Threads, Clip Clipping) {
  std::vector<Run> Runs;
  for (uint32_t Byte = 0; Byte != MaxLineSize; ++Byte) {
    Signature Owner;
    for (const ThreadBytes &T : Threads) {
      if (T.Read[Byte])
        Owner.Readers.push_back(T.Thread.Value);
      if (T.Written[Byte])
        Owner.Writers.push_back(T.Thread.Value);
    }
    if (Owner.empty())
      continue;
    bool Cut = Clipping == Clip::AtWords && Byte % WordSize == 0;
    if (!Cut && !Runs.empty() && Runs.back().Owner == Owner &&
        Runs.back().Bytes.Offset + Runs.back().Bytes.Size == Byte)
      ++Runs.back().Bytes.Size;
    else
      Runs.push_back({{Byte, 1}, std::move(Owner)});
  }
  return Runs;
}

/// Some writer of \p A is not the only thread at \p B.
bool writerMeetsOther(const Signature &A, const Signature &B) {
  for (int Writer : A.Writers) {
    for (int Reader : B.Readers)
      if (Reader != Writer)
        return true;
    for (int Other : B.Writers)
      if (Other != Writer)
        return true;
  }
  return false;
}

} // namespace

Verdict judge(ArrayRef<ThreadBytes> Threads) {
  std::vector<Run> Runs = findRuns(Threads, Clip::Nowhere);
  bool Written = false, True = false, False = false;
  for (const Run &A : Runs) {
    Written |= !A.Owner.Writers.empty();
    True |= writerMeetsOther(A.Owner, A.Owner);
    for (const Run &B : Runs)
      False |= &A != &B && writerMeetsOther(A.Owner, B.Owner);
  }
  if (Runs.empty())
    return Verdict::NotSeen;
  if (True && False)
    return Verdict::Mixed;
  if (True)
    return Verdict::TrueSharing;
  if (False)
    return Verdict::FalseSharing;
  return Written ? Verdict::Private : Verdict::ReadOnly;
}

void SharingMatrix::add(ThreadId Thread, AccessKind Kind, RunAddress Site,
                        ByteRange Bytes, uint64_t Count, uint64_t Time) {
  if (Count == 0)
    return;
  Total += Count;
  if (Time) {
    Span &S = Spans.try_emplace(Thread, Span{Time, Time}).first->second;
    S = {std::min(S.First, Time), std::max(S.Last, Time)};
  }
  Row &R = Rows[{Thread, Kind, Site, Bytes.Offset / WordSize}];
  if (Bytes.Size < WordSize)
    R.Met.insert(Bytes);
  if (Bytes.Size == 1)
    R.Certain |= watch::bytesOf(Bytes);
  R.Count += Count;
}

void SharingMatrix::exclude(ThreadId Thread, AccessKind Kind, RunAddress Site,
                            ByteRange Bytes) {
  Rows[{Thread, Kind, Site, Bytes.Offset / WordSize}].Excluded.insert(Bytes);
}

void SharingMatrix::addExact(ThreadId Thread, AccessKind Kind, RunAddress Site,
                             const ByteSet &Bytes, uint64_t Count) {
  if (Bytes.none())
    return;
  uint32_t Word = Bytes._Find_first() / WordSize;
  Total += Count;
  Row &R = Rows[{Thread, Kind, Site, Word}];
  R.Certain |= Bytes;
  R.IsExact = true;
  R.Count += Count;
}

void SharingMatrix::addCeiling(ThreadId Thread, ByteRange Bytes) {
  Ceilings[Thread] |= watch::bytesOf(Bytes);
}

// The whole word, except where there is evidence against it: a byte at which an
// instruction was not met proves nothing when its thread did not run just then.
// That it was met at a half does not put back the quarter that is excluded
// later: the half was met for the other quarter.
ByteSet SharingMatrix::bytesOf(const Key &K, const Row &R) {
  if (R.IsExact)
    return R.Certain;
  ByteSet Bytes = watch::bytesOf({K.Word * WordSize, WordSize});
  for (ByteRange Out : R.Excluded)
    if (none_of(R.Met, [&](ByteRange Range) { return contains(Out, Range); }))
      Bytes &= ~watch::bytesOf(Out);
  return Bytes;
}

std::vector<ThreadBytes> SharingMatrix::collect(
    function_ref<ByteSet(const Key &, const Row &)> Bytes) const {
  std::map<ThreadId, ThreadBytes> ByThread;
  for (const auto &[K, R] : Rows) {
    ThreadBytes &T = ByThread[K.Thread];
    T.Thread = K.Thread;
    (K.Kind == AccessKind::Write ? T.Written : T.Read) |= Bytes(K, R);
  }
  std::vector<ThreadBytes> Result;
  for (const auto &[Thread, Bytes] : ByThread)
    Result.push_back(Bytes);
  return Result;
}

std::vector<ThreadBytes> SharingMatrix::threads() const {
  return collect(bytesOf);
}

std::vector<ByteRange> SharingMatrix::wordsToRefine() const {
  struct WordUse {
    std::set<ThreadId> Threads;
    bool Written = false, Unrefined = false;
  };
  std::map<uint32_t, WordUse> Words;
  for (const auto &[K, R] : Rows) {
    WordUse &Use = Words[K.Word];
    Use.Threads.insert(K.Thread);
    Use.Written |= K.Kind == AccessKind::Write;
    Use.Unrefined |= bytesOf(K, R) != R.Certain;
  }
  std::vector<ByteRange> Result;
  for (const auto &[Word, Use] : Words)
    if (Use.Threads.size() > 1 && Use.Written && Use.Unrefined)
      Result.push_back({Word * WordSize, WordSize});
  return Result;
}

std::vector<ByteRange> SharingMatrix::wordsToSharpen() const {
  std::set<uint32_t> Words;
  for (const auto &[K, R] : Rows)
    if (R.Count && bytesOf(K, R) != R.Certain)
      Words.insert(K.Word);
  std::vector<ByteRange> Result;
  for (uint32_t Word : Words)
    Result.push_back({Word * WordSize, WordSize});
  return Result;
}

bool SharingMatrix::isSeen(ThreadId Thread, unsigned Word) const {
  return any_of(Rows, [&](const auto &Entry) {
    const auto &[K, R] = Entry;
    return K.Thread == Thread && K.Word == Word && R.Count;
  });
}

bool SharingMatrix::isWritten(ThreadId Thread, unsigned Word) const {
  return any_of(Rows, [&](const auto &Entry) {
    const auto &[K, R] = Entry;
    return K.Thread == Thread && K.Word == Word && R.Count &&
           K.Kind == AccessKind::Write;
  });
}

std::vector<std::vector<ThreadId>> SharingMatrix::groups() const {
  std::map<ThreadId, std::set<std::pair<AccessKind, RunAddress>>> Sites;
  for (const auto &[K, R] : Rows)
    if (R.Count)
      Sites[K.Thread].insert({K.Kind, K.Site});
  std::map<std::set<std::pair<AccessKind, RunAddress>>, std::vector<ThreadId>>
      Groups;
  for (const auto &[Thread, Set] : Sites)
    Groups[Set].push_back(Thread);
  std::vector<std::vector<ThreadId>> Result;
  for (auto &[Set, Threads] : Groups)
    Result.push_back(std::move(Threads));
  return Result;
}

/// Whether the row touches one of \p Others for certain: by a byte that it is
/// known to touch, or because all are others' where it was met.
bool SharingMatrix::certainlyMeets(const Key &K, const Row &R,
                                   const ByteSet &Others) {
  if ((R.Certain & Others).any())
    return true;
  auto IsCovered = [&](ByteRange Met) {
    ByteSet Possible = bytesOf(K, R) & watch::bytesOf(Met);
    return Possible.any() && (Possible & ~Others).none();
  };
  return R.Count != 0 &&
         (IsCovered({K.Word * WordSize, WordSize}) || any_of(R.Met, IsCovered));
}

bool SharingMatrix::isCertainlyTrue() const {
  std::vector<ThreadBytes> Certain =
      collect([](const Key &, const Row &R) { return R.Certain; });
  return any_of(Rows, [&](const auto &Entry) {
    const auto &[K, R] = Entry;
    return any_of(Certain, [&](const ThreadBytes &Other) {
      return Other.Thread != K.Thread &&
             certainlyMeets(K, R,
                            K.Kind == AccessKind::Write
                                ? Other.Read | Other.Written
                                : Other.Written);
    });
  });
}

/// A writer and another thread, one of which touches a byte that the other does
/// not. Bytes that nobody took apart yet say nothing: one thread's whole word
/// beside the half that another one is known to touch may be the same half.
bool SharingMatrix::isCertainlyApart() const {
  const std::vector<ThreadBytes> Threads = threads();
  return any_of(Rows, [&](const auto &Entry) {
    const auto &[K, R] = Entry;
    return any_of(Threads, [&](const ThreadBytes &Other) {
      if (Other.Thread == K.Thread)
        return false;
      if (Other.Written.any())
        return certainlyMeets(K, R, ~Other.Written);
      return K.Kind == AccessKind::Write && certainlyMeets(K, R, ~Other.Read);
    });
  });
}

/// A writer and another thread whose spans overlap, or a line that goes from
/// thread to thread: spans that follow each other are one hand-over each, which
/// costs one transfer, however often a thread comes by. One or two are an
/// object that is made here and used there.
bool SharingMatrix::isAnyoneMet(ArrayRef<ThreadBytes> Threads) const {
  constexpr unsigned HandOversOfSharing = 3;
  struct Visit {
    Span Stay;
    bool Writes;
  };
  std::vector<Visit> Visits;
  for (const ThreadBytes &T : Threads) {
    auto Found = Spans.find(T.Thread);
    if (Found == Spans.end())
      return true;
    Visits.push_back({Found->second, T.Written.any()});
  }
  llvm::sort(Visits, [](const Visit &A, const Visit &B) {
    return std::tie(A.Stay.First, A.Stay.Last) <
           std::tie(B.Stay.First, B.Stay.Last);
  });
  unsigned HandOvers = 0;
  for (size_t I = 0; I != Visits.size(); ++I)
    for (size_t J = I + 1; J != Visits.size(); ++J) {
      if (!Visits[I].Writes && !Visits[J].Writes)
        continue;
      if (Visits[J].Stay.First <= Visits[I].Stay.Last)
        return true;
      HandOvers += J == I + 1;
    }
  return HandOvers >= HandOversOfSharing;
}

Verdict SharingMatrix::verdict() const {
  std::vector<ThreadBytes> Threads = threads();
  Verdict Possible = judge(Threads);
  if (outcomeOf(Possible) == Outcome::Confirmed && !isAnyoneMet(Threads))
    return Verdict::HandedOver;
  bool IsTrue = Possible == Verdict::TrueSharing || Possible == Verdict::Mixed;
  if ((IsTrue && !isCertainlyTrue()) ||
      (Possible == Verdict::Mixed && !isCertainlyApart()))
    return Verdict::Sharing;
  return Possible;
}

std::vector<Field> SharingMatrix::fields() const {
  std::vector<Field> Result;
  for (const Run &Run : findRuns(threads(), Clip::AtWords)) {
    Field F;
    F.Bytes = Run.Bytes;
    ByteSet Bytes = watch::bytesOf(F.Bytes);
    F.IsExact = true;
    std::map<ThreadId, FieldAccess> Accesses;
    for (const auto &[K, R] : Rows) {
      if ((bytesOf(K, R) & Bytes).none())
        continue;
      F.IsExact &= (Bytes & bytesOf(K, R) & ~R.Certain).none();
      FieldAccess &A = Accesses[K.Thread];
      A.Thread = K.Thread;
      (K.Kind == AccessKind::Write ? A.Writes : A.Reads) += R.Count;
      A.Sites.push_back({K.Site, K.Kind, R.Count});
    }
    for (auto &[Thread, A] : Accesses) {
      auto C = Ceilings.find(Thread);
      A.Ceiling = C != Ceilings.end() && (C->second & Bytes).any();
      F.Accesses.push_back(std::move(A));
    }
    assert(Result.empty() || Result.back().Bytes.Offset < F.Bytes.Offset);
    Result.push_back(std::move(F));
  }
  return Result;
}

} // namespace linesman::watch
