// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A busy program whose work can be counted from outside: each line on its
// standard input is answered with the operations done so far. The threads read
// two words of one line in every operation, so there is much to hit for a
// watcher; they write to lines of their own, because the speed of a contended
// line depends on who happens to run at the same time.
//
//     busy [THREADS [KILOBYTES]]

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#include <vector>

struct alignas(64) Line {
  std::atomic<unsigned long> Words[8];
};
Line Settings;
static Line Counters[64];

static std::atomic<bool> Stop{false};

static void work(unsigned Index, const std::vector<unsigned> &Data) {
  unsigned Sum = 0;
  size_t At = Index * 12345;
  while (!Stop.load(std::memory_order_relaxed)) {
    for (unsigned I = 0; I != 16; ++I) {
      Sum += Data[At % Data.size()];
      At = At * 5 + 1;
    }
    asm volatile("" : : "r"(Sum));
    auto &Mine = Counters[Index % 64].Words[0];
    Mine.store(Mine.load(std::memory_order_relaxed) + 1 +
                   Settings.Words[0].load(std::memory_order_relaxed) +
                   Settings.Words[5].load(std::memory_order_relaxed),
               std::memory_order_relaxed);
  }
}

int main(int argc, char **argv) {
  unsigned Threads = argc > 1 ? std::atoi(argv[1]) : 2;
  size_t Kilobytes = argc > 2 ? std::atoi(argv[2]) : 16;
  std::vector<unsigned> Data(Kilobytes << 8, 1);
  std::vector<std::thread> Workers;
  for (unsigned I = 0; I != Threads; ++I)
    Workers.emplace_back(work, I, std::cref(Data));
  std::printf("ready %d\n", getpid());
  std::fflush(stdout);
  char Byte;
  while (read(0, &Byte, 1) > 0) {
    unsigned long Sum = 0;
    for (Line &Counter : Counters)
      Sum += Counter.Words[0].load(std::memory_order_relaxed);
    std::printf("%lu\n", Sum);
    std::fflush(stdout);
  }
  Stop = true;
  for (std::thread &T : Workers)
    T.join();
}
