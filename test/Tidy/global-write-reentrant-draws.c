// rand_r() is there for threads: a seed that all calls share is all threads',
// also where the unit knows of no other thread.
// RUN: %check_tidy %s linesman-global-write %t
#define _DEFAULT_SOURCE
#include <stdlib.h>

int noise(void) {
  static unsigned seed = 1;
  return rand_r(&seed);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'noise::seed' is one random generator for all threads, and 'noise' draws from it
}

// The fix: one for each thread, or for each caller.
int own_noise(void) {
  static _Thread_local unsigned seed = 1;
  return rand_r(&seed);
}
int given_noise(unsigned *seed) { return rand_r(seed); }
int local_noise(unsigned first) {
  unsigned seed = first;
  return rand_r(&seed);
}

// Without a sign of threads, these are anybody's.
long plain_noise(void) {
  static unsigned short state[3];
  return nrand48(state);
}

// As the program starts.
int init_noise(void) {
  static unsigned seed = 1;
  return rand_r(&seed);
}
