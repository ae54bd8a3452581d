/* Two threads on static data for a fixed amount of work; prints the processor
 * seconds that it took. work ROUNDS [wait]: first "ready PID", then a line of
 * input before each measurement, until its input ends. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static unsigned long table[2][65536];
static long rounds;

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void *work(void *argument) {
  volatile unsigned long *mine = argument;
  unsigned long at = 1;
  for (long i = 0; i < rounds; ++i) {
    at = at * 6364136223846793005ul + 1442695040888963407ul;
    mine[at >> 48] += at;
  }
  return NULL;
}

static void measure(void) {
  pthread_t threads[2];
  double begin = processor_seconds();
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, work, table[i]);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  printf("%.6f\n", processor_seconds() - begin);
  fflush(stdout);
}

int main(int argc, char **argv) {
  char line[16];
  rounds = argc > 1 ? atol(argv[1]) : 0;
  if (argc < 3) {
    measure();
    return 0;
  }
  printf("ready %d\n", getpid());
  fflush(stdout);
  while (fgets(line, sizeof line, stdin))
    measure();
  return 0;
}
