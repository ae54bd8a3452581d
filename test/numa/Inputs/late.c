/* A page of .data that is written when a signal asks for it. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

_Alignas(4096) volatile char late_page[4096] = {1};
_Alignas(4096) char after[4096] = {1};

static void write_it(int number) { late_page[0] = (char)number; }

int main(void) {
  char byte = late_page[0];
  signal(SIGUSR1, write_it);
  printf("ready %d\n", getpid());
  fflush(stdout);
  while (read(0, &byte, 1) != 0) {
  }
  return 0;
}
