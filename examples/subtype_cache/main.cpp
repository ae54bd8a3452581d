// Threads that handle requests: each casts an object of one class to two
// interfaces in turn, so that what one check writes down is never what the next
// one asks for.
//   subtype_cache THREADS CHECKS [WORD]
// Prints checks a second a thread of processor time. WORD (0 to 7) is where on
// its cache line the class's record begins; without it the heap decides.

#include "type_record.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <thread>
#include <vector>

using runtime::TypeRecord;

namespace {

constexpr std::size_t LineBytes = 64;

/// Where classes live: packed as tightly as pointers allow. So a record begins
/// at any of the eight words of a line, as the classes before it have it.
class Metaspace {
public:
  explicit Metaspace(std::size_t FirstWord)
      : Next(static_cast<char *>(std::aligned_alloc(LineBytes, Bytes)) +
             FirstWord * sizeof(void *)) {}

  TypeRecord *load(const char *Name,
                   std::span<const TypeRecord *const> Supers) {
    std::size_t Over =
        reinterpret_cast<std::uintptr_t>(Next) % alignof(TypeRecord);
    if (Over)
      Next += alignof(TypeRecord) - Over;
    void *Place = Next;
    Next += sizeof(TypeRecord);
    return new (Place) TypeRecord(Name, Supers);
  }

private:
  static constexpr std::size_t Bytes = 64 * LineBytes;
  char *Next;
};

double processorSeconds() {
  timespec Now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return Now.tv_sec + Now.tv_nsec / 1e9;
}

} // namespace

struct Request {
  const TypeRecord *Class;
  const TypeRecord *Readable, *Closeable;
};

namespace {

long handle(const Request &R) {
  return R.Class->isSubtypeOf(*R.Readable) + R.Class->isSubtypeOf(*R.Closeable);
}

[[gnu::noinline]] void work(const Request &R, long Checks, double &Rate) {
  double Begin = processorSeconds();
  long Found = 0;
  for (long I = 0; I < Checks; I += 2) {
    Found += handle(R);
    asm volatile("" ::: "memory"); // another request
  }
  if (Found < Checks)
    std::abort();
  Rate = Checks / (processorSeconds() - Begin);
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc < 3) {
    std::fprintf(stderr, "usage: %s THREADS CHECKS [WORD]\n", Argv[0]);
    return 2;
  }
  int Threads = std::atoi(Argv[1]);
  long Checks = std::atol(Argv[2]);
  std::size_t Word = Argc > 3 ? std::strtoul(Argv[3], nullptr, 10) % 8 : 0;

  Metaspace Interfaces(0), Classes(Word);
  const TypeRecord *Readable = Interfaces.load("Readable", {});
  const TypeRecord *Closeable = Interfaces.load("Closeable", {});
  const TypeRecord *const Supers[] = {Readable, Closeable};
  Request R{Classes.load("File", Supers), Readable, Closeable};

  std::vector<std::thread> Pool;
  std::vector<double> Rates(Threads);
  for (int I = 0; I != Threads; ++I)
    Pool.emplace_back([&, I] { work(R, Checks, Rates[I]); });
  for (std::thread &T : Pool)
    T.join();
  double Sum = 0;
  for (double Rate : Rates)
    Sum += Rate;
  std::printf("%.0f\n", Sum / Threads);
}
