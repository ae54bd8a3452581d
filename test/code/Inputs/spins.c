/* What is done while a thread spins is done where another one is in the way. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#if defined(__x86_64__)
#define WAIT() __asm__ volatile("pause" ::: "memory")
#else
#define WAIT() __asm__ volatile("yield" ::: "memory")
#endif
_Alignas(64) volatile long plain;
_Alignas(64) volatile long waited;
_Alignas(64) volatile long gave_way;
_Alignas(64) volatile long worked;
_Alignas(64) volatile long behind;
_Alignas(64) volatile long read_again;
_Alignas(64) static int lock;
_Alignas(64) static int other;
_Alignas(64) static int third;
__attribute__((noinline)) void take(void) {
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {
    waited++;
    WAIT();
  }
}
__attribute__((noinline)) void take_other(void) {
  while (__atomic_exchange_n(&other, 1, __ATOMIC_ACQUIRE)) {
    gave_way++;
    sched_yield();
  }
}
/* Work is done in most turns: a loop like others. */
__attribute__((noinline)) void drain(long n) {
  for (long i = 0; i < n; i++) {
    if (i % 7)
      worked++;
    else
      WAIT();
  }
}
/* What follows is done as often as what is in front. */
__attribute__((noinline)) void change(void) {
  while (__atomic_exchange_n(&third, 1, __ATOMIC_ACQUIRE))
    WAIT();
  behind++;
  __atomic_store_n(&third, 0, __ATOMIC_RELEASE);
}
__attribute__((noinline)) long ask(void) {
  char byte;
  long got;
  do
    got = read(0, &byte, 1);
  while (got < 0 && errno == EINTR);
  read_again++;
  return got;
}
static void *work(void *p) {
  plain++;
  change();
  ask();
  take();
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
  take_other();
  __atomic_store_n(&other, 0, __ATOMIC_RELEASE);
  drain((long)p);
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
