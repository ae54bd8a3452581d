#include <pthread.h>
#include <stdbool.h>
#define ALONE __attribute__((aligned(64)))
ALONE pthread_mutex_t lock;
ALONE bool is_filled;
ALONE unsigned modes;
ALONE volatile long filled[8];
ALONE volatile long changed[8];
long fill(long n) {
  pthread_mutex_lock(&lock);
  if (!is_filled) {
    for (int i = 0; i != 8; ++i)
      filled[i] += i * n;
    is_filled = true;
  }
  pthread_mutex_unlock(&lock);
  return filled[n];
}
long change(long n) {
  pthread_mutex_lock(&lock);
  if (!(modes & 4)) {
    for (int i = 0; i != 8; ++i)
      changed[i] += i * n;
    modes = 3;
  }
  pthread_mutex_unlock(&lock);
  return changed[n];
}
