// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sharing matrix of one cache line: which thread read and wrote which of
// its bytes, by which instructions, and what follows from it. Pure: hardware
// watchpoints and instrumented runs both fill it, and both get their verdict
// from the same function.
//
//     bytes    0-7        8-15   16-19     20-63
//     main     .          .      R 10+     .
//     shard-1  W 10+      .      R 10+     .        mixed: bytes 0-7 are
//     written shard-2  W 10+      .      R 10+     .        by two threads, and
//     16-19
//                                                   are read next to them

#ifndef LINESMAN_WATCH_SHARINGMATRIX_H
#define LINESMAN_WATCH_SHARINGMATRIX_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <bitset>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace linesman::watch {

/// The longest line that a matrix can hold, in bytes: four times the usual one.
inline constexpr unsigned MaxLineSize = 256;

/// What one debug register watches, in bytes.
inline constexpr uint32_t WordSize = 8;

/// Bytes of a line.
using ByteSet = std::bitset<MaxLineSize>;

/// Bytes Offset to Offset + Size - 1 of a line.
struct ByteRange {
  uint32_t Offset = 0;
  uint32_t Size = 0;
  friend auto operator<=>(const ByteRange &, const ByteRange &) = default;
};

ByteSet bytesOf(ByteRange Range);

enum class AccessKind : uint8_t { Read, Write };

enum class Verdict : uint8_t {
  /// No access in the time that was watched.
  NotSeen,
  /// One thread, and it writes.
  Private,
  /// Nobody writes.
  ReadOnly,
  /// The same bytes: a writer, and another thread that reads or writes them.
  TrueSharing,
  /// Different bytes: a writer of one field, and another thread at another.
  FalseSharing,
  /// Both.
  Mixed,
  /// A writer and another thread at one word, of which it is not known yet
  /// whether they touch the same bytes: any of the three before.
  Sharing,
  /// A writer and another thread, but one after the other: none was met again
  /// after the other one had come.
  HandedOver
};

/// The design's word for a verdict: "true-sharing", "not-seen", ...
llvm::StringRef verdictName(Verdict V);

/// What a verdict makes of a finding.
enum class Outcome : uint8_t {
  Confirmed,
  Refuted,
  /// Something was seen, and too little to say more.
  CannotTell,
  NotSeen
};
/// By a verdict that is certain.
Outcome outcomeOf(Verdict V);
llvm::StringRef outcomeName(Outcome O);

/// How often an instruction was seen.
struct SiteCount {
  process::RunAddress Site;
  AccessKind Kind;
  uint64_t Count = 0;
};

/// One thread at one field. Counts are what was seen, not rates; with Ceiling
/// the true number is higher, because counting stopped there on purpose.
struct FieldAccess {
  process::ThreadId Thread;
  uint64_t Reads = 0;
  uint64_t Writes = 0;
  bool Ceiling = false;
  std::vector<SiteCount> Sites;
};

/// A maximal run of bytes within one 8-byte word that the same threads read and
/// the same threads write.
struct Field {
  ByteRange Bytes;
  /// Every one of these bytes was seen to be touched. Otherwise only some are,
  /// and it is not known which.
  bool IsExact = false;
  std::vector<FieldAccess> Accesses;
};

/// What one thread did to a line, to the byte.
struct ThreadBytes {
  process::ThreadId Thread;
  ByteSet Read;
  ByteSet Written;
};

class SharingMatrix {
public:
  /// Notes \p Count accesses that touched some byte of \p Bytes, the last one
  /// at \p Time (in any unit); without times all threads may have met.
  void add(process::ThreadId Thread, AccessKind Kind, process::RunAddress Site,
           ByteRange Bytes, uint64_t Count, uint64_t Time = 0);

  /// Notes \p Count accesses to exactly these bytes of one 8-byte word.
  void addExact(process::ThreadId Thread, AccessKind Kind,
                process::RunAddress Site, const ByteSet &Bytes, uint64_t Count);

  /// Notes that counting stopped at its bound for this thread and range.
  void addCeiling(process::ThreadId Thread, ByteRange Bytes);

  /// Notes that this instruction was not met at \p Bytes while it was met at
  /// the rest of a range that was watched at the same time. It does not touch
  /// them, unless it is met there, or at a part of them, another time (a loop).
  void exclude(process::ThreadId Thread, AccessKind Kind,
               process::RunAddress Site, ByteRange Bytes);

  /// Words of 8 bytes that several threads touch and one writes: whether they
  /// touch the same bytes is worth watching halves, quarters and bytes. Words
  /// are done when every byte is decided for all instructions.
  std::vector<ByteRange> wordsToRefine() const;

  /// Words of which it is not known which bytes are touched, whoever does.
  std::vector<ByteRange> wordsToSharpen() const;

  /// Whether \p Thread was seen at word number \p Word, and to write it.
  bool isSeen(process::ThreadId Thread, unsigned Word) const;
  bool isWritten(process::ThreadId Thread, unsigned Word) const;

  /// The threads that were seen; those with the same instructions together.
  std::vector<std::vector<process::ThreadId>> groups() const;

  /// All fields with accesses, by offset; threads in ascending order.
  std::vector<Field> fields() const;

  /// Of all bytes that the threads may touch; but it is no true sharing where
  /// they only may meet at one of them.
  Verdict verdict() const;

  /// The bytes that each thread may touch, in ascending order of threads.
  std::vector<ThreadBytes> threads() const;

  /// Accesses noted so far.
  uint64_t total() const { return Total; }

private:
  struct Key {
    process::ThreadId Thread;
    AccessKind Kind;
    process::RunAddress Site;
    uint32_t Word;
    friend auto operator<=>(const Key &, const Key &) = default;
  };
  struct Row {
    /// Parts of the word where it was met, and where it was looked for in vain.
    std::set<ByteRange> Met, Excluded;
    /// Bytes that it touches: met with nothing else in the range, or known and
    /// not sampled.
    ByteSet Certain;
    bool IsExact = false;
    uint64_t Count = 0;
  };
  static ByteSet bytesOf(const Key &K, const Row &R);
  static bool certainlyMeets(const Key &K, const Row &R, const ByteSet &Others);
  bool isCertainlyTrue() const;
  bool isCertainlyApart() const;
  bool isAnyoneMet(llvm::ArrayRef<ThreadBytes> Threads) const;
  std::vector<ThreadBytes>
  collect(llvm::function_ref<ByteSet(const Key &, const Row &)> Bytes) const;

  /// From a thread's first access to its last one.
  struct Span {
    uint64_t First, Last;
  };

  std::map<Key, Row> Rows;
  std::map<process::ThreadId, Span> Spans;
  std::map<process::ThreadId, ByteSet> Ceilings;
  uint64_t Total = 0;
};

/// The verdict over complete byte sets.
///
/// A *field* is a run of bytes with the same readers and the same writers. Two
/// threads share truly when one writes a byte that the other touches; they
/// share falsely when one writes a field and the other touches another one.
/// Fields, not bytes or words, because two accesses of 8 bytes to one counter
/// are not false sharing of its halves, even where the counter is unaligned.
Verdict judge(llvm::ArrayRef<ThreadBytes> Threads);

} // namespace linesman::watch

#endif // LINESMAN_WATCH_SHARINGMATRIX_H
