// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record runtime: which threads read and wrote which bytes, in a program
// that was compiled with -fsanitize=thread and linked with this library in
// place of ThreadSanitizer's. It lives in somebody else's process: no LLVM, no
// C++ runtime, no allocation from the host's heap, bounded memory, and whatever
// it must drop is counted.
//
//     __tsan_read8(p) ──▶ shadow of the line of p: my bits set already? ──▶
//     done
//                             │ no, or the line is shared and written
//                             ▼
//                         slow path: claim a slot, set the bits, count the site
//     malloc, free ─────▶ blocks with their stacks; lines of freed blocks that
//                         were shared are kept
//     exit ─────────────▶ the file that `linesman record` reads
//
// Accesses count only while the process has more than one thread: what main
// prepares before it starts the others shares nothing with anybody.

#ifndef LINESMAN_LIB_RECORD_RECORD_H
#define LINESMAN_LIB_RECORD_RECORD_H

#include "linesman/Runtime/RecordFormat.h"
#include <stddef.h>
#include <stdint.h>

namespace linesman::record {

/// Bounds. All memory is reserved at once and only touched when it is used.
inline constexpr unsigned MaxThreads = 0xfffe;
inline constexpr unsigned MaxSites = 1 << 16;
inline constexpr unsigned MaxStacks = 1 << 15;
inline constexpr unsigned MaxSpill = 1 << 20;
inline constexpr unsigned MaxDetails = 1 << 18;
inline constexpr unsigned MaxBlocks = 1 << 20;
inline constexpr unsigned MaxRetired = 1 << 14;
/// 4 MiB of the program's memory each, and as much of ours.
inline constexpr unsigned MaxLeaves = 1 << 11;
inline constexpr unsigned StackDepth = 8;

/// What one thread did to one line. Only that thread changes it, so it needs no
/// atomic read-modify-writes.
struct Use {
  uint64_t ReadBytes, WrittenBytes;
  uint32_t ReadSite, WriteSite;
};

enum Sharing : uint8_t { NotShared, Counting, Counted };

/// Sites of a line that are looked up in the common table, after which they
/// stay uncounted: a line that a program comes back to rarely, among thousands
/// like it, would cost a lookup every time.
inline constexpr unsigned MaxMisses = 32;

/// A line of the program, in 64 bytes: the first two threads are kept inline,
/// more in a chain.
struct LineRecord {
  Use Inline[2];
  uint16_t Owner[2];
  uint8_t Atomics[2];
  /// Written, and touched by a second thread: sites are counted, until that has
  /// missed the cache MaxMisses times.
  Sharing Shared;
  uint8_t Misses;
  uint32_t Chain;
  uint32_t Padding;
};
static_assert(sizeof(LineRecord) == LineSize);

struct Spill {
  Use Bytes;
  uint32_t Next;
  uint16_t Owner;
  uint8_t Atomics;
};

/// How often one instruction of one thread touched one granule of a shared
/// line.
struct Detail {
  uint64_t Granule;
  uint64_t Count;
  uint32_t Site;
  uint16_t Thread;
  Kind Access;
  uint8_t Used;
};

struct Block {
  uint64_t Begin;
  uint64_t Size;
  uint32_t Stack;
};

/// A line of a block that was freed.
struct Retired {
  uint64_t Address;
  Block Freed;
  uint64_t Times;
  LineRecord Line;
};

struct Stack {
  uint32_t Depth;
  uint64_t Frames[StackDepth];
};

struct CacheEntry {
  uint64_t Granule;
  uint64_t Pc;
  Detail *Found;
  Kind Access;
};
inline constexpr unsigned CacheSize = 1024;

struct SpillEntry {
  LineRecord *Line;
  Spill *Found;
};

/// One thread of the program.
struct Thread {
  uint16_t Number;
  int KernelId;
  /// The shadow call stack, for allocations.
  uint32_t Depth;
  uint64_t Calls[256];
  CacheEntry Cache[CacheSize];
  SpillEntry Spills[256];
};

/// What is known of a thread after its end.
struct ThreadName {
  int KernelId;
  char Name[16];
};

/// What had to be left out.
struct Dropped {
  uint64_t Memory, Threads, Sites, Stacks, Spills, Details, Blocks, Retired;
};

struct State {
  /// Set at the start, and read by every thread at every access: no line of
  /// theirs may be written again and again.
  LineRecord **Roots;
  Spill *Spills;
  Detail *Details;
  Block *Blocks;
  Retired *RetiredLines;
  uint64_t *Sites;
  Stack *Stacks;
  ThreadName *Names;
  const char *File;
  int Live;
  int Ready;
  int Process;
  /// How much of the tables is used.
  alignas(LineSize) uint32_t SpillCount;
  uint32_t LeafCount, StackCount, RetiredCount, ThreadCount;
  uint32_t BlockCount, DetailCount;
  Dropped Lost;
  /// Which roots have leaves: the table is too large to be searched.
  uint32_t LeafRoots[MaxLeaves];
};
/// Hidden, because a detour through the GOT is a load more on every access.
extern State S __attribute__((visibility("hidden")));
extern __thread Thread *Self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/// A lock without libc: held for a few loads and stores. On a line of its own,
/// because each waits by writing.
class alignas(LineSize) SpinLock {
public:
  void lock();
  void unlock() { __atomic_store_n(&Held, 0, __ATOMIC_RELEASE); }

private:
  int Held = 0;
};

class Locked {
public:
  explicit Locked(SpinLock &Lock) : Lock(Lock) { Lock.lock(); }
  ~Locked() { Lock.unlock(); }
  Locked(const Locked &) = delete;
  Locked &operator=(const Locked &) = delete;

private:
  SpinLock &Lock;
};

/// Shadow.cpp
void *reserve(size_t Bytes);
void initialize();
LineRecord *findLine(uint64_t Address);
void recordRange(uint64_t Address, size_t Size, Kind Access, uint64_t Pc);
void recordSlow(LineRecord *Line, uint64_t Address, uint64_t Bits, Kind Access,
                uint64_t Pc);
uint32_t internSite(uint64_t Pc);
void lose(uint64_t &Counter);

/// Heap.cpp
uint32_t internStack(uint64_t Pc);

/// Threads.cpp
void initializeThreads();
Thread *adoptThread();

/// Write.cpp: once in a process. Whether it is done, and not being done by
/// another thread.
bool writeRecord();

inline constexpr unsigned LeafShift = 22;
inline constexpr unsigned RootBits = 47 - LeafShift;
inline constexpr uint64_t LinesPerLeaf = (uint64_t(1) << LeafShift) / LineSize;

inline LineRecord *lineIfThere(uint64_t Address) {
  if (Address >> 47)
    return nullptr;
  LineRecord *Leaf =
      __atomic_load_n(&S.Roots[Address >> LeafShift], __ATOMIC_ACQUIRE);
  return Leaf ? Leaf + (Address / LineSize) % LinesPerLeaf : nullptr;
}

/// \p Bits of one line.
inline __attribute__((always_inline)) void
recordBits(LineRecord *Line, uint16_t Me, uint64_t Address, uint64_t Bits,
           Kind Access, uint64_t Pc) {
  // Which of two threads came first to a line is random: as a branch it would
  // be mispredicted half of the time, and found out only when the shadow
  // arrives.
  unsigned Slot = Line->Owner[0] != Me;
  if (__builtin_expect(Line->Owner[Slot] != Me, 0))
    return recordSlow(Line, Address, Bits, Access, Pc);
  Use &Mine = Line->Inline[Slot];
  uint64_t &Known = isWrite(Access) ? Mine.WrittenBytes : Mine.ReadBytes;
  uint32_t Site = isWrite(Access) ? Mine.WriteSite : Mine.ReadSite;
  if (__builtin_expect(
          Line->Shared == Counting || (isAtomic(Access) && !(Known & Bits)), 0))
    return recordSlow(Line, Address, Bits, Access, Pc);
  if ((Known & Bits) == Bits)
    return;
  // More bytes of a kind that was seen before: the line is as shared as it was.
  if (Site)
    __atomic_store_n(&Known, Known | Bits, __ATOMIC_RELAXED);
  else
    recordSlow(Line, Address, Bits, Access, Pc);
}

/// One access within a line of up to 16 bytes; the path that must be short.
inline __attribute__((always_inline)) void
recordAccess(uint64_t Address, unsigned Size, Kind Access, uint64_t Pc) {
  if (__builtin_expect(__atomic_load_n(&S.Live, __ATOMIC_RELAXED) < 2, 0))
    return;
  uint64_t Offset = Address % LineSize;
  LineRecord *Line = lineIfThere(Address);
  const Thread *T = Self;
  // One by one: joined with ||, the compiler computes all of them.
  if (__builtin_expect(!Line, 0))
    return recordRange(Address, Size, Access, Pc);
  if (__builtin_expect(!T, 0))
    return recordRange(Address, Size, Access, Pc);
  if (Size > 1 && __builtin_expect(Offset > LineSize - Size, 0))
    return recordRange(Address, Size, Access, Pc);
  uint64_t Bits = ((uint64_t(1) << Size) - 1) << Offset;
  recordBits(Line, T->Number, Address, Bits, Access, Pc);
}

} // namespace linesman::record

#endif // LINESMAN_LIB_RECORD_RECORD_H
