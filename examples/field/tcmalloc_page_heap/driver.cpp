// gperftools: a thread that only frees what others have allocated, beside one
// that takes and gives back large blocks. pair.h keeps what it measures in
// vectors, and a thread that has allocated once is another one for tcmalloc, so
// this has a measure of its own: batches of the first thread, each counted when
// the other one got on with its work in both halves of it.
//
//   free              12.3 ns
//   large             45.6 ns

#include "../../threads.h"
#include <cstdlib>
#include <thread>

namespace {

constexpr size_t Objects = 1000000, Half = 500, MostBatches = 1 << 20;
constexpr size_t Small = 16, Large = 512 << 10;

struct Side {
  alignas(128) std::atomic<uint64_t> Done{0};
  double *Batches;
  size_t Counted = 0;

  explicit Side(double *Memory) : Batches(Memory) {}
  void add(double Seconds) {
    if (Counted != MostBatches)
      Batches[Counted++] = Seconds;
  }
  double median() const {
    std::nth_element(Batches, Batches + Counted / 2, Batches + Counted);
    return Batches[Counted / 2];
  }
};

/// Runs a batch of \p Operate, and keeps its time if the other side was at
/// work.
template <typename Operation>
void runBatch(Operation Operate, Side &Own, const Side &Other) {
  uint64_t Before = Other.Done.load(std::memory_order_relaxed);
  double Begin = threadSeconds();
  for (size_t I = 0; I != Half; ++I)
    Operate();
  uint64_t Middle = Other.Done.load(std::memory_order_relaxed);
  for (size_t I = 0; I != Half; ++I)
    Operate();
  uint64_t After = Other.Done.load(std::memory_order_relaxed);
  double Seconds = threadSeconds() - Begin;
  Own.Done.fetch_add(1, std::memory_order_relaxed);
  if (Before != Middle && Middle != After)
    Own.add(Seconds / (2 * Half));
}

enum Turn { Fill, Free, End };

} // namespace

int main(int Count, char **Arguments) {
  double Seconds = Count > 1 ? std::atof(Arguments[1]) : 0.5;
  auto *Supply = static_cast<void **>(std::malloc(Objects * sizeof(void *)));
  auto Memory = [] {
    return static_cast<double *>(std::calloc(MostBatches, sizeof(double)));
  };
  static Side Frees(Memory()), Larges(Memory());
  alignas(128) static std::atomic<int> Now{Fill};
  std::thread Consumer([&] {
    pinThread(0);
    for (int Turn; (Turn = Now.load()) != End;) {
      if (Turn == Fill)
        continue;
      for (void **Next = Supply; Next + 2 * Half <= Supply + Objects;)
        runBatch([&] { std::free(*Next++); }, Frees, Larges);
      Now = Fill;
    }
  });
  pinThread(1);
  auto TakeLarge = [] {
    void *Block = std::malloc(Large);
    asm volatile("" : : "g"(Block) : "memory");
    std::free(Block);
  };
  // What tcmalloc takes from the system is there from the first turns on.
  timespec Begin, Current;
  clock_gettime(CLOCK_MONOTONIC, &Begin);
  auto Passed = [&] {
    clock_gettime(CLOCK_MONOTONIC, &Current);
    return Current.tv_sec - Begin.tv_sec +
           (Current.tv_nsec - Begin.tv_nsec) * 1e-9;
  };
  // Up to 20 times as long where the machine is so busy that too few count.
  while (Passed() < Seconds ||
         (Frees.Counted < 200 && Passed() < 20 * Seconds)) {
    for (size_t I = 0; I != Objects; ++I)
      Supply[I] = std::malloc(Small);
    Now = Free;
    while (Now.load(std::memory_order_relaxed) == Free)
      runBatch(
          [&] {
            TakeLarge();
            Larges.Done.fetch_add(1, std::memory_order_relaxed);
          },
          Larges, Frees);
  }
  Now = End;
  Consumer.join();
  if (Frees.Counted < 20 || Larges.Counted < 5) {
    std::fprintf(stderr, "the machine is too busy: %zu and %zu batches\n",
                 Frees.Counted, Larges.Counted);
    return 1;
  }
  std::printf("free  %18.2f ns\nlarge %18.2f ns\n", Frees.median() * 1e9,
              Larges.median() * 1e9);
}
