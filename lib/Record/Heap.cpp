// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heap blocks with the stacks that allocated them. A freed block takes its
// lines with it: the next owner of the memory shares nothing with the last one.
// Lines that were shared are kept, one for each place in the code and offset.
//
// The real allocator is called by glibc's own names, because looking it up
// would allocate.

#include "Record.h"
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>

extern "C" {
void *__libc_malloc(size_t);
void __libc_free(void *);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
}

namespace linesman::record {

static __thread uint64_t NewCaller __attribute__((tls_model("initial-exec")));
static SpinLock BlockLock, StackLock, RetiredLock;

/// The calls that led to \p Pc, which is the innermost frame.
uint32_t internStack(uint64_t Pc) {
  Stack Key = {};
  Key.Frames[Key.Depth++] = Pc;
  if (Self)
    for (uint32_t I = Self->Depth < 256 ? Self->Depth : 256;
         I != 0 && Key.Depth != StackDepth;)
      Key.Frames[Key.Depth++] = Self->Calls[--I];
  uint64_t Hash = Key.Depth;
  for (uint64_t Frame : Key.Frames)
    Hash = (Hash ^ Frame) * 0x9E3779B97F4A7C15;
  auto IsEqual = [&](const Stack &Other) {
    if (Other.Depth != Key.Depth)
      return false;
    for (unsigned I = 0; I != Key.Depth; ++I)
      if (Other.Frames[I] != Key.Frames[I])
        return false;
    return true;
  };
  Locked Hold(StackLock);
  for (unsigned Probe = 0; Probe != 64; ++Probe) {
    uint32_t Slot = ((Hash >> 49) + Probe) % MaxStacks;
    if (Slot == 0)
      continue;
    if (S.Stacks[Slot].Depth == 0) {
      S.Stacks[Slot] = Key;
      ++S.StackCount;
      return Slot;
    }
    if (IsEqual(S.Stacks[Slot]))
      return Slot;
  }
  lose(S.Lost.Stacks);
  return 0;
}

// Open addressing with tombstones (Size 0, Begin kept non-zero).
static uint32_t blockSlot(uint64_t Begin) {
  return ((Begin >> 4) * 0x9E3779B97F4A7C15) >> 44;
}
static constexpr unsigned MaxProbe = 64;

static void addBlock(void *Memory, size_t Size, uint64_t Pc) {
  if (!Memory || !S.Ready)
    return;
  auto Begin = reinterpret_cast<uint64_t>(Memory);
  uint32_t Stack = internStack(NewCaller ? NewCaller : Pc);
  Locked Hold(BlockLock);
  for (unsigned Probe = 0; Probe != MaxProbe; ++Probe) {
    Block &B = S.Blocks[(blockSlot(Begin) + Probe) % MaxBlocks];
    if (B.Size == 0) {
      B = {Begin, Size ? Size : 1, Stack};
      ++S.BlockCount;
      return;
    }
  }
  lose(S.Lost.Blocks);
}

static bool takeBlock(uint64_t Begin, Block &Result) {
  Locked Hold(BlockLock);
  for (unsigned Probe = 0; Probe != MaxProbe; ++Probe) {
    Block &B = S.Blocks[(blockSlot(Begin) + Probe) % MaxBlocks];
    if (B.Begin == 0)
      return false;
    if (B.Begin == Begin && B.Size != 0) {
      Result = B;
      B.Size = 0;
      return true;
    }
  }
  return false;
}

static void retire(const LineRecord *Line, uint64_t Address,
                   const Block &Freed) {
  uint64_t Offset = Address - Freed.Begin;
  uint64_t Hash = (Offset * 31 + Freed.Stack) * 0x9E3779B97F4A7C15;
  Locked Hold(RetiredLock);
  for (unsigned Probe = 0; Probe != MaxProbe; ++Probe) {
    Retired &R = S.RetiredLines[((Hash >> 50) + Probe) % MaxRetired];
    if (R.Times == 0) {
      R = {Address, Freed, 1, *Line};
      ++S.RetiredCount;
      return;
    }
    if (R.Freed.Stack == Freed.Stack && R.Address - R.Freed.Begin == Offset) {
      ++R.Times;
      return;
    }
  }
  lose(S.Lost.Retired);
}

/// Forgets the bytes of a block; keeps what was shared.
static void forgetBlock(const Block &B) {
  uint64_t End = B.Begin + B.Size;
  for (uint64_t Position = B.Begin & ~uint64_t(LineSize - 1); Position < End;
       Position += LineSize) {
    LineRecord *Line = lineIfThere(Position);
    if (!Line || !Line->Owner[0])
      continue;
    if (Line->Shared)
      retire(Line, Position, B);
    if (Position >= B.Begin && Position + LineSize <= End) {
      *Line = {};
      continue;
    }
    uint64_t First = Position < B.Begin ? B.Begin - Position : 0;
    uint64_t Last = Position + LineSize > End ? End - Position : LineSize;
    uint64_t Bits = Last - First == 64
                        ? ~uint64_t(0)
                        : ((uint64_t(1) << (Last - First)) - 1) << First;
    for (Use &U : Line->Inline) {
      U.ReadBytes &= ~Bits;
      U.WrittenBytes &= ~Bits;
    }
    for (uint32_t I = Line->Chain; I; I = S.Spills[I].Next) {
      S.Spills[I].Bytes.ReadBytes &= ~Bits;
      S.Spills[I].Bytes.WrittenBytes &= ~Bits;
    }
  }
}

static void freeBlock(void *Memory) {
  Block B;
  int Saved = errno;
  if (Memory && S.Ready && takeBlock(reinterpret_cast<uint64_t>(Memory), B))
    forgetBlock(B);
  errno = Saved;
}

} // namespace linesman::record

