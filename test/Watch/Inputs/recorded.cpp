// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One of everything that a record can say.

#include <atomic>
#include <cstdlib>
#include <pthread.h>

constexpr long Times = 10000;

alignas(64) volatile long Pair[2];
alignas(64) std::atomic<long> Both;
// Written before there are threads, read by all.
alignas(64) volatile long Startup;
// On neighbouring lines that begin at a multiple of 128.
struct alignas(128) Neighbours {
  volatile long Left[8], Right[8];
} Near;

static long *Kept, *Freed;
static pthread_barrier_t Barrier;

__attribute__((noinline)) static long *makeKept() {
  return static_cast<long *>(std::aligned_alloc(64, 64));
}
__attribute__((noinline)) static long *makeFreed() {
  return static_cast<long *>(std::aligned_alloc(64, 64));
}

static void *work(void *Argument) {
  long Index = reinterpret_cast<long>(Argument);
  volatile long *Mine = Kept + Index;
  volatile long *Neighbour = Index ? Near.Right : Near.Left;
  for (long I = 0; I != Times; ++I) {
    Pair[Index] = Pair[Index] + Startup;
    Both.fetch_add(1, std::memory_order_relaxed);
    *Mine = I;
    *Neighbour = I;
  }
  for (unsigned Round = 0; Round != 20; ++Round) {
    if (Index == 0)
      Freed = makeFreed();
    pthread_barrier_wait(&Barrier);
    volatile long *Part = Freed + Index;
    for (long I = 0; I != Times; ++I)
      *Part = I;
    pthread_barrier_wait(&Barrier);
    if (Index == 0)
      std::free(Freed);
  }
  return nullptr;
}

int main() {
  Startup = 1;
  Kept = makeKept();
  pthread_barrier_init(&Barrier, nullptr, 2);
  pthread_t Threads[2];
  for (long I = 0; I != 2; ++I)
    pthread_create(&Threads[I], nullptr, work, reinterpret_cast<void *>(I));
  for (pthread_t Thread : Threads)
    pthread_join(Thread, nullptr);
}
