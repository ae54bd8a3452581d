// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A database in small: shards write a back-reference that nobody reads into a
// global sentinel, at two places, and read the log level on the same line. With
// -DFIXED the shards test before they write. They pause now and then, which
// leaves the processors to who watches. Runs until its standard input closes;
// prints a line when all threads are at work.
//
//     shards [THREADS]

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

struct Node {
  Node *Back = nullptr;
  Node *Next = nullptr;
  long Key = 0;
};

// One line: the sentinel at its start, the log level behind it.
struct alignas(64) Globals {
  Node Nil;
  int LogLevel = 1;
};
Globals Shared;

static std::atomic<bool> Stop{false};

static inline void unlinkNode(Node *N, Node *Owner) {
#ifdef FIXED
  if (N == &Shared.Nil)
    return;
#endif
  *const_cast<Node *volatile *>(&N->Back) = Owner; // write site one
}

static inline void linkNode(Node *N, Node *Owner) {
#ifdef FIXED
  if (N == &Shared.Nil)
    return;
#endif
  *const_cast<Node *volatile *>(&N->Back) = Owner; // write site two
}

__attribute__((noinline)) static void query(Node *Own) {
  Node *Leaf = &Shared.Nil;
  asm volatile("" : "+r"(Leaf));
  unlinkNode(Leaf, Own);
  if (*const_cast<volatile int *>(&Shared.LogLevel) > 2) // read site
    std::puts("query");
  linkNode(Leaf, Own);
}

int main(int argc, char **argv) {
  unsigned Count = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<std::thread> Threads;
  std::atomic<unsigned> Working{0};
  for (unsigned I = 0; I != Count; ++I)
    Threads.emplace_back([I, &Working] {
      pthread_setname_np(pthread_self(),
                         ("shard-" + std::to_string(I)).c_str());
      Node Own;
      ++Working;
      while (!Stop.load(std::memory_order_relaxed)) {
        for (int Turn = 0; Turn != 1000; ++Turn)
          query(&Own);
        usleep(200);
      }
    });
  while (Working != Count)
    std::this_thread::yield();
  std::printf("ready %d\n", getpid());
  std::fflush(stdout);
  char Byte;
  while (read(0, &Byte, 1) > 0)
    ;
  Stop = true;
  for (std::thread &T : Threads)
    T.join();
}
