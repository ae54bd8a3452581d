#include <pthread.h>
#include <stdio.h>
#define ALONE __attribute__((aligned(64)))
#define APART __attribute__((noinline))
#define ADD(WHAT) __atomic_fetch_add(&WHAT, 1, __ATOMIC_RELAXED)
ALONE long usual;
ALONE long not_locked;
ALONE long not_printed;
ALONE long not_flushed;
ALONE long not_got;
ALONE long not_equal;
ALONE long ended;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
volatile int source;

APART int next(int n) { return source + n; }
APART int take(void) {
  if (pthread_mutex_lock(&lock)) {
    ADD(not_locked);
    return -1;
  }
  ADD(usual);
  return pthread_mutex_unlock(&lock);
}
APART int print(const char *text) {
  if (puts(text) < 0) {
    ADD(not_printed);
    return next(1);
  }
  return next(2);
}
APART int flush(FILE *file) {
  if (fflush(file) == -1) {
    ADD(not_flushed);
    return next(2);
  }
  return fileno(file);
}
APART int try(void) {
  if (pthread_mutex_trylock(&lock)) {
    ADD(not_got);
    return -1;
  }
  return pthread_mutex_unlock(&lock);
}
APART int compare(int n) {
  if (next(n)) {
    ADD(not_equal);
    return next(3);
  }
  return next(4);
}
APART void loop(const char *text) {
  while (puts(text) >= 0)
    next(5);
  ADD(ended);
}
static void *work(void *p) {
  for (;;) {
    take();
    print(p);
    flush(stdout);
    try();
    compare(6);
    loop(p);
  }
  return p;
}
int main(void) {
  pthread_t threads[4];
  for (int i = 0; i != 4; ++i)
    pthread_create(&threads[i], 0, work, "text");
  pthread_join(threads[0], 0);
}
