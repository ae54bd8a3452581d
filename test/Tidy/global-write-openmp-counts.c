// RUN: %check_tidy %s linesman-global-write %t -- -fopenmp
// A count of all threads of a loop, by a function or in a critical section.

static void add(long *to, long n) { __sync_fetch_and_add(to, n); }

long sum_by_function(const int *all, int n) {
  long sum = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    if (all[i] > 3)
      add(&sum, all[i]);
  // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'sum_by_function::sum' is one variable for all threads that run this loop, and each turn updates it
  return sum;
}
long sum_in_section(const int *all, int n) {
  long sum = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    { sum += all[i]; }
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'sum_in_section::sum' is one variable for all threads that run this loop, and each turn updates it
  }
  return sum;
}
static double total;
double total_in_section(const double *all, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
#pragma omp critical(total)
    total += all[i];
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'total' has static storage, and 'total_in_section' updates it, in a loop
  return total;
}

// ---- From here on: nothing.

// Each thread adds once what it has counted.
long sum_once(const int *all, int n) {
  long sum = 0;
#pragma omp parallel
  {
    long own = 0;
#pragma omp for
    for (int i = 0; i < n; i++)
      own += all[i];
#pragma omp critical
    sum += own;
    add(&sum, 0);
  }
  return sum;
}
// More than a count.
struct best {
  int at;
  double value;
};
struct best best_of(const double *all, int n) {
  struct best found = {0, 0};
  long seen = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    {
      seen++;
      if (all[i] > found.value) {
        found.at = i;
        found.value = all[i];
      }
    }
  }
  return found;
}
// A turn that works long; every 64th turn; a variable of the thread's own.
void work(int);
long rows(const int *all, int n, int *into) {
  long done = 0, few = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 100; j++)
      into[100 * i + j] = all[j];
    add(&done, 1);
#pragma omp critical
    done++;
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    long own = 0;
    add(&own, all[i]);
    if (i % 64 == 0)
      add(&few, 64);
    into[i] = own;
  }
  return done + few;
}

// Each thread of a region does this a single time.
static int ids, sums;
long once_a_thread(int n) {
  long all = 0;
#pragma omp parallel
  {
    int id = __sync_fetch_and_add(&ids, 1), mine = 0;
#pragma omp for
    for (int i = 0; i < n; i++)
      mine += i * id;
    __sync_fetch_and_add(&sums, mine);
#pragma omp for
    for (int i = 0; i < n; i++) {
      __sync_fetch_and_add(&sums, i);
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'sums' has static storage, and 'once_a_thread' updates it, in a loop
    }
  }
  return all + sums;
}
