// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From accesses to byte sets, from byte sets to fields and a verdict.

#include "linesman/Watch/SharingMatrix.h"
#include "llvm/Support/ErrorHandling.h"
#include <set>

using namespace llvm;

namespace linesman::watch {

static constexpr uint32_t WordSize = 8;

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
  case Verdict::TrueSharing:
  case Verdict::FalseSharing:
  case Verdict::Mixed:
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
  Signature Who;
};

/// Runs of equal bytes; with \p Clip also cut where a word ends.
enum class Clip : uint8_t { Nowhere, AtWords };

std::vector<Run> findRuns(ArrayRef<ThreadBytes> Threads, Clip Where) {
  std::vector<Run> Runs;
  for (uint32_t Byte = 0; Byte != MaxLineSize; ++Byte) {
    Signature Who;
    for (const ThreadBytes &T : Threads) {
      if (T.Read[Byte])
        Who.Readers.push_back(T.Thread.Value);
      if (T.Written[Byte])
        Who.Writers.push_back(T.Thread.Value);
    }
    if (Who.empty())
      continue;
    bool Cut = Where == Clip::AtWords && Byte % WordSize == 0;
    if (!Cut && !Runs.empty() && Runs.back().Who == Who &&
        Runs.back().Bytes.Offset + Runs.back().Bytes.Size == Byte)
      ++Runs.back().Bytes.Size;
    else
      Runs.push_back({{Byte, 1}, std::move(Who)});
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
    Written |= !A.Who.Writers.empty();
    True |= writerMeetsOther(A.Who, A.Who);
    for (const Run &B : Runs)
      False |= &A != &B && writerMeetsOther(A.Who, B.Who);
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
                        ByteRange Bytes, uint64_t Count) {
  if (Count == 0)
    return;
  Total += Count;
  Row &R = Rows[{Thread, Kind, Site, Bytes.Offset / WordSize}];
  if (Bytes.Size < WordSize)
    R.Met |= watch::bytesOf(Bytes);
  if (Bytes.Size == 1)
    R.Single |= watch::bytesOf(Bytes);
  R.Count += Count;
}

void SharingMatrix::exclude(ThreadId Thread, AccessKind Kind, RunAddress Site,
                            ByteRange Bytes) {
  Rows[{Thread, Kind, Site, Bytes.Offset / WordSize}].Excluded |=
      watch::bytesOf(Bytes);
}

void SharingMatrix::addExact(ThreadId Thread, AccessKind Kind, RunAddress Site,
                             const ByteSet &Bytes, uint64_t Count) {
  if (Bytes.none())
    return;
  uint32_t Word = Bytes._Find_first() / WordSize;
  Total += Count;
  Row &R = Rows[{Thread, Kind, Site, Word}];
  R.Exact |= Bytes;
  R.Count += Count;
}

void SharingMatrix::addCeiling(ThreadId Thread, ByteRange Bytes) {
  Ceilings[Thread] |= watch::bytesOf(Bytes);
}

// The whole word, except where there is evidence against it: a byte at which an
// instruction was not met proves nothing when its thread did not run just then.
ByteSet SharingMatrix::bytesOf(const Key &K, const Row &R) {
  if (R.Exact.any())
    return R.Exact;
  return watch::bytesOf({K.Word * WordSize, WordSize}) & ~(R.Excluded & ~R.Met);
}

bool SharingMatrix::isResolved(const Key &K, const Row &R) {
  ByteSet Decided = R.Exact | R.Single | R.Excluded;
  return (watch::bytesOf({K.Word * WordSize, WordSize}) & ~Decided).none();
}

std::vector<ThreadBytes> SharingMatrix::threads() const {
  std::map<ThreadId, ThreadBytes> ByThread;
  for (const auto &[K, R] : Rows) {
    ThreadBytes &T = ByThread[K.Thread];
    T.Thread = K.Thread;
    (K.Kind == AccessKind::Write ? T.Written : T.Read) |= bytesOf(K, R);
  }
  std::vector<ThreadBytes> Result;
  for (const auto &[Thread, Bytes] : ByThread)
    Result.push_back(Bytes);
  return Result;
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
    Use.Unrefined |= !isResolved(K, R);
  }
  std::vector<ByteRange> Result;
  for (const auto &[Word, Use] : Words)
    if (Use.Threads.size() > 1 && Use.Written && Use.Unrefined)
      Result.push_back({Word * WordSize, WordSize});
  return Result;
}

Verdict SharingMatrix::verdict() const { return judge(threads()); }

std::vector<Field> SharingMatrix::fields() const {
  std::vector<Field> Result;
  for (const Run &Run : findRuns(threads(), Clip::AtWords)) {
    Field F;
    F.Bytes = Run.Bytes;
    ByteSet Bytes = watch::bytesOf(F.Bytes);
    std::map<ThreadId, FieldAccess> Accesses;
    for (const auto &[K, R] : Rows) {
      if ((bytesOf(K, R) & Bytes).none())
        continue;
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
    Result.push_back(std::move(F));
  }
  return Result;
}

} // namespace linesman::watch
