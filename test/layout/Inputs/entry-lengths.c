// What the first unit of entry-lengths.S describes, and what the second does.
#include <pthread.h>

_Alignas(64) int Damaged[2];
_Alignas(64) int Whole[2];

__attribute__((noinline)) void *run(void *Unused) {
  for (int I = 0; I != 1000; ++I) {
    __atomic_fetch_add(&Damaged[1], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&Whole[1], 1, __ATOMIC_RELAXED);
  }
  return Unused;
}

int main(void) {
  pthread_t Threads[2];
  for (int I = 0; I != 2; ++I)
    pthread_create(&Threads[I], 0, run, 0);
  for (int I = 0; I != 2; ++I)
    pthread_join(Threads[I], 0);
  return Whole[0];
}
