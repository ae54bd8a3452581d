// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that -fsanitize=thread calls. Their names and types are the
// compilers' interface (compiler-rt's tsan_interface.h and
// tsan_interface_atomic.h; gcc calls the same ones).

#include "Record.h"
#include <dlfcn.h>
#include <string.h>

using namespace linesman::record;

#define CALLER reinterpret_cast<uint64_t>(__builtin_return_address(0))
#define ADDRESS(P)                                                             \
  reinterpret_cast<uint64_t>(                                                  \
      const_cast<const void *>(static_cast<const volatile void *>(P)))

#define PLAIN(Size)                                                            \
  void __tsan_read##Size(void *P) {                                            \
    recordAccess(ADDRESS(P), Size, Read, CALLER);                              \
  }                                                                            \
  void __tsan_write##Size(void *P) {                                           \
    recordAccess(ADDRESS(P), Size, Write, CALLER);                             \
  }                                                                            \
  void __tsan_read_write##Size(void *P) {                                      \
    recordAccess(ADDRESS(P), Size, Read, CALLER);                              \
    recordAccess(ADDRESS(P), Size, Write, CALLER);                             \
  }                                                                            \
  void __tsan_unaligned_read##Size(void *P) {                                  \
    recordAccess(ADDRESS(P), Size, Read, CALLER);                              \
  }                                                                            \
  void __tsan_unaligned_write##Size(void *P) {                                 \
    recordAccess(ADDRESS(P), Size, Write, CALLER);                             \
  }                                                                            \
  void __tsan_unaligned_read_write##Size(void *P) {                            \
    recordAccess(ADDRESS(P), Size, Read, CALLER);                              \
    recordAccess(ADDRESS(P), Size, Write, CALLER);                             \
  }                                                                            \
  void __tsan_volatile_read##Size(void *P) {                                   \
    recordAccess(ADDRESS(P), Size, Read, CALLER);                              \
  }                                                                            \
  void __tsan_volatile_write##Size(void *P) {                                  \
    recordAccess(ADDRESS(P), Size, Write, CALLER);                             \
  }                                                                            \
  void __tsan_unaligned_volatile_read##Size(void *P) {                         \
    recordAccess(ADDRESS(P), Size, Read, CALLER);                              \
  }                                                                            \
  void __tsan_unaligned_volatile_write##Size(void *P) {                        \
    recordAccess(ADDRESS(P), Size, Write, CALLER);                             \
  }

extern "C" {

// Some objects have their constructors run before ours.
void __tsan_init() { initialize(); }

void __tsan_func_entry(void *Caller) {
  if (Thread *T = Self) {
    if (T->Depth < 256)
      T->Calls[T->Depth] = reinterpret_cast<uint64_t>(Caller);
    ++T->Depth;
  }
}

void __tsan_func_exit() {
  if (Thread *T = Self)
    // A thread may be adopted in the middle of its calls.
    if (T->Depth != 0)
      --T->Depth;
}

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void __tsan_read_range(void *P, unsigned long Size) {
  recordRange(ADDRESS(P), Size, Read, CALLER);
}
void __tsan_write_range(void *P, unsigned long Size) {
  recordRange(ADDRESS(P), Size, Write, CALLER);
}
void __tsan_vptr_read(void **P) {
  recordAccess(ADDRESS(P), sizeof(void *), Read, CALLER);
}
void __tsan_vptr_update(void **P, void *Value) {
  // The constructors of bases and derived classes store the same pointer again
  // and again; the hardware invalidates the line all the same.
  (void)Value;
  recordAccess(ADDRESS(P), sizeof(void *), Write, CALLER);
}

void *__tsan_memcpy(void *Target, const void *Source, size_t Size) {
  recordRange(ADDRESS(Source), Size, Read, CALLER);
  recordRange(ADDRESS(Target), Size, Write, CALLER);
  return __builtin_memmove(Target, Source, Size);
}
void *__tsan_memmove(void *Target, const void *Source, size_t Size) {
  recordRange(ADDRESS(Source), Size, Read, CALLER);
  recordRange(ADDRESS(Target), Size, Write, CALLER);
  return __builtin_memmove(Target, Source, Size);
}
void *__tsan_memset(void *Target, int Value, size_t Size) {
  recordRange(ADDRESS(Target), Size, Write, CALLER);
  return __builtin_memset(Target, Value, Size);
}

// Annotations and scopes say nothing about who touches what.
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
void __tsan_acquire(void *) {}
void __tsan_release(void *) {}
void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// Memory orders are the compiler's numbers. A store keeps the relaxed order
// where it has one, because the strong one costs a locked instruction that the
// program does not have.
#define ATOMIC_FETCH(Bits, Type, Name, Operation)                              \
  Type __tsan_atomic##Bits##_fetch_##Name(volatile Type *P, Type V, int) {     \
    recordAccess(ADDRESS(P), sizeof(Type), AtomicWrite, CALLER);               \
    return Operation(P, V);                                                    \
  }

