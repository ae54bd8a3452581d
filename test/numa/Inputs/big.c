/* A program with 8 MB of static data that it has written: "ready PID", then
 * until its input ends. hog: instead, all the memory of node 1. */
#define _GNU_SOURCE
#include <linux/mempolicy.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

_Alignas(2 << 20) char big[8 << 20];

static size_t free_bytes_of_node1(void) {
  unsigned long free_kb = 0;
  FILE *info = fopen("/sys/devices/system/node/node1/meminfo", "r");
  if (info) {
    if (fscanf(info, "Node 1 MemTotal: %*u kB Node 1 MemFree: %lu", &free_kb) != 1)
      free_kb = 0;
    fclose(info);
  }
  return free_kb << 10;
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "hog")) {
    enum { PAGE = 4096, BATCH = 512 };
    unsigned long node1 = 2;
    /* More than is free: what the kernel keeps back is wanted, too. */
    size_t size = free_bytes_of_node1() + (32ul << 20);
    char *hog = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    syscall(SYS_mbind, hog, size, MPOL_PREFERRED, &node1, 65, 0);
    memset(hog, 1, size);
    /* What fell over to the other node is moved, until the kernel can not. */
    void *pages[BATCH];
    int nodes[BATCH], statuses[BATCH];
    int is_full = 0;
    for (size_t i = 0; i + BATCH * PAGE <= size && !is_full; i += BATCH * PAGE) {
      for (size_t j = 0; j < BATCH; ++j) {
        pages[j] = hog + i + j * PAGE;
        nodes[j] = 1;
        statuses[j] = 1;
      }
      is_full = syscall(SYS_move_pages, 0, BATCH, pages, nodes, statuses, MPOL_MF_MOVE) != 0;
      for (size_t j = 0; j < BATCH; ++j)
        is_full |= statuses[j] < 0;
    }
    printf("ready %d\n", getpid());
    fflush(stdout);
    char byte;
    return read(0, &byte, 1) < 0;
  }
  memset(big, 1, sizeof big);
  printf("ready %d\n", getpid());
  fflush(stdout);
  char byte;
  return read(0, &byte, 1) < 0;
}
