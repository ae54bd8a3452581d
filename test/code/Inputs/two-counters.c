/* Two threads, each with a counter of its own, side by side. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_long requests, errors;

static void *serve(void *number) {
  for (int i = 0; i < 1000000; ++i)
    atomic_fetch_add(number ? &errors : &requests, 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, serve, 0);
  pthread_create(&b, 0, serve, &b);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return requests + errors == 0;
}
