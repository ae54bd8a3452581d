// RUN: %check_tidy %s linesman-thread-slot %t -- -fopenmp
#include <stdlib.h>

int omp_get_thread_num(void);
int omp_get_max_threads(void);

// A count for each thread in memory that the function made, in a loop that the
// threads share.
size_t collect(const int *all, int n, int **chosen) {
  size_t *count = calloc(omp_get_max_threads(), sizeof(size_t));
  size_t total = 0;
  int i;
#pragma omp parallel for schedule(static)
  for (i = 0; i < n; i++) {
    const int thread = omp_get_thread_num();
    if (all[i] > 0) {
      chosen[thread][count[thread]] = i;
      count[thread]++;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'collect::count' here, but elements are 8 bytes apart and a cache line has 64: neighbouring threads write the same line; keep it in a local variable of the thread and store that once, or make the element a record with alignas(64)
    }
  }
  for (i = 0; i < omp_get_max_threads(); i++)
    total += count[i];
  free(count);
  return total;
}
// A local array, and a loop inside of the region; the number is assigned.
double add_up(const double *all, int n) {
  double sum[64] = {0}, total = 0;
  int thread = 0, i;
#pragma omp parallel private(thread)
  {
#ifdef _OPENMP
    thread = omp_get_thread_num();
#endif
#pragma omp for
    for (i = 0; i < n; i++)
      sum[thread] += all[i];
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'add_up::sum' here
  }
  for (i = 0; i < 64; i++)
    total += sum[i];
  return total;
}
static int bins[64];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 1000; i++)
    bins[omp_get_thread_num()] += i & 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'bins' here
  return bins[0];
}
// Interleaved: rows of one element for each thread.
void interleave(const int *all, int n, int threads, int *rows) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    rows[all[i] * threads + omp_get_thread_num()]++;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'interleave::rows' here, but elements are 4 bytes apart
}
// An element handed to a function that counts in it.
struct walk {
  long visited;
  long exported;
};
static void visit(struct walk *own, const int *all, int n) {
  for (int i = 0; i < n; i++)
    own->visited += all[i];
}
long walk_all(const int *all, int n) {
  struct walk *walks = calloc(omp_get_max_threads(), sizeof(struct walk));
#pragma omp parallel
  visit(&walks[omp_get_thread_num()], all, n);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'walk_all::walks' here, but elements are 16 bytes apart
  return walks[0].visited;
}
static void count_in(long *own, const int *all, int n) {
  for (int i = 0; i < n; i++)
    *own += all[i];
}
long count_all(const int *all, int n) {
  long counts[64];
#pragma omp parallel
  count_in(&counts[omp_get_thread_num()], all, n);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'count_all::counts' here, but elements are 8 bytes apart
  return counts[0];
}
// Tasks that one thread hands out.
long count_in_tasks(const int *all, int n) {
  long counts[64];
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < 100; k++) {
#pragma omp task
    for (int i = 0; i < n; i++)
      counts[omp_get_thread_num()] += all[i];
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'count_in_tasks::counts' here
  }
  return counts[0];
}

// ---- From here on: nothing.

// One thread prepares for all.
void prepare(const int *all, int n, long *counts) {
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
#pragma omp master
    for (int i = 0; i < n; i++)
      counts[thread] += all[i];
#pragma omp single
    for (int i = 0; i < n; i++)
      counts[thread] += all[i];
  }
}

// Counted in a local, stored once.
size_t collect_once(const int *all, int n, int **chosen) {
  size_t *count = calloc(omp_get_max_threads(), sizeof(size_t));
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    size_t own = 0;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
      if (all[i] > 0)
        chosen[thread][own++] = i;
    count[thread] = own;
    count[thread] += own;
  }
  return count[0];
}
static void count_once(long *own, const int *all, int n) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += all[i];
  *own = sum;
}
long count_all_once(const int *all, int n) {
  long counts[64];
#pragma omp parallel
  count_once(&counts[omp_get_thread_num()], all, n);
  return counts[0];
}
// Room by the index.
void spread(const int *all, int n) {
  long sums[64 * 8] __attribute__((aligned(64))) = {0};
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    const int thread = omp_get_thread_num();
    sums[8 * thread] += all[i];
    sums[thread << 3] += all[i];
  }
}
// Each thread's own: a copy, a local of the region, what a reduction adds.
static long copied[64], reduced[64];
static long own_total[64];
#pragma omp threadprivate(own_total)
void own(const int *all, int n) {
  long local[64] = {0};
#pragma omp parallel private(copied) reduction(+ : reduced[ : 64], local)
  {
    long inner[64] = {0};
    const int thread = omp_get_thread_num();
#pragma omp for
    for (int i = 0; i < n; i++) {
      copied[thread]++;
      reduced[thread]++;
      local[thread]++;
      inner[thread]++;
      own_total[thread]++;
    }
  }
}
// One thread for the whole array.
long alone(const int *all, int n) {
  long counts[64] = {0};
  for (int i = 0; i < n; i++)
    counts[omp_get_thread_num()] += all[i];
  return counts[0];
}

// One turn for each thread: the counter is the thread's number.
int threads_to_use(void);
double each_a_part(const double *all, int n, double *parts) {
  int threads = threads_to_use(), t;
  double sum = 0;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (t = 0; t < threads; t++) {
    double *part = &parts[t];
    *part = 0;
    for (int i = t * n / threads; i < (t + 1) * n / threads; i++)
      *part += all[i];
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'each_a_part::parts' here, but elements are 8 bytes apart
  }
  for (t = 0; t < threads; t++)
    sum += parts[t];
  return sum;
}
void each_of_team(const int *all, int n, int *counts) {
  const int team = omp_get_max_threads();
#pragma omp parallel for
  for (int t = 0; t < team; t++)
    for (int i = t; i < n; i += team)
      counts[t] += all[i];
  // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'each_of_team::counts' here, but elements are 4 bytes apart
}
// The fix; a turn that stores once; turns that are more than the threads, and
// those of one thread.
void each_once(const double *all, int n, double *parts) {
  int threads = threads_to_use();
#pragma omp parallel for num_threads(threads)
  for (int t = 0; t < threads; t++) {
    double sum = 0;
    for (int i = t * n / threads; i < (t + 1) * n / threads; i++)
      sum += all[i];
    parts[t] = sum;
  }
}
void each_row(const double *all, int n, int rows, double *sums) {
  int threads = threads_to_use();
#pragma omp parallel for num_threads(threads)
  for (int r = 0; r < rows; r++)
    for (int i = 0; i < n; i++)
      sums[r] += all[r * n + i];
}
void one_thread(const double *all, int n, double *parts) {
  int threads = threads_to_use();
  for (int t = 0; t < threads; t++)
    for (int i = 0; i < n; i++)
      parts[t] += all[i];
}
