/* ping-pong CPU CPU: nanoseconds to hand a line over, by two threads that
 * answer each other, in the plainest way: the median of many rounds, because
 * one in which somebody had no processor takes milliseconds. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TURNS = 500, ROUNDS = 999 };
static _Alignas(256) volatile int ball;

static void pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set))
    exit(2);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void *answer(void *cpu) {
  pin(*(int *)cpu);
  for (int i = 0; i < TURNS * ROUNDS; ++i) {
    while (__atomic_load_n(&ball, __ATOMIC_ACQUIRE) != 2 * i + 1) {
    }
    __atomic_store_n(&ball, 2 * i + 2, __ATOMIC_RELEASE);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int first = argc > 1 ? atoi(argv[1]) : 0,
      second = argc > 2 ? atoi(argv[2]) : 1;
  pthread_t other;
  pthread_create(&other, NULL, answer, &second);
  pin(first);
  static double ns[ROUNDS];
  for (int round = 0; round < ROUNDS; ++round) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = round * TURNS; i < (round + 1) * TURNS; ++i) {
      __atomic_store_n(&ball, 2 * i + 1, __ATOMIC_RELEASE);
      while (__atomic_load_n(&ball, __ATOMIC_ACQUIRE) != 2 * i + 2) {
      }
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    ns[round] =
        ((end.tv_sec - begin.tv_sec) * 1e9 + end.tv_nsec - begin.tv_nsec) /
        TURNS / 2;
  }
  pthread_join(other, NULL);
  qsort(ns, ROUNDS, sizeof *ns, compare);
  printf("%.1f\n", ns[ROUNDS / 2]);
}
