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

// A local of the function is one for all threads of its region.
long positive(const int *all, int n) {
  long count = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (all[i] > 0) {
#pragma omp atomic
      count++;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'positive::count' is one variable for all threads that run this loop, and each turn updates it: its cache line moves to the core that does and away from all others; count in a variable of each thread and add it afterwards, as a reduction clause does
    }
  return count;
}

// ---- From here on: nothing.

// Once a row, and once for what a function does.
void work(int);
long rows(const int *all, int n, int *into) {
  long done = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 100; j++)
      into[100 * i + j] = all[j];
#pragma omp atomic
    done++;
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    work(i);
#pragma omp atomic
    done++;
  }
  return done;
}
// Once a thread; a copy of each; positions that are handed out; one thread.
long positive_once(const int *all, int n) {
  long count = 0, sum = 0;
  _Atomic long next = 0;
#pragma omp parallel reduction(+ : sum)
  {
    long own = 0;
    _Atomic long inner = 0;
#pragma omp for
    for (int i = 0; i < n; i++) {
      own += all[i] > 0;
      inner++;
    }
    for (long at = next++; at < n; at = next++)
      sum += all[at];
#pragma omp atomic
    count += own;
  }
  _Atomic long alone = 0;
  for (int i = 0; i < n; i++)
    alone++;
  return count + sum;
}

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
