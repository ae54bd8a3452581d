/* A table that is read-only after relocation, and data that is not. */
#include <stdio.h>
#include <unistd.h>

static char a, b;
char *const relro_table[1024] = {&a, &b};
char *writable_table[1024] = {&a, &b};

int main(void) {
  char byte;
  printf("ready %d\n", getpid());
  fflush(stdout);
  return read(0, &byte, 1) < 0 || relro_table[0] != writable_table[0];
}
