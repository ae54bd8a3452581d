/* The oracle's behaviour; make_oracle.py puts the objects before it.
 *
 *     oracle MODE [NAME=VALUE...]
 *
 * Each line writes the culprits, as the store of the story does.
 * MODE live: prints "ops N" lines until it is killed, with pauses that leave the
 * processor to their reader; MODE slow: ten a second, after it has written every
 * object. MODE once: one line; the exit code says whether it was bad. MODE number:
 * one line. The names:
 *   seed       decides culprits and noise
 *   culprits   how many (1)
 *   noise      standard deviation of a line, in percent of the slow-down (0)
 *   flips      percent of lines that show the other state (0)
 *   outliers   percent of lines that show neither (0)
 *   drift      percent of the slow-down per 100 lines (0)
 *   scatter    each page is born on a node of its own chance, which differs from
 *              start to start (0)
 *   children   so many forked processes do it, each on pages of its own (0)
 *   neighbours the culprit is slow only while another object shares its page
 */
#define _GNU_SOURCE
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t state;

/* splitmix64 */
static uint64_t next(void) {
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static double uniform(void) { return (double)(next() >> 11) * 0x1p-53; }

/* The sum of twelve uniform values has variance 1. */
static double normal(void) {
  double sum = -6;
  for (int i = 0; i < 12; ++i)
    sum += uniform();
  return sum;
}

static int is_remote(const char *object) {
  void *page = (void *)((uintptr_t)object & ~UINT64_C(4095));
  int node = 0;
  syscall(SYS_move_pages, 0, 1, &page, NULL, &node, 0);
  return node > 0;
}

static double option(int argc, char **argv, const char *name, double otherwise) {
  size_t length = strlen(name);
  for (int i = 2; i < argc; ++i)
    if (!strncmp(argv[i], name, length) && argv[i][length] == '=')
      return atof(argv[i] + length + 1);
  return otherwise;
}

static int has_neighbour(int culprit) {
  uintptr_t page = (uintptr_t)objects[culprit] / 4096;
  for (int i = 0; i < OBJECTS; ++i)
    if (i != culprit && (uintptr_t)objects[i] / 4096 == page)
      return 1;
  return 0;
}

/* Writes each page on one of the two processors, and stays on the first. */
static void scatter(void) {
  uint64_t chance = (uint64_t)getpid() * UINT64_C(0x9e3779b97f4a7c15);
  cpu_set_t set;
  for (int i = 0; i < OBJECTS; ++i) {
    if (i % OBJECTS_A_PAGE == 0) {
      CPU_ZERO(&set);
      CPU_SET((chance ^= chance >> 29, chance *= UINT64_C(0xbf58476d1ce4e5b9)) >> 63, &set);
      sched_setaffinity(0, sizeof set, &set);
    }
    objects[i][0] = 1;
  }
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  sched_setaffinity(0, sizeof set, &set);
}

int main(int argc, char **argv) {
  enum { LOCAL = 10000, SLOWDOWN = 6000, MOST = 8 };
  int slow = argc > 1 && !strcmp(argv[1], "slow");
  int silent = argc > 1 && !strcmp(argv[1], "number");
  int live = slow || (argc > 1 && !strcmp(argv[1], "live"));
  int culprits[MOST], count = (int)option(argc, argv, "culprits", 1);
  double noise = option(argc, argv, "noise", 0) / 100,
         flips = option(argc, argv, "flips", 0) / 100,
         outliers = option(argc, argv, "outliers", 0) / 100,
         drift = option(argc, argv, "drift", 0) / 1e4;
  int neighbours = (int)option(argc, argv, "neighbours", 0);
  state = (uint64_t)option(argc, argv, "seed", 1);
  for (int i = 0; i < count && i < MOST; ++i) {
    culprits[i] = (int)(next() % OBJECTS);
    fprintf(stderr, "culprit object_%d_%d\n", culprits[i] / OBJECTS_A_PAGE,
            culprits[i] % OBJECTS_A_PAGE);
  }
  int children = (int)option(argc, argv, "children", 0);
  int is_child = !children;
  for (int i = 0; !is_child && i < children; ++i)
    is_child = fork() == 0;
  if (!is_child) {
    while (wait(NULL) > 0) {
    }
    return 0;
  }
  /* Each process of a search, or of its starts, has noise of its own. */
  if (!live || option(argc, argv, "scatter", 0))
    state ^= (uint64_t)getpid() << 32;
  if (option(argc, argv, "scatter", 0))
    scatter();
  for (int i = 0; slow && i < OBJECTS; ++i)
    objects[i][0] = 1;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (long line = 0;; ++line) {
    int bad = 0;
    for (int i = 0; i < count && i < MOST; ++i) {
      objects[culprits[i]][0] = (char)line;
      bad += is_remote(objects[culprits[i]]) &&
             (!neighbours || has_neighbour(culprits[i]));
    }
    if (uniform() < flips)
      bad = bad ? 0 : count;
    double ops = LOCAL - (count ? SLOWDOWN * (double)bad / count : 0) +
                 SLOWDOWN * (noise * normal() - drift * (double)line);
    if (uniform() < outliers)
      ops /= 4;
    if (printf("ops %.1f\n", ops) < 0)
      return 0;
    if (!live)
      return bad && !silent;
    usleep(slow ? 100000 : 5000);
  }
}
