// Critical sections that a loop enters on each turn, only to add.
// RUN: %check_tidy %s linesman-global-write %t -- -fopenmp

struct Grid {
  double *sums;
  double total;
  int size;
  void add(const double *points);
  void add_once(const double *points);
};

void Grid::add(const double *points) {
#pragma omp parallel
  {
    double *own = new double[size]();
#pragma omp for
    for (int p = 0; p < size; ++p)
      own[p % 4] += points[p];
    for (int i = 0; i < size; ++i) {
#pragma omp critical(grid)
      sums[i] += own[i];
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each turn of this loop enters the critical section 'grid', which is one lock for all threads, for nothing but to add to an element of 'Grid::sums'
    }
    delete[] own;
  }
}

// The fix: once for the thread.
void Grid::add_once(const double *points) {
#pragma omp parallel
  {
    double *own = new double[size]();
#pragma omp for
    for (int p = 0; p < size; ++p)
      own[p % 4] += points[p];
#pragma omp critical(grid)
    for (int i = 0; i < size; ++i)
      sums[i] += own[i];
    delete[] own;
  }
}

void histogram(const int *values, int n, long *bins) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
#pragma omp critical
    bins[values[i]] += 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each turn of this loop enters a critical section without a name, which is one lock for all threads, for nothing but to add to an element of 'histogram::bins'
}

double work(int);

// What a turn does otherwise is its work: the section is entered once for it.
void worked(int n, double *sums) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double value = work(i);
#pragma omp critical
    sums[i % 8] += value;
  }
}

// The thread's own, which needs no section.
void own(int n, double *out) {
#pragma omp parallel
  {
    double mine[8] = {};
    for (int i = 0; i < n; ++i) {
#pragma omp critical
      mine[i % 8] += i;
    }
#pragma omp critical
    out[0] += mine[0];
  }
}

// Whose threads, the unit does not tell.
void alone(int n, double *sums, const double *add) {
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    // CHECK-MESSAGES: :[[@LINE-1]]:1: warning: this critical section has no name: it has one lock with all others of the program that have none, and 'alone' enters it
    sums[i] += add[i];
  }
}

// The section guards more than a sum.
void more(int n, double *sums, double *all) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    {
      sums[i % 8] += i;
      all[i % 8] = sums[i % 8];
    }
  }
}
