// RUN: %check_tidy %s linesman-broken-isolation %t
#include "threads.h"
// An alignment that opens a group keeps the group away from what comes before.
struct FreeList {
  long pageSize;
  long shift;
  alignas(64) std::mutex pageLock;
  std::atomic<long> firstFree;
};
struct Tree {
  long *nodes;
  alignas(64) std::atomic<unsigned> bodies;
  std::atomic<unsigned> root;
  std::atomic<bool> isDirty;
};

// A pair is no group; neither are two locks.
struct Pair {
  long size;
  alignas(64) std::atomic<long> head;
  std::atomic<long> tail;
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'Pair::tail' (offset 72) is on the cache line that the alignment of 'Pair::head' (offset 64) was meant to reserve
};
struct Locks {
  long size;
  alignas(64) std::atomic_flag in;
  std::atomic_flag out;
  // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: 'Locks::out' (offset 65) is on the cache line that the alignment of 'Locks::in' (offset 64) was meant to reserve
};

// An array begins a part of its record like the words before it: that tells
// nothing of its elements.
struct Chunk {
  Chunk *next;
  alignas(64) int pull;
  alignas(64) std::atomic<char *> data[256];
};
// Each thread picks its own all the same; and an array by itself has nothing
// else that its alignment could be for.
thread_local int own;
struct Counts {
  alignas(64) long pull;
  alignas(64) std::atomic<long> data[16];
  // CHECK-MESSAGES: :[[@LINE-1]]:33: warning: the alignment of 'Counts::data' is the array's, not its elements'
  void count() { data[own]++; }
};
struct Words {
  Words *next;
  alignas(64) std::atomic<char *> data[256];
  // CHECK-MESSAGES: :[[@LINE-1]]:35: warning: the alignment of 'Words::data' is the array's, not its elements'
};
