/* What the kernel does, tried by hand: must_try NAME prints one line. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

_Alignas(4096) char unwritten[4096] = {1};
_Alignas(4096) char shared[4096] = {1};
_Alignas(4096) char hot[64 * 4096];

static int where(void *page) {
  int node = -1;
  syscall(SYS_move_pages, 0, 1, &page, NULL, &node, 0);
  return node;
}

static int move(void *page, int node) {
  int status = -1;
  if (syscall(SYS_move_pages, 0, 1, &page, &node, &status, MPOL_MF_MOVE) != 0)
    return -errno;
  return status;
}

static void pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

static void strict_on_shared(void) {
  unsigned long node1 = 2;
  pin(0);
  shared[0] = 2;
  pid_t child = fork();
  if (child == 0)
    for (;;)
      pause();
  long result = syscall(SYS_mbind, shared, 4096, MPOL_BIND, &node1, 65,
                        MPOL_MF_MOVE | MPOL_MF_STRICT);
  printf("strict-on-shared: mbind %s, page on node %d\n",
         result ? strerror(errno) : "ok", where(shared));
  kill(child, 9);
  waitpid(child, NULL, 0);
}

static void unwritten_data(void) {
  pin(0);
  volatile char *page = unwritten;
  char value = *page;
  int status = move((void *)(uintptr_t)unwritten, 1);
  int moved = where(unwritten);
  *page = value;
  printf("unwritten-data: move %d, then on node %d, after the first write on node %d\n",
         status, moved, where(unwritten));
}

/* Writes from node 0 to pages on node 1 until balancing has moved one, for at
 * most so many seconds. */
static void balancing(int with_policy, int seconds) {
  unsigned long node1 = 2;
  pin(0);
  memset(hot, 1, sizeof hot);
  if (with_policy)
    syscall(SYS_mbind, hot, sizeof hot, MPOL_PREFERRED, &node1, 65, 0);
  for (size_t i = 0; i < sizeof hot; i += 4096)
    move(hot + i, 1);
  time_t end = time(NULL) + seconds;
  int back = 0;
  while (!back && time(NULL) < end) {
    for (int round = 0; round < 200; ++round)
      for (size_t i = 0; i < sizeof hot; i += 4096)
        ++*(volatile char *)(hot + i);
    for (size_t i = 0; i < sizeof hot; i += 4096)
      back |= where(hot + i) == 0;
  }
  printf("balancing %s: %s\n", with_policy ? "with a policy" : "with move_pages only",
         back ? "moved back" : "stayed");
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  if (!strcmp(argv[1], "strict"))
    strict_on_shared();
  else if (!strcmp(argv[1], "unwritten"))
    unwritten_data();
  else if (!strcmp(argv[1], "balancing"))
    balancing(0, argc > 2 ? atoi(argv[2]) : 30);
  else if (!strcmp(argv[1], "balancing-policy"))
    balancing(1, 8);
  return 0;
}
