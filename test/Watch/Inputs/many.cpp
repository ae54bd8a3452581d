// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many threads that wait, and two that write one counter, with pauses that
// leave the processors to who watches, until the standard input closes: many
// [THREADS].

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <vector>

alignas(64) std::atomic<unsigned long> Counter;
alignas(64) static std::atomic<bool> Stop{false};

int main(int argc, char **argv) {
  unsigned Count = argc > 1 ? std::atoi(argv[1]) : 100;
  std::mutex Lock;
  std::condition_variable Ended;
  std::vector<std::thread> Threads;
  for (unsigned I = 0; I != Count; ++I)
    Threads.emplace_back([&, I] {
      if (I == Count / 3 || I == Count / 2)
        while (!Stop.load(std::memory_order_relaxed)) {
          for (int Turn = 0; Turn != 1000; ++Turn)
            Counter.fetch_add(1, std::memory_order_relaxed);
          usleep(200);
        }
      std::unique_lock<std::mutex> Hold(Lock);
      Ended.wait(Hold, [] { return Stop.load(); });
    });
  std::printf("ready %d\n", getpid());
  std::fflush(stdout);
  char Byte;
  while (read(0, &Byte, 1) > 0)
    ;
  {
    std::unique_lock<std::mutex> Hold(Lock);
    Stop = true;
  }
  Ended.notify_all();
  for (std::thread &T : Threads)
    T.join();
}
