// A library that counts, and with DRIVER a program that has it count on two
// threads.
void tally(long Kind);

#ifdef DRIVER
#include <pthread.h>
static void *run(void *Kind) {
  for (long I = 0; I != 50000000; ++I)
    tally((long)Kind);
  return 0;
}
int main(void) {
  pthread_t Thread;
  pthread_create(&Thread, 0, run, (void *)1);
  run(0);
  pthread_join(Thread, 0);
}
#else
#include <stdatomic.h>
_Alignas(64) static atomic_long kinds[4];
static atomic_long total;
void tally(long Kind) {
  atomic_fetch_add_explicit(&total, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&kinds[Kind & 3], 1, memory_order_relaxed);
}
#endif
