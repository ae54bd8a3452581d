// main reads options and starts a thread that counts: what main writes before
// that is start-up, also where no symbol says which function main is.
#include <pthread.h>
#include <stdlib.h>

static long options[4], counter, limit;

static void *work(void *argument) {
  for (long i = 0; i < limit; ++i)
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
  return argument;
}

int main(int argc, char **argv) {
  for (int i = 0; i < argc; ++i) {
    options[0] = atoi(argv[i]);
    options[1] += options[0];
  }
  limit = options[1];
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  return pthread_join(thread, 0);
}
