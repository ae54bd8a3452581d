// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-global-write %t -- -fopenmp
// A count of the object for which a region runs: all its threads have the same.
#include "threads.h"

struct Simulation {
  long steps = 0;
  double energy = 0;
  double *at;

  void move(int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
      at[i] *= 2;
#pragma omp atomic
      steps++;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'Simulation::steps' is one variable for all threads that run this loop, and each turn updates it: its cache line moves to the core that does and away from all others; count in a variable of each thread and add it afterwards, as a reduction clause does
    }
  }
};
void sum(Simulation *of, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    of->energy += of->at[i];
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Simulation::energy' is one variable for all threads that run this loop
  }
}
void count(const int *all, int n, long &found) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (all[i] > 3)
#pragma omp atomic
      found++;
  // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'count::found' is one variable for all threads that run this loop
}

// ---- From here on: nothing.

struct Right {
  long steps = 0, next = 0, *cells;
  double *at;
  // The fix: each thread has its own.
  void move(int n) {
    long own = 0;
#pragma omp parallel for reduction(+ : own)
    for (int i = 0; i < n; i++) {
      at[i] *= 2;
      own++;
    }
    steps += own;
  }
  // A place for each turn; what data picks.
  void place(int n, double *to) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
      long mine;
#pragma omp atomic capture
      mine = next++;
      to[mine] = at[i];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
      cells[(int)at[i]]++;
    }
  }
};
// An object of each thread, and one of each turn.
void apart(Simulation *all, int n) {
#pragma omp parallel
  {
    Simulation own;
#pragma omp for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
      own.steps++;
    }
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    Simulation &each = all[i];
#pragma omp atomic
    each.steps++;
#pragma omp atomic
    all[i].steps++;
  }
}
