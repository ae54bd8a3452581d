// RUN: %check_tidy %s linesman-thread-slot %t -- -fopenmp
// Threads take the turns of a loop as they come: neighbouring turns run at the
// same time, and add to neighbouring elements.
#include "threads.h"

struct Matrix {
  double *data;
  int columns;
  double &operator()(int row, int column) { return data[row * columns + column]; }
  double operator()(int row, int column) const { return data[row * columns + column]; }
};
struct Pair {
  double x, y;
};
double weight(const double *at, int i, int j);

// ---- Rows of three sums, elements of a vector, a row by its address, arrays
// in an array, fields.
void forces(double *force, const double *at, int n, int m) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      force[3 * i] += at[i] - at[j];
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each turn adds to its own part of 'forces::force' here, in a loop, and threads take the turns one by one, but parts are 24 bytes apart and a cache line has 64: threads that have neighbouring turns write the same line, unless the compiler keeps the sum in a register; add up in a local variable of the turn, and store that once [linesman-thread-slot]
      force[3 * i + 1] -= at[j];
    }
}
void counts(std::vector<long> &found, std::vector<std::vector<int>> &in, int n) {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < n; ++i)
      for (int each : in[i])
        if (each > 3)
          ++found[i];
    // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: each turn adds to its own part of 'counts::found' here, in a loop, and threads take the turns 2 at a time, but parts are 8 bytes apart
  }
}
void matrix(Matrix &force, const double *at, int n, int m) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) {
    double *own = &force(i, 0);
    for (int j = 0; j < m; j++) {
      own[0] += at[j];
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each turn adds to its own part of 'matrix::force' here, in a loop, and threads take the turns one by one, but parts are as short as the few columns that are used
      own[1] += at[j] * at[i];
    }
  }
}
void arrays(int (*bins)[4], Pair *sums, const int *at, int n, int m) {
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      bins[i][at[j] & 3]++;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each turn adds to its own part of 'arrays::bins' here
      sums[i].y += at[j];
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each turn adds to its own part of 'arrays::sums' here
    }
}
struct Grid {
  long *hits;
  void fill(const int *at, int n, int m) {
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        hits[i] += at[j];
    // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: each turn adds to its own part of 'Grid::hits' here
  }
};

// ---- A sum of the turn's own, stored once; through a pointer that may be to
// it as well.
void once(long *sums, const int *at, int n, int m) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) {
    long own = 0;
    for (int j = 0; j < m; j++)
      own += at[j];
    sums[i] += own;
  }
}
void either(Matrix &force, const double *at, int n, int m) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) {
    double own[2] = {0, 0}, *to = &force(i, 0);
    if (m > 1)
      to = own;
    for (int j = 0; j < m; j++) {
      to[0] += at[j];
      to[1] += at[i];
    }
    force(i, 0) += own[0];
  }
}

// ---- Each thread has many neighbouring turns; or lines of them; elements are
// lines; a row is long, as its columns show.
void chunks(long *sums, long *lines, double (*wide)[8], Matrix &table, const int *at, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sums[i] += at[j];
#pragma omp parallel for schedule(dynamic, 64)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sums[i] += at[j];
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      lines[8 * i] += at[j];
      wide[i][0] += at[j];
      table(i, 0) += at[j];
      table(i, 12) += at[j];
    }
}

// ---- The turn's loop goes along the row; each addition is long; the array is
// the thread's.
void other(long *sums, double *slow, const double *at, int n, int m) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sums[i * m + j] += 1;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      slow[i] += weight(at, i, j);
#pragma omp parallel
  {
    long own[16] = {0};
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 16; i++)
      for (int j = 0; j < m; j++)
        own[i] += j;
    sums[0] += own[0];
  }
}
