// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shadow of the program's lines, and the slow path of an access.

#include "Record.h"
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

namespace linesman::record {

State S;
__thread Thread *Self;

void SpinLock::lock() {
  while (__atomic_exchange_n(&Held, 1, __ATOMIC_ACQUIRE))
    // Waits by reading: a write would take the line from who holds the lock.
    for (unsigned Tries = 1; __atomic_load_n(&Held, __ATOMIC_RELAXED); ++Tries)
      if (Tries % 64 == 0)
        sched_yield();
}

void lose(uint64_t &Counter) {
  __atomic_fetch_add(&Counter, 1, __ATOMIC_RELAXED);
}

void *reserve(size_t Bytes) {
  void *Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return Memory == MAP_FAILED ? nullptr : Memory;
}

static SpinLock LeafLock, DetailLock;

template <class T> static void reserveTable(T *&Table, size_t Count) {
  Table = static_cast<T *>(reserve(Count * sizeof(T)));
  // Without its tables the runtime stays silent, and the report is missing.
  if (!Table)
    _exit(71);
}

void initialize() {
  if (S.Ready)
    return;
  S.Ready = 1;
  int Saved = errno;
  reserveTable(S.Roots, size_t(1) << RootBits);
  reserveTable(S.Spills, MaxSpill);
  reserveTable(S.Details, MaxDetails);
  reserveTable(S.Blocks, MaxBlocks);
  reserveTable(S.RetiredLines, MaxRetired);
  reserveTable(S.Sites, MaxSites);
  reserveTable(S.Stacks, MaxStacks);
  reserveTable(S.Names, MaxThreads + 2);
  S.Process = getpid();
  S.File = getenv("LINESMAN_RECORD_FILE");
  S.Live = 1;
  initializeThreads();
  errno = Saved;
}

LineRecord *findLine(uint64_t Address) {
  if (Address >> 47)
    return nullptr;
  if (LineRecord *Line = lineIfThere(Address))
    return Line;
  Locked Hold(LeafLock);
  LineRecord **Root = &S.Roots[Address >> LeafShift];
  if (!*Root) {
    if (S.LeafCount == MaxLeaves) {
      lose(S.Lost.Memory);
      return nullptr;
    }
    // Random accesses miss the TLB twice, for the program's page and for ours;
    // huge pages take the second miss away.
    constexpr size_t LeafBytes = LinesPerLeaf * sizeof(LineRecord);
    constexpr uintptr_t HugePage = uintptr_t(2) << 20;
    auto Memory = reinterpret_cast<uintptr_t>(reserve(LeafBytes + HugePage));
    Memory = Memory ? (Memory + HugePage - 1) & ~(HugePage - 1) : 0;
    auto *Leaf = reinterpret_cast<LineRecord *>(Memory);
    if (Leaf)
      madvise(Leaf, LeafBytes, MADV_HUGEPAGE);
    if (!Leaf) {
      lose(S.Lost.Memory);
      return nullptr;
    }
    S.LeafRoots[S.LeafCount++] = static_cast<uint32_t>(Address >> LeafShift);
    __atomic_store_n(Root, Leaf, __ATOMIC_RELEASE);
  }
  return lineIfThere(Address);
}

uint32_t internSite(uint64_t Pc) {
  uint32_t Slot = (Pc * 0x9E3779B97F4A7C15) >> 48;
  for (unsigned Probe = 0; Probe != 64; ++Probe, Slot = (Slot + 1) % MaxSites) {
    if (Slot == 0)
      continue;
    uint64_t Old = __atomic_load_n(&S.Sites[Slot], __ATOMIC_RELAXED);
    if (Old == Pc)
      return Slot;
    if (Old == 0) {
      if (__atomic_compare_exchange_n(&S.Sites[Slot], &Old, Pc, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
          Old == Pc)
        return Slot;
    }
  }
  lose(S.Lost.Sites);
  return 0;
}

/// My entry for \p Line, made if there is none.
static Use *claimUse(LineRecord *Line, uint8_t *&Atomics) {
  uint16_t Me = Self->Number;
  for (unsigned Slot = 0; Slot != 2; ++Slot) {
    uint16_t Owner = __atomic_load_n(&Line->Owner[Slot], __ATOMIC_ACQUIRE);
    if (Owner == 0 &&
        __atomic_compare_exchange_n(&Line->Owner[Slot], &Owner, Me, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      Owner = Me;
    if (Owner == Me) {
      Atomics = &Line->Atomics[Slot];
      return &Line->Inline[Slot];
    }
  }
  SpillEntry &Entry = Self->Spills[(uintptr_t(Line) / LineSize) % 256];
  if (Entry.Line != Line || Entry.Found->Owner != Me) {
    Spill *Found = nullptr;
    uint32_t Head = __atomic_load_n(&Line->Chain, __ATOMIC_ACQUIRE);
    for (uint32_t I = Head; I && !Found; I = S.Spills[I].Next)
      if (S.Spills[I].Owner == Me)
        Found = &S.Spills[I];
    if (!Found) {
      uint32_t New = __atomic_add_fetch(&S.SpillCount, 1, __ATOMIC_RELAXED);
      if (New >= MaxSpill) {
        __atomic_store_n(&S.SpillCount, MaxSpill, __ATOMIC_RELAXED);
        lose(S.Lost.Spills);
        return nullptr;
      }
      Found = &S.Spills[New];
      Found->Owner = Me;
      do
        Found->Next = Head;
      while (!__atomic_compare_exchange_n(&Line->Chain, &Head, New, false,
                                          __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    }
    Entry = {Line, Found};
  }
  Atomics = &Entry.Found->Atomics;
  return &Entry.Found->Bytes;
}

/// Somebody writes, and somebody else is here.
static bool isShared(const LineRecord *Line) {
  if (!Line->Owner[1])
    return false;
  bool Written = Line->Inline[0].WrittenBytes || Line->Inline[1].WrittenBytes;
  for (uint32_t I = Line->Chain; I && !Written; I = S.Spills[I].Next)
    Written = S.Spills[I].Bytes.WrittenBytes != 0;
  return Written;
}

static Detail *findDetail(uint64_t Granule, uint32_t Site, Kind Access) {
  uint16_t Me = Self->Number;
  uint64_t Hash =
      (Granule * 31 + Site * 7 + Me * 3 + Access) * 0x9E3779B97F4A7C15;
  Locked Hold(DetailLock);
  for (unsigned Probe = 0; Probe != 64; ++Probe) {
    Detail &D = S.Details[((Hash >> 46) + Probe) % MaxDetails];
    if (!D.Used) {
      D = {Granule, 0, Site, Me, Access, 1};
      ++S.DetailCount;
      return &D;
    }
    if (D.Granule == Granule && D.Site == Site && D.Thread == Me &&
        D.Access == Access)
      return &D;
  }
  lose(S.Lost.Details);
  return nullptr;
}

static void countSite(LineRecord *Line, uint64_t Address, Kind Access,
                      uint64_t Pc) {
  uint64_t Granule = Address / GranuleSize;
  CacheEntry &Entry =
      Self->Cache[(Granule ^ Pc ^ (Pc >> 7) ^ Access) % CacheSize];
  if (Entry.Granule != Granule || Entry.Pc != Pc || Entry.Access != Access) {
    if (++Line->Misses >= MaxMisses)
      Line->Shared = Counted;
    Entry = {Granule, Pc, findDetail(Granule, internSite(Pc), Access), Access};
  }
  // The detail is this thread's own.
  if (Entry.Found)
    ++Entry.Found->Count;
}

void recordSlow(LineRecord *Line, uint64_t Address, uint64_t Bits, Kind Access,
                uint64_t Pc) {
  uint8_t *Atomics = nullptr;
  Use *Mine = claimUse(Line, Atomics);
  if (!Mine)
    return;
  uint64_t &Known = isWrite(Access) ? Mine->WrittenBytes : Mine->ReadBytes;
  if ((Known & Bits) != Bits) {
    uint32_t &Site = isWrite(Access) ? Mine->WriteSite : Mine->ReadSite;
    if (!Site)
      Site = internSite(Pc);
    __atomic_store_n(&Known, Known | Bits, __ATOMIC_RELAXED);
    if (!Line->Shared && isShared(Line))
      Line->Shared = Counting;
  }
  if (isAtomic(Access))
    *Atomics |= 1U << (Address % LineSize / GranuleSize);
  if (Line->Shared == Counting)
    countSite(Line, Address, Access, Pc);
}

void recordRange(uint64_t Address, size_t Size, Kind Access, uint64_t Pc) {
  if (__atomic_load_n(&S.Live, __ATOMIC_RELAXED) < 2 || Size == 0)
    return;
  if (!Self && !adoptThread())
    return;
  for (uint64_t Position = Address, End = Address + Size; Position < End;) {
    uint64_t Offset = Position % LineSize;
    uint64_t Part =
        LineSize - Offset < End - Position ? LineSize - Offset : End - Position;
    uint64_t Bits =
        Part == 64 ? ~uint64_t(0) : ((uint64_t(1) << Part) - 1) << Offset;
    if (LineRecord *Line = findLine(Position))
      recordBits(Line, Self->Number, Position, Bits, Access, Pc);
    Position += Part;
  }
}

} // namespace linesman::record
