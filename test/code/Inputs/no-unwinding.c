// Most of this program is what unwinding information does not cover: only main
// and what it starts have some, by an option of their file.
#include <pthread.h>

unsigned long counter;
void work(unsigned long *);

void *run(void *Unused) {
  for (int I = 0; I < 1000; ++I) {
    __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
    work(&counter);
  }
  return Unused;
}

int main(void) {
  pthread_t Threads[2];
  for (int I = 0; I < 2; ++I)
    pthread_create(&Threads[I], 0, run, 0);
  for (int I = 0; I < 2; ++I)
    pthread_join(Threads[I], 0);
  return 0;
}
