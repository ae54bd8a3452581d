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

static void produce(uint32_t Items, Start &Together, double &Seconds) {
  pinThread(0);
  Together.await();
  double Begin = threadSeconds();
  for (uint32_t I = 0; I != Items;)
    I += Jobs.put(I);
  Seconds = threadSeconds() - Begin;
}

static void consume(uint32_t Items, Start &Together, double &Seconds) {
  pinThread(1);
  Together.await();
  double Begin = threadSeconds();
  uint32_t Item, Next = 0;
  while (Next != Items)
    if (Jobs.take(Item) && Item != Next++)
      std::abort();
  Seconds = threadSeconds() - Begin;
}

int main(int Argc, char **Argv) {
  if (Argc != 2) {
    std::fprintf(stderr, "usage: queue ITEMS\n");
    return 2;
  }
  uint32_t Items = std::strtoul(Argv[1], nullptr, 10);
  double In = 0, Out = 0;
  Start Together(2);
  std::thread Producer(produce, Items, std::ref(Together), std::ref(In));
  std::thread Consumer(consume, Items, std::ref(Together), std::ref(Out));
  Producer.join();
  Consumer.join();
  std::printf("%.0f\n", Items / std::max(In, Out));
}
