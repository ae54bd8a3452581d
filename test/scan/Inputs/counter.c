// Two threads on one counter: in every program that has this file.
#include <pthread.h>

unsigned long requests;
unsigned long limit;

void *serve(void *Unused) {
  while (__atomic_load_n(&requests, __ATOMIC_RELAXED) < limit)
    __atomic_fetch_add(&requests, 1, __ATOMIC_RELAXED);
  return Unused;
}

int main(int Count, char **Words) {
  (void)Words;
  pthread_t Threads[2];
  limit = Count * 1000000ul;
  for (int I = 0; I < 2; ++I)
    pthread_create(&Threads[I], 0, serve, 0);
  for (int I = 0; I < 2; ++I)
    pthread_join(Threads[I], 0);
  return NAME;
}
