#include <pthread.h>
#define ALONE __attribute__((aligned(64)))
ALONE pthread_mutex_t lock;
ALONE int is_first = 1;
ALONE int is_wanted = 1;
ALONE int is_running = 1;
ALONE volatile long filled[8];
ALONE volatile long refilled[8];
ALONE volatile long turns;
int next(void);
long fill(long n) {
  pthread_mutex_lock(&lock);
  if (is_first) {
    for (int i = 0; i != 8; ++i)
      filled[i] = i * n;
    is_first = 0;
  }
  pthread_mutex_unlock(&lock);
  return filled[n];
}
long refill(long n) {
  pthread_mutex_lock(&lock);
  if (is_wanted) {
    for (int i = 0; i != 8; ++i)
      refilled[i] = i * n;
    is_wanted = 0;
  }
  pthread_mutex_unlock(&lock);
  return refilled[n];
}
void want(void) {
  pthread_mutex_lock(&lock);
  is_wanted = 1;
  pthread_mutex_unlock(&lock);
}
void run(void) {
  while (__atomic_load_n(&is_running, __ATOMIC_ACQUIRE)) {
    __atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED);
    if (next())
      __atomic_store_n(&is_running, 0, __ATOMIC_RELEASE);
  }
}
