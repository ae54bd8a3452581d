// Standard engines behind functions that other units call, in a unit that does
// not know of threads.
// RUN: %check_tidy %s linesman-global-write %t

#include "random.h"

static std::minstd_rand engine;

double draw() {
  std::uniform_real_distribution<double> unit(0, 1);
  return unit(engine);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'engine' is one random generator for all threads, and 'draw' draws from it, which several threads may call: each draw changes it
}

// The fix.
double draw_own() {
  thread_local std::minstd_rand own;
  std::uniform_real_distribution<double> unit(0, 1);
  return unit(own);
}

// Drawn from once, or by the unit alone, or who draws brings the engine.
static std::minstd_rand once;
static std::minstd_rand here;

unsigned init_seed() { return once(); }
static unsigned one() { return here(); }
unsigned draw_from(std::minstd_rand &given) { return given(); }
static unsigned unused = one();

// By hand.
static unsigned long long last = 88172645463325252ull;
unsigned long long draw_shifted() {
  last ^= last << 13;
  last ^= last >> 7;
  return last;
}