#define FETCH_ADD(P, V) __atomic_fetch_add(P, V, __ATOMIC_SEQ_CST)
#define FETCH_SUB(P, V) __atomic_fetch_sub(P, V, __ATOMIC_SEQ_CST)
#define FETCH_AND(P, V) __atomic_fetch_and(P, V, __ATOMIC_SEQ_CST)
#define FETCH_OR(P, V) __atomic_fetch_or(P, V, __ATOMIC_SEQ_CST)
#define FETCH_XOR(P, V) __atomic_fetch_xor(P, V, __ATOMIC_SEQ_CST)
#define FETCH_NAND(P, V) __atomic_fetch_nand(P, V, __ATOMIC_SEQ_CST)

#define ATOMIC(Bits, Type)                                                     \
  Type __tsan_atomic##Bits##_load(const volatile Type *P, int) {               \
    recordAccess(ADDRESS(P), sizeof(Type), AtomicRead, CALLER);                \
    return __atomic_load_n(P, __ATOMIC_SEQ_CST);                               \
  }                                                                            \
  void __tsan_atomic##Bits##_store(volatile Type *P, Type V, int Order) {      \
    recordAccess(ADDRESS(P), sizeof(Type), AtomicWrite, CALLER);               \
    if (Order == __ATOMIC_SEQ_CST)                                             \
      __atomic_store_n(P, V, __ATOMIC_SEQ_CST);                                \
    else                                                                       \
      __atomic_store_n(P, V, __ATOMIC_RELEASE);                                \
  }                                                                            \
  Type __tsan_atomic##Bits##_exchange(volatile Type *P, Type V, int) {         \
    recordAccess(ADDRESS(P), sizeof(Type), AtomicWrite, CALLER);               \
    return __atomic_exchange_n(P, V, __ATOMIC_SEQ_CST);                        \
  }                                                                            \
  ATOMIC_FETCH(Bits, Type, add, FETCH_ADD)                                     \
  ATOMIC_FETCH(Bits, Type, sub, FETCH_SUB)                                     \
  ATOMIC_FETCH(Bits, Type, and, FETCH_AND)                                     \
  ATOMIC_FETCH(Bits, Type, or, FETCH_OR)                                       \
  ATOMIC_FETCH(Bits, Type, xor, FETCH_XOR)                                     \
  ATOMIC_FETCH(Bits, Type, nand, FETCH_NAND)                                   \
  int __tsan_atomic##Bits##_compare_exchange_strong(                           \
      volatile Type *P, Type *Expected, Type V, int, int) {                    \
    recordAccess(ADDRESS(P), sizeof(Type), AtomicWrite, CALLER);               \
    return __atomic_compare_exchange_n(P, Expected, V, false,                  \
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
  }                                                                            \
  int __tsan_atomic##Bits##_compare_exchange_weak(                             \
      volatile Type *P, Type *Expected, Type V, int, int) {                    \
    recordAccess(ADDRESS(P), sizeof(Type), AtomicWrite, CALLER);               \
    return __atomic_compare_exchange_n(P, Expected, V, true, __ATOMIC_SEQ_CST, \
                                       __ATOMIC_SEQ_CST);                      \
  }                                                                            \
  Type __tsan_atomic##Bits##_compare_exchange_val(                             \
      volatile Type *P, Type Expected, Type V, int, int) {                     \
    recordAccess(ADDRESS(P), sizeof(Type), AtomicWrite, CALLER);               \
    __atomic_compare_exchange_n(P, &Expected, V, false, __ATOMIC_SEQ_CST,      \
                                __ATOMIC_SEQ_CST);                             \
    return Expected;                                                           \
  }

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

// 16 bytes need cmpxchg16b for everything (or casp), which __sync inlines.
using Wide = __int128;

#define WIDE_LOOP(P, Old, New)                                                 \
  Wide Old = *(P);                                                             \
  for (Wide Seen; (Seen = __sync_val_compare_and_swap(P, Old, New)) != Old;)   \
    Old = Seen;                                                                \
  return Old

