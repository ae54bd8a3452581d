// Two counters of two threads, which the linker puts side by side, and a
// variable that one of them writes and nobody reads.
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
    __atomic_fetch_add(&requests, 1, __ATOMIC_RELAXED); // NOLINT(linesman-*): one thread's
#ifdef MORE
    __atomic_fetch_add(&added, 1, __ATOMIC_RELAXED);
#endif
  }
}

static void fail(int turns) {
  for (int i = 0; i != turns; ++i) {
    __atomic_fetch_add(&errors, 1, __ATOMIC_RELAXED); // NOLINT(linesman-*): one thread's
#ifdef WRITE_ONLY
    last = i;
#endif
  }
}

int main(int argc, char **) {
  std::thread a(serve, 1000 * argc), b(fail, 1000 * argc);
  a.join();
  b.join();
  return 0;
}
