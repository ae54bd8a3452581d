/* A program with 8 MB of static data that it has written: "ready PID", then
 * until its input ends. hog: 600 MB on node 1 before, as far as there is room. */
#define _GNU_SOURCE
#include <linux/mempolicy.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

_Alignas(2 << 20) char big[8 << 20];

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "hog")) {
    unsigned long node1 = 2;
    size_t size = 600ul << 20;
    char *hog = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    syscall(SYS_mbind, hog, size, MPOL_PREFERRED, &node1, 65, 0);
    /* Until a page falls over to the other node. */
    for (size_t i = 0; i < size; i += 4096) {
      void *page = hog + i;
      int node = 1;
      hog[i] = 1;
      if (i % (1 << 20) == 0 &&
          syscall(SYS_move_pages, 0, 1, &page, NULL, &node, 0) == 0 && node != 1)
        break;
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
