/* What is behind a compare-exchange that failed. */
#include <pthread.h>
#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noipa))
#endif
_Alignas(64) long plain;
_Alignas(64) long merged;
_Alignas(64) long searched;
_Alignas(64) int lock;
_Alignas(64) volatile long waited;
_Alignas(64) int state;
_Alignas(64) volatile long missed;
_Alignas(64) volatile long behind;
/* Tried again and again, as fetch_or is made. */
__attribute__((noinline)) void merge(long bits) {
  long old = __atomic_load_n(&merged, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&merged, &old, old | bits, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    ;
}
/* Also goes round for something else. */
__attribute__((noinline)) void search(const long *numbers, long count) {
  for (long i = 0; i < count; ++i) {
    long old = numbers[i];
    __atomic_compare_exchange_n(&searched, &old, i, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  }
}
APART void wait_for(int *word) {
  waited++;
  while (__atomic_exchange_n(word, 2, __ATOMIC_ACQUIRE))
    ;
}
__attribute__((noinline)) void change(void) {
  int open = 0;
  if (!__atomic_compare_exchange_n(&lock, &open, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    wait_for(&lock);
  behind++;
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}
APART void miss(void) { missed++; }
/* No lock: nobody waits for that word. */
__attribute__((noinline)) void enter(void) {
  int idle = 0;
  if (!__atomic_compare_exchange_n(&state, &idle, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    miss();
  behind++;
}
static void *work(void *p) {
  __atomic_fetch_add(&plain, 1, __ATOMIC_RELAXED);
  merge((long)p);
  search(p, (long)p);
  change();
  enter();
  return 0;
}
int main(int argc, char **argv) {
  (void)argv;
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], 0, work, (void *)(long)argc);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  return 0;
}
