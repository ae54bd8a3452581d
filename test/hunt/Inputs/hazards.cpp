// hazards WORK: two threads that meet on a line, or do not.
//   SHARED   Limit, which both read, beside Hits, which both write
//   PRIVATE  each thread has its own
//   HEAP     both in an object on the heap
// TYPED gives each thread an object on the heap, too.
// PAGES, with SHARED, adds pages of other objects, and prints "ops N", which is
// less when the page of Hits is on another node than 0 and less when the two
// are on one line: simulated.
// With the two on one line, the program also touches many pages: a metric that
// says the same at every run, whatever else the machine does.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

static double processorSeconds() {
  timespec Now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return Now.tv_sec + Now.tv_nsec * 1e-9;
}

#if defined(HEAP)
struct Table {
#ifdef APART
  alignas(64) long Limit;
  alignas(64) long Hits;
#else
  long Limit;
  long Hits;
#endif
};
Table *table;
#define LIMIT table->Limit
#define HITS table->Hits
#elif defined(SHARED)
// Aligned, so that what follows begins a line.
alignas(64) char Prefix[64] = "x";
long Limit = 7;
long Hits = 1;
#ifdef PAGES
char Others[16 * 4096];
#endif
#define LIMIT Limit
#define HITS Hits
#else
thread_local long Limit = 7, Hits = 1;
#define LIMIT Limit
#define HITS Hits
#endif

struct Own {
  long Turns = 0;
};

static void work(int Thread, double Seconds) {
  (void)Thread;
#ifdef TYPED
  Own *volatile Kept = new Own;
  ++Kept->Turns;
#endif
  double Begin = processorSeconds();
  do
    for (int I = 0; I != 10000; ++I) {
      if (LIMIT > I)
        __atomic_fetch_add(&HITS, 1, __ATOMIC_RELAXED);
      asm volatile("" ::: "memory");
    }
  while (processorSeconds() - Begin < Seconds);
}

int main(int Argc, char **Argv) {
  double Seconds = Argc > 1 ? std::atof(Argv[1]) : 0.1;
#ifdef HEAP
  table = new Table{7, 1};
#endif
  std::thread Other(work, 1, Seconds);
  std::thread One(work, 0, Seconds);
  Other.join();
  One.join();
#ifndef PRIVATE
  bool IsOneLine = (uintptr_t(&LIMIT) ^ uintptr_t(&HITS)) < 64;
#ifdef PAGES
  void *Page = reinterpret_cast<void *>(uintptr_t(&HITS) & ~uintptr_t(4095));
  int Node = 0;
  syscall(SYS_move_pages, 0, 1, &Page, nullptr, &Node, 0);
  for (char &Byte : Others)
    Byte = 1;
  std::printf("ops %d\n",
              10000 - (Node > 0 ? 6000 : 0) - (IsOneLine ? 2000 : 0));
#endif
  if (IsOneLine) {
    size_t Bytes = size_t(8000) * 4096;
    char *Pages = static_cast<char *>(std::aligned_alloc(4096, Bytes));
    for (size_t I = 0; I != Bytes; I += 4096)
      static_cast<volatile char *>(Pages)[I] = 1;
  }
#endif
}
