// Draws in a header's functions, in a unit that does not know of threads: the
// engine is here, or the function is called here.
// RUN: %check_tidy %s linesman-global-write %t --header-filter=.*
#include "random.h"
#include "draws-header.h"
// CHECK-MESSAGES: draws-header.h:4:35: warning: 'Draws::engine' is one random generator for all threads, and 'Draws::next' draws from it, which several threads may call
// CHECK-MESSAGES: draws-header.h:10:12: warning: 'rand' has one state for all threads that may call 'random_text'

std::minstd_rand Draws::engine;

int letters(int n) { return random_text(n) + random_letter(); }

// In no header: the program's own business.
int numbers(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += rand();
  return sum;
}
