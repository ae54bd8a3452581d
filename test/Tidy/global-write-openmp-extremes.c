// RUN: %check_tidy %s linesman-global-write %t -- -fopenmp
// Extremes that the turns of a region's loop keep in a critical section.

double largest(const double *all, int n) {
  double most = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    {
      if (all[i] > most)
        most = all[i];
      // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'largest::most' is one variable for all threads that run this loop, and each turn takes the lock of a critical section, which without a name is one for the whole program, to compare with it: the line of the lock moves to the core that takes it and away from all others; keep an extreme in each thread and combine them after the loop, as a reduction clause does [
    }
  }
  return most;
}
struct best {
  int at;
  double value;
};
struct best best_of(const double *all, int n) {
  struct best found = {0, 0};
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) {
#pragma omp critical(best)
      if (found.value < all[i]) {
        found.at = i;
        found.value = all[i];
        // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'best_of::found.value' is one variable for all threads that run this loop, and each turn takes the lock of a critical section to compare with it
      }
    }
  }
  return found;
}
static int least = 1 << 30;
void lower(const int *all, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    if (all[i] < least)
      least = all[i];
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'least' is one variable for all threads that run this loop
  }
}

// ---- From here on: nothing.

// The fixes.
double reduced(const double *all, int n) {
  double most = 0;
#pragma omp parallel for reduction(max : most)
  for (int i = 0; i < n; i++)
    if (all[i] > most)
      most = all[i];
  return most;
}
double combined(const double *all, int n, int rounds) {
  double most = 0;
  for (int round = 0; round < rounds; round++) {
#pragma omp parallel
    {
      double own = 0;
#pragma omp for
      for (int i = 0; i < n; i++)
        if (all[i] > own)
          own = all[i];
#pragma omp critical
      if (own > most)
        most = own;
    }
  }
  return most;
}
double looked(const double *all, int n) {
  double most = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    if (all[i] > most) {
#pragma omp critical
      if (all[i] > most)
        most = all[i];
    }
  }
  return most;
}
double sampled(const double *all, int n) {
  double most = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    if (i % 64 == 0) {
#pragma omp critical
      if (all[i] > most)
        most = all[i];
    }
  }
  return most;
}
// A turn that works long.
double score(const double *row, int n);
double rows(const double *all, int n) {
  double most = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    const double own = score(all + i * n, n);
#pragma omp critical
    if (own > most)
      most = own;
  }
  return most;
}
// A thread's own; and what is done besides.
int others(const int *all, int n, int *into) {
  int most = 0, at = 0;
#pragma omp parallel for private(most)
  for (int i = 0; i < n; i++) {
#pragma omp critical
    if (all[i] > most)
      most = all[i];
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    {
      into[at++] = all[i];
      if (all[i] > most)
        most = all[i];
    }
  }
  return most;
}
// Takes the next piece of work.
int pieces(const int *all, int n, int *into) {
  int left = n, at = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    if (0 < (left = at))
      into[at] = all[left];
  }
  return left;
}
// Whose threads, the unit does not tell.
int alone(const int *all, int n) {
  int most = 0;
  for (int i = 0; i < n; i++) {
#pragma omp critical
    // CHECK-MESSAGES: :[[@LINE-1]]:1: warning: this critical section has no name: it has one lock with all others of the program that have none, and 'alone' enters it
    if (all[i] > most)
      most = all[i];
  }
  return most;
}
