// strings THREADS COPIES: threads make and drop empty strings, each its own;
// prints copies per second per thread.

#include "../threads.h"
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

/// What strings share until one of them is changed.
struct Shared {
  std::atomic<int> Users{1};
  int Size = 0;
};

/// Every empty string has it.
Shared Empty;

class String {
public:
  String() : Text(&Empty) {
    Text->Users.fetch_add(1, std::memory_order_relaxed);
  }
  String(const String &Other) : Text(Other.Text) {
    Text->Users.fetch_add(1, std::memory_order_relaxed);
  }
  String &operator=(const String &) = delete;
  ~String() {
    if (Text->Users.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete Text;
  }
  int size() const { return Text->Size; }

private:
  Shared *Text;
};

} // namespace

static void copyStrings(unsigned Thread, Start &Together, Slices &Own) {
  pinThread(Thread);
  Together.await();
  uint64_t Sizes = 0;
  String First;
  for (uint64_t I = 0; Own.goesOn(I); ++I) {
    String Copy(First);
    Sizes += Copy.size();
    asm volatile("" ::: "memory"); // another copy
  }
  if (Sizes)
    std::abort();
}

int main(int Argc, char **Argv) {
  unsigned Threads = Argc == 3 ? std::atoi(Argv[1]) : 0;
  if (Threads < 1) {
    std::fprintf(stderr, "usage: strings THREADS COPIES\n");
    return 2;
  }
  uint64_t Copies = std::strtoull(Argv[2], nullptr, 10);
  std::vector<Slices> Work(Threads, Slices(Copies));
  Start Together(Threads);
  std::vector<std::thread> Pool;
  for (unsigned T = 0; T != Threads; ++T)
    Pool.emplace_back(copyStrings, T, std::ref(Together), std::ref(Work[T]));
  for (unsigned T = 0; T != Threads; ++T)
    Pool[T].join();
  double Sum = 0;
  for (double Rate : ratesTogether(Work))
    Sum += Rate;
  std::printf("%.0f\n", Sum / Threads);
}