Wide __tsan_atomic128_load(const volatile Wide *P, int) {
  recordAccess(ADDRESS(P), 16, AtomicRead, CALLER);
  return __sync_val_compare_and_swap(const_cast<volatile Wide *>(P), Wide(0),
                                     Wide(0));
}
static Wide exchangeWide(volatile Wide *P, Wide V) { WIDE_LOOP(P, Old, V); }
void __tsan_atomic128_store(volatile Wide *P, Wide V, int) {
  recordAccess(ADDRESS(P), 16, AtomicWrite, CALLER);
  exchangeWide(P, V);
}
Wide __tsan_atomic128_exchange(volatile Wide *P, Wide V, int) {
  recordAccess(ADDRESS(P), 16, AtomicWrite, CALLER);
  return exchangeWide(P, V);
}
#define WIDE_FETCH(Name, Expression)                                           \
  Wide __tsan_atomic128_fetch_##Name(volatile Wide *P, Wide V, int) {          \
    recordAccess(ADDRESS(P), 16, AtomicWrite, CALLER);                         \
    WIDE_LOOP(P, Old, Expression);                                             \
  }
WIDE_FETCH(add, Old + V)
WIDE_FETCH(sub, Old - V)
WIDE_FETCH(and, Old &V)
WIDE_FETCH(or, Old | V)
WIDE_FETCH(xor, Old ^ V)
WIDE_FETCH(nand, ~(Old &V))
Wide __tsan_atomic128_compare_exchange_val(volatile Wide *P, Wide Expected,
                                           Wide V, int, int) {
  recordAccess(ADDRESS(P), 16, AtomicWrite, CALLER);
  return __sync_val_compare_and_swap(P, Expected, V);
}
int __tsan_atomic128_compare_exchange_strong(volatile Wide *P, Wide *Expected,
                                             Wide V, int, int) {
  recordAccess(ADDRESS(P), 16, AtomicWrite, CALLER);
  Wide Seen = __sync_val_compare_and_swap(P, *Expected, V);
  bool Done = Seen == *Expected;
  *Expected = Seen;
  return Done;
}
int __tsan_atomic128_compare_exchange_weak(volatile Wide *P, Wide *Expected,
                                           Wide V, int, int) {
  recordAccess(ADDRESS(P), 16, AtomicWrite, CALLER);
  Wide Seen = __sync_val_compare_and_swap(P, *Expected, V);
  bool Done = Seen == *Expected;
  *Expected = Seen;
  return Done;
}

// gcc leaves block operations to libc, so these names are taken as well. Before
// the real ones are found, and in the middle of finding them, bytes are copied
// one by one.
using CopyFunction = void *(*)(void *, const void *, size_t);
using SetFunction = void *(*)(void *, int, size_t);

static CopyFunction realCopy(const char *Name, CopyFunction &Known) {
  if (!Known && S.Ready)
    Known = reinterpret_cast<CopyFunction>(dlsym(RTLD_NEXT, Name));
  return Known;
}

void *memmove(void *Target, const void *Source, size_t Size) {
  static CopyFunction Real;
  if (S.Live > 1) {
    recordRange(ADDRESS(Source), Size, Read, CALLER);
    recordRange(ADDRESS(Target), Size, Write, CALLER);
  }
  if (CopyFunction Copy = realCopy("memmove", Real))
    return Copy(Target, Source, Size);
  auto *Out = static_cast<volatile char *>(Target);
  auto *Bytes = static_cast<const volatile char *>(Source);
  if (Out < Bytes)
    for (size_t I = 0; I != Size; ++I)
      Out[I] = Bytes[I];
  else
    for (size_t I = Size; I != 0; --I)
      Out[I - 1] = Bytes[I - 1];
  return Target;
}

void *memcpy(void *Target, const void *Source, size_t Size) {
  static CopyFunction Real;
  if (S.Live > 1) {
    recordRange(ADDRESS(Source), Size, Read, CALLER);
    recordRange(ADDRESS(Target), Size, Write, CALLER);
  }
  if (CopyFunction Copy = realCopy("memcpy", Real))
    return Copy(Target, Source, Size);
  auto *Out = static_cast<volatile char *>(Target);
  auto *Bytes = static_cast<const volatile char *>(Source);
  for (size_t I = 0; I != Size; ++I)
    Out[I] = Bytes[I];
  return Target;
}

void *memset(void *Target, int Value, size_t Size) {
  static SetFunction Real;
  if (S.Live > 1)
    recordRange(ADDRESS(Target), Size, Write, CALLER);
  if (!Real && S.Ready)
    Real = reinterpret_cast<SetFunction>(dlsym(RTLD_NEXT, "memset"));
  if (Real)
    return Real(Target, Value, Size);
  auto *Out = static_cast<volatile char *>(Target);
  for (size_t I = 0; I != Size; ++I)
    Out[I] = static_cast<char>(Value);
  return Target;
}

} // extern "C"
