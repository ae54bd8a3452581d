// Numbers that the threads of a region draw; and a unit that knows of no
// threads, in which one generator is nobody's business.
// RUN: split-file %s %t
// RUN: %check_tidy %t/region.c linesman-global-write %t.region -- -std=gnu11 -fopenmp
// RUN: %check_tidy %t/alone.c linesman-global-write %t.alone
//--- region.c
#include <stdlib.h>
double pi(long n) {
  long in = 0;
#pragma omp parallel for reduction(+ : in)
  for (long i = 0; i < n; i++) {
    double x = rand() / (double)RAND_MAX, y = drand48();
    // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'rand' has one state for all threads that run this loop
    // CHECK-MESSAGES: :[[@LINE-2]]:47: warning: 'drand48' has one state for all threads that run this loop
    in += x * x + y * y < 1;
  }
  return 4.0 * in / n;
}
static unsigned seed = 1;
unsigned draw(void) {
  seed = seed * 1664525 + 1013904223;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'seed' is one random generator for all threads, and 'draw' draws from it
  return seed;
}
double pi_right(long n) {
  long in = 0;
#pragma omp parallel reduction(+ : in)
  {
    unsigned own = 1;
#pragma omp for
    for (long i = 0; i < n; i++)
      in += rand_r(&own) % 2;
  }
  return in;
}
// Once a thread, and before they start.
void once(int *values, int n) {
  for (int i = 0; i < n; i++)
    values[i] = rand();
#pragma omp parallel
  {
    values[0] = random();
  }
}
//--- alone.c
#include <stdlib.h>
static unsigned seed = 1;
unsigned draw(void) {
  seed = seed * 1664525 + 1013904223;
  return seed;
}
long sum(int n) {
  long all = 0;
  for (int i = 0; i < n; i++)
    all += rand();
  return all;
}
