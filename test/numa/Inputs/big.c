/* A program with 8 MB of static data that it has written: "ready PID", then
 * until its input ends. hog: instead, as much on node 1 as there is room for. */
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
    memset(hog, 1, size);
    /* What fell over to the other node is moved, until the kernel can not. */
    for (size_t i = 0; i < size; i += 4096) {
      void *page = hog + i;
      int node = 1, status = 1;
      if (syscall(SYS_move_pages, 0, 1, &page, &node, &status,
                  MPOL_MF_MOVE) != 0 ||
          status < 0)
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
