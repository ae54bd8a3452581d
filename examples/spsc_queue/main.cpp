// queue ITEMS: one thread puts numbers into a ring, another one takes them out;
// prints items per second of the slower side's processor time.

#include "../threads.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

/// Each side owns one index and reads the other one.
class Ring {
public:
  bool put(uint32_t Item) {
    uint32_t At = Tail.load(std::memory_order_relaxed);
    if (At - Head.load(std::memory_order_acquire) == Size)
      return false;
    Slots[At % Size] = Item;
    Tail.store(At + 1, std::memory_order_release);
    return true;
  }
  bool take(uint32_t &Item) {
    uint32_t At = Head.load(std::memory_order_relaxed);
    if (At == Tail.load(std::memory_order_acquire))
      return false;
    Item = Slots[At % Size];
    Head.store(At + 1, std::memory_order_release);
    return true;
  }

private:
  static constexpr uint32_t Size = 4096;
  std::atomic<uint32_t> Head{0};
  std::atomic<uint32_t> Tail{0};
  alignas(64) uint32_t Slots[Size];
};

} // namespace

static Ring Jobs;

static void produce(Start &Together, Slices &Own) {
  pinThread(0);
  Together.await();
  for (uint32_t I = 0; Own.goesOn(I);)
    I += Jobs.put(I);
}

static void consume(Start &Together, Slices &Own) {
  pinThread(1);
  Together.await();
  uint32_t Item, Next = 0;
  while (Own.goesOn(Next))
    if (Jobs.take(Item) && Item != Next++)
      std::abort();
}

int main(int Argc, char **Argv) {
  if (Argc != 2) {
    std::fprintf(stderr, "usage: queue ITEMS\n");
    return 2;
  }
  uint32_t Items = std::strtoul(Argv[1], nullptr, 10);
  std::vector<Slices> Work(2, Slices(Items));
  Start Together(2);
  std::thread Producer(produce, std::ref(Together), std::ref(Work[0]));
  std::thread Consumer(consume, std::ref(Together), std::ref(Work[1]));
  Producer.join();
  Consumer.join();
  std::vector<double> Rates = ratesTogether(Work);
  std::printf("%.0f\n", std::min(Rates[0], Rates[1]));
}
