// price SECONDS TURNS STRIDE DEPENDS: two threads, pinned, that add to a word
// each, STRIDE bytes apart, and multiply TURNS times between two additions.
// With DEPENDS the multiplications need what the addition returned, so the
// thread waits for the line; without, the processor goes on. Prints additions a
// second of processor time for each thread.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sched.h>
#include <thread>

alignas(128) static char Words[128];

static double threadSeconds() {
  timespec Now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return Now.tv_sec + Now.tv_nsec * 1e-9;
}

static double add(int Thread, double Seconds, unsigned Turns, unsigned Stride,
                  bool Depends) {
  cpu_set_t One;
  CPU_ZERO(&One);
  CPU_SET(Thread, &One);
  sched_setaffinity(0, sizeof One, &One);
  auto &Own =
      *reinterpret_cast<std::atomic<uint64_t> *>(Words + Thread * Stride);
  uint64_t Additions = 0, Value = Thread;
  double Begin = threadSeconds(), Spent = 0;
  do {
    for (unsigned I = 0; I != 1000; ++I, ++Additions) {
      uint64_t Old = Own.fetch_add(1, std::memory_order_relaxed);
      if (Depends)
        Value += Old;
      for (unsigned Turn = 0; Turn != Turns; ++Turn) {
        Value = Value * 6364136223846793005U + 1;
        asm volatile("" : "+r"(Value));
      }
    }
    Spent = threadSeconds() - Begin;
  } while (Spent < Seconds);
  return Additions / Spent;
}

int main(int Argc, char **Argv) {
  if (Argc != 5) {
    std::fprintf(stderr, "usage: price SECONDS TURNS STRIDE DEPENDS\n");
    return 2;
  }
  double Seconds = std::atof(Argv[1]), Rates[2];
  unsigned Turns = std::atoi(Argv[2]), Stride = std::atoi(Argv[3]);
  bool Depends = std::atoi(Argv[4]);
  std::thread Other(
      [&] { Rates[1] = add(1, Seconds, Turns, Stride, Depends); });
  Rates[0] = add(0, Seconds, Turns, Stride, Depends);
  Other.join();
  std::printf("%.0f\n", (Rates[0] + Rates[1]) / 2);
}
