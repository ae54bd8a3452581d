#include <pthread.h>
_Alignas(64) long Array[8];
_Alignas(64) void *Class;
static void *work(void *p) {
  __atomic_fetch_add(&Array[1], 1, __ATOMIC_RELAXED);
  __atomic_store_n(&Class, p, __ATOMIC_RELAXED);
  return p;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i != 2; ++i)
    pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i != 2; ++i)
    pthread_join(threads[i], 0);
}
