/* Says whether it got 100 MB; its static pages are what the shim prepares. */
#include <stdio.h>
#include <stdlib.h>

static long numbers[4096];

int main(void) {
  for (int i = 0; i != 4096; ++i)
    numbers[i] = i;
  puts(malloc(100 << 20) ? "with memory" : "without memory");
  return numbers[3];
}
