// Two counters of two threads, which the linker puts side by side, and a
// variable that one of them writes and nobody reads. The first word of the
// command line says how often each counts.
#include <cstdlib>
#include <thread>

#ifdef APART
alignas(64) long requests;
alignas(64) long errors;
#else
long requests, errors;
#endif
#ifdef MORE
long added;
#endif
#ifdef WRITE_ONLY
static long last;
#endif

static void serve(int turns) {
  for (int i = 0; i != turns; ++i) {
    __atomic_fetch_add(&requests, 1, __ATOMIC_RELAXED);
#ifdef MORE
    __atomic_fetch_add(&added, 1, __ATOMIC_RELAXED);
#endif
  }
}

static void fail(int turns) {
  for (int i = 0; i != turns; ++i) {
    __atomic_fetch_add(&errors, 1, __ATOMIC_RELAXED);
#ifdef WRITE_ONLY
    last = i;
#endif
  }
}

int main(int argc, char **argv) {
  const int turns = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::thread a(serve, turns), b(fail, turns);
  a.join();
  b.join();
  return 0;
}
