// Random numbers of the C library that threads draw by a function of the unit.
// RUN: %check_tidy %s linesman-global-write %t -- -fopenmp
#include "random.h"
#include "threads.h"

static double unit() { return std::rand() / 2147483647.0; }
// CHECK-MESSAGES: :[[@LINE-1]]:31: warning: 'rand' has one state for all threads that call 'unit', and each call changes it
static bool is_inside() {
  double x = unit(), y = unit();
  return x * x + y * y < 1;
}
// The loop is in a function between the region and the draw.
static long throw_darts(long n) {
  long inside = 0;
  for (long i = 0; i < n; i++)
    inside += is_inside();
  return inside;
}

static long coin() { return random() & 1; }
// CHECK-MESSAGES: :[[@LINE-1]]:29: warning: 'random' has one state for all threads that call 'coin'

// ---- From here on: nothing.

// By who starts the threads, once a thread, and in a unit's other loops.
static double any() { return drand48(); }
static long once() { return lrand48(); }
// Where the source says that it is unlikely.
static long rarely() { return mrand48(); }

int main(int n, char **) {
  double first = 0;
  for (int i = 0; i < n; i++)
    first += any();
  long inside = 0, tries = 0;
#pragma omp parallel reduction(+ : inside, tries)
  {
    inside += throw_darts(1000);
    tries += once();
#pragma omp for
    for (int i = 0; i < n; i++)
      if (__builtin_expect(i == n, 0))
        tries += rarely();
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < n; i++)
    threads.emplace_back([] {
      long heads = 0;
      for (int k = 0; k < 1000; k++)
        heads += coin();
      return heads;
    });
  return int(first + double(inside) + double(tries));
}