using namespace linesman::record;

#define CALLER reinterpret_cast<uint64_t>(__builtin_return_address(0))

// operator new calls malloc from the C++ runtime, which would be the place of
// every allocation; the caller is noted first. The real operators do the rest,
// because a failure must throw.
using NewFunction = void *(*)(size_t);
using AlignedNewFunction = void *(*)(size_t, size_t);

static void *callNew(const char *Name, NewFunction &Real, size_t Size,
                     uint64_t Pc) {
  if (!Real)
    Real = reinterpret_cast<NewFunction>(dlsym(RTLD_NEXT, Name));
  NewCaller = Pc;
  void *Memory = Real(Size);
  NewCaller = 0;
  return Memory;
}

static void *callNew(const char *Name, AlignedNewFunction &Real, size_t Size,
                     size_t Alignment, uint64_t Pc) {
  if (!Real)
    Real = reinterpret_cast<AlignedNewFunction>(dlsym(RTLD_NEXT, Name));
  NewCaller = Pc;
  void *Memory = Real(Size, Alignment);
  NewCaller = 0;
  return Memory;
}

extern "C" {

void *_Znwm(size_t Size) {
  static NewFunction Real;
  return callNew("_Znwm", Real, Size, CALLER);
}

void *_Znam(size_t Size) {
  static NewFunction Real;
  return callNew("_Znam", Real, Size, CALLER);
}

void *_ZnwmSt11align_val_t(size_t Size, size_t Alignment) {
  static AlignedNewFunction Real;
  return callNew("_ZnwmSt11align_val_t", Real, Size, Alignment, CALLER);
}

void *_ZnamSt11align_val_t(size_t Size, size_t Alignment) {
  static AlignedNewFunction Real;
  return callNew("_ZnamSt11align_val_t", Real, Size, Alignment, CALLER);
}

void *malloc(size_t Size) {
  void *Memory = __libc_malloc(Size);
  addBlock(Memory, Size, CALLER);
  return Memory;
}

void free(void *Memory) {
  freeBlock(Memory);
  __libc_free(Memory);
}

void *calloc(size_t Count, size_t Size) {
  void *Memory = __libc_calloc(Count, Size);
  addBlock(Memory, Count * Size, CALLER);
  return Memory;
}

void *realloc(void *Old, size_t Size) {
  freeBlock(Old);
  void *Memory = __libc_realloc(Old, Size);
  addBlock(Memory, Size, CALLER);
  return Memory;
}

void *memalign(size_t Alignment, size_t Size) {
  void *Memory = __libc_memalign(Alignment, Size);
  addBlock(Memory, Size, CALLER);
  return Memory;
}

void *aligned_alloc(size_t Alignment, size_t Size) {
  void *Memory = __libc_memalign(Alignment, Size);
  addBlock(Memory, Size, CALLER);
  return Memory;
}

int posix_memalign(void **Result, size_t Alignment, size_t Size) {
  if (Alignment % sizeof(void *) || (Alignment & (Alignment - 1)))
    return EINVAL;
  int Saved = errno;
  void *Memory = __libc_memalign(Alignment, Size);
  errno = Saved;
  if (!Memory)
    return ENOMEM;
  addBlock(Memory, Size, CALLER);
  *Result = Memory;
  return 0;
}

} // extern "C"
