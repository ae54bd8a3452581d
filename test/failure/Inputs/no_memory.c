/* Says whether it got 100 MB; its static pages are what the shim prepares. */
#include <stdio.h>
#include <stdlib.h>

static long numbers[4096];

int main(void) {
  for (int i = 0; i != 4096; ++i)
    numbers[i] = i;
  /* Volatile, or the compiler leaves the allocation out. */
  void *volatile memory = malloc(100 << 20);
  puts(memory ? "with memory" : "without memory");
  return numbers[3];
}
