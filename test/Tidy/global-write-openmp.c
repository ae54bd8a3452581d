// RUN: %check_tidy %s linesman-global-write %t -- -fopenmp

static long hits;
static long counted_by_all(const int *all, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
#pragma omp atomic
    hits++;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'hits' has static storage
  return hits;
}
long (*volatile hold)(const int *, int) = counted_by_all;

// ---- From here on: nothing.

static long total, last, own;
#pragma omp threadprivate(own)
long reduce(const int *all, int n) {
#pragma omp parallel for reduction(+ : total) lastprivate(last)
  for (int i = 0; i < n; i++) {
    total += all[i];
    last = all[i];
    own += all[i];
  }
  return total + last + own;
}
