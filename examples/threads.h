// What the examples measure with: processor time of a thread, threads on
// processors of their own, and a start at the same time. Two threads that do
// not run at once cannot fight over a line.

#ifndef EXAMPLES_THREADS_H
#define EXAMPLES_THREADS_H

#include <atomic>
#include <ctime>
#include <sched.h>

/// Other programs on the machine do not count.
inline double threadSeconds() {
  timespec Now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return Now.tv_sec + Now.tv_nsec * 1e-9;
}

/// On a processor of its own, as far as there are enough.
inline void pinThread(unsigned Thread) {
  cpu_set_t Allowed, One;
  if (sched_getaffinity(0, sizeof(Allowed), &Allowed) != 0)
    return;
  unsigned Skip = Thread % CPU_COUNT(&Allowed);
  for (int Cpu = 0; Cpu != CPU_SETSIZE; ++Cpu) {
    if (!CPU_ISSET(Cpu, &Allowed) || Skip--)
      continue;
    CPU_ZERO(&One);
    CPU_SET(Cpu, &One);
    sched_setaffinity(0, sizeof(One), &One);
    return;
  }
}

/// Lets nobody go on before all are there.
class Start {
public:
  explicit Start(unsigned Threads) : Missing(Threads) {}
  void await() {
    --Missing;
    while (Missing.load(std::memory_order_relaxed) != 0)
      ;
  }

private:
  alignas(64) std::atomic<unsigned> Missing;
};

#endif // EXAMPLES_THREADS_H
