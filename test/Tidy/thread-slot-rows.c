// RUN: %check_tidy %s linesman-thread-slot %t -- -fopenmp
#include <pthread.h>
#include <stdlib.h>

int omp_get_thread_num(void);
int omp_get_max_threads(void);

// A row of sums for each thread, as many as there are bins.
double *histogram(const int *bin, const double *weight, int n, int bins) {
  double *sums = calloc((size_t)bins * omp_get_max_threads(), sizeof(double));
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    sums[bins * omp_get_thread_num() + bin[i]] += weight[i];
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread updates its own row of 'histogram::sums' here, and how many elements of 8 bytes a row has, only the running program knows: unless that makes whole lines, neighbouring threads write the same line at the ends of their rows, and everywhere in short ones; round the length up to a multiple of 64 bytes, and align the first row to 64
  return sums;
}
// The same through a pointer to the row, and through where it begins.
void through_pointer(const int *bin, int n, int bins, int *counts) {
#pragma omp parallel
  {
    int thread = omp_get_thread_num();
    int *row = counts + thread * bins;
#pragma omp for
    for (int i = 0; i < n; i++)
      row[bin[i]]++;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread updates its own row of 'through_pointer::counts' here
  }
}
struct tally {
  long *rows;
  int width;
};
void from_begin(struct tally *t, const int *bin, int n) {
#pragma omp parallel
  {
    const size_t begin = (size_t)omp_get_thread_num() * t->width;
#pragma omp for
    for (int i = 0; i < n; i++)
      t->rows[begin + bin[i]] += 2;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread updates its own row of 'tally::rows' here
  }
}
// A row handed to a function that adds to it.
static void add_to(double *row, const double *all, int n) {
  for (int i = 0; i < n; i++)
    row[i % 3] += all[i];
}
void hand_over(const double *all, int n, int width, double *grid) {
#pragma omp parallel
  add_to(&grid[omp_get_thread_num() * width], all, n);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread updates its own row of 'hand_over::grid' here
}
// Rows of many lines, of a length that is known: they meet at their ends.
static long by_level[64][46];
void count_levels(const int *level, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    by_level[omp_get_thread_num()][level[i]]++;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'by_level' here, but elements are 368 bytes apart and a cache line has 64: neighbouring threads write the same line where one element ends and the next begins; make the element a record with alignas(64)
}

// The number is what the thread's argument points to.
static long *released;
static void *release(void *argument) {
  int id = *(int *)argument;
  for (int i = 0; i < 1000; ++i)
    ++released[id];
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'released' here, but elements are 8 bytes apart
  return 0;
}
static long *taken;
static void *take(void *argument) {
  int id;
  id = ((int *)argument)[0];
  for (int i = 0; i < 1000; ++i)
    ++taken[id];
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'taken' here, but elements are 8 bytes apart
  return 0;
}
static long *shown;
static void *show(void *argument) {
  int which = *(int *)argument;
  for (int i = 0; i < 1000; ++i)
    ++shown[which];
  return 0;
}
void start(int workers) {
  pthread_t threads[64];
  int ids[64], first = 0;
  for (int i = 0; i < workers; ++i) {
    ids[i] = i;
    pthread_create(&threads[i], 0, release, (void *)&ids[i]);
    pthread_create(&threads[i], 0, take, ids + i);
  }
  // One thread, or one number for all.
  pthread_create(&threads[0], 0, show, &first);
}

// Turn by turn: neighbours are different threads'.
void take_turns(long *counts, int n) {
#pragma omp parallel
  for (int i = omp_get_thread_num(); i < n; i += omp_get_max_threads())
    counts[i]++;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: threads take turns at the elements of 'take_turns::counts' here, which are 8 bytes apart, and a cache line has 64: neighbouring elements are different threads', which write the same line; give each thread a part of neighbouring elements
}

// ---- From here on: nothing.

// A part of the whole for each thread, one element after the other.
void own_part(long *counts, int n) {
#pragma omp parallel
  {
    int begin = n * omp_get_thread_num() / omp_get_max_threads();
    int end = n * (omp_get_thread_num() + 1) / omp_get_max_threads();
    for (int i = begin; i < end; i++)
      counts[i]++;
  }
}

// Rounded up to whole lines, in a local, a field, or as a name says.
void rounded(const int *bin, int n, int bins, double *sums) {
  const int width = (bins + 7) & ~7;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    sums[width * omp_get_thread_num() + bin[i]] += 1;
}
void rounded_later(const int *bin, int n, int bins, double *sums) {
  int width = bins;
  if (width % 8 != 0)
    width += 8 - width % 8;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    sums[width * omp_get_thread_num() + bin[i]] += 1;
}
struct wide {
  double *rows;
  int room;
};
void set_room(struct wide *w, int bins) { w->room = (bins / 8 + 1) * 8; }
void rounded_field(struct wide *w, const int *bin, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    w->rows[w->room * omp_get_thread_num() + bin[i]] += 1;
}
void named(const int *bin, int n, int padded_bins, double *sums) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    sums[padded_bins * omp_get_thread_num() + bin[i]] += 1;
}
void whole_lines(const int *bin, int n, int lines, double *sums) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    sums[8 * lines * omp_get_thread_num() + bin[i]] += 1;
}
// A part of one array for each thread, and rows that are filled in once.
void parts(double *all, int n) {
#pragma omp parallel
  {
    const int part = n / omp_get_max_threads();
    for (int i = 0; i < part; i++)
      all[part * omp_get_thread_num() + i] += 1;
  }
}
void fill(double *rows, int width) {
#pragma omp parallel
  for (int i = 0; i < width; i++)
    rows[width * omp_get_thread_num() + i] = i;
}
// Nobody's number.
void not_threads(double *rows, const int *row, int width, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    rows[width * row[i] + 1] += 1;
}
