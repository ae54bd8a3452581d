// Loops that are for interrupted calls, and one that is not.
#include <errno.h>
#include <pthread.h>
#include <unistd.h>
_Alignas(64) long plain;
_Alignas(64) long locked;
_Alignas(64) long read_again;
_Alignas(64) long polled;
int take(void *lock);
long ask(int, char *);
static void count(long *p) { __atomic_fetch_add(p, 1, __ATOMIC_RELAXED); }
__attribute__((noinline)) static void step(void *lock) {
  char byte;
  count(&plain);
  int failed;
  do {
    count(&locked);
    failed = take(lock);
  } while (failed == EINTR);
  long size;
  do {
    count(&read_again);
    size = ask(0, &byte);
  } while (size < 0 && errno == EINTR);
  do
    count(&polled);
  while (take(lock) != 4);
}
static void *work(void *lock) {
  for (;;)
    step(lock);
  return 0;
}
__attribute__((noinline)) int take(void *lock) { return *(volatile int *)lock; }
__attribute__((noinline)) long ask(int file, char *byte) {
  return read(file, byte, 1);
}
int main(void) {
  static int lock;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], 0, work, &lock);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], 0);
  return 0;
}
