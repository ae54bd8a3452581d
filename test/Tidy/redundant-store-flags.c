// RUN: %check_tidy %s linesman-redundant-store %t -- -fopenmp
// A flag of all threads of a region, which each of them sets again and again.

int done;
static int changed;

int mark_next(int n, const int *row, const int *column, int *level, int now) {
  done = 1;
#pragma omp parallel for
  for (int v = 0; v < n; ++v)
    if (level[v] == now)
      for (int e = row[v]; e < row[v + 1]; ++e)
        if (level[column[e]] < 0) {
          level[column[e]] = now + 1;
          done = 0;
          // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: the threads that run this loop store the same constant to 'done', which they all share, even after another thread has stored it: the cache line moves to this core for nothing; test before storing, or let each thread keep its own flag and combine the flags afterwards
        }
  return done;
}

// A local of the function is one for all threads of its region, and so is a
// field of what it was given.
struct graph {
  int n, is_empty;
  int *level;
};
int lower(struct graph *g, const int *limit) {
  int again = 0;
  g->is_empty = 1;
#pragma omp parallel for
  for (int v = 0; v < g->n; ++v)
    if (g->level[v] > limit[v]) {
      g->level[v] = limit[v];
      again = 1;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: the threads that run this loop store the same constant to 'again'
      g->is_empty = 0;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: the threads that run this loop store the same constant to 'graph::is_empty'
    }
  return again;
}

// Nothing else is done, but the loop around the threads goes on by it.
void relax(int n, const double *from, double *to) {
  do {
    changed = 0;
#pragma omp parallel for
    for (int v = 0; v < n; ++v) {
      double step = from[v] - to[v];
      if (step > 0.01)
        changed = 1;
      // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: the threads that run this loop store the same constant to 'changed'
      to[v] += step / 2;
    }
  } while (changed);
}

// On every turn, and in a function that each turn calls.
static int touched;
static void touch(int *all, int v) {
  all[v] = 1;
  touched = 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: the threads that run this loop store the same constant to 'touched'
}
int touch_all(int n, int *all) {
  int seen = 0;
#pragma omp parallel for
  for (int v = 0; v < n; ++v) {
    touch(all, v);
    seen = 1;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: the threads that run this loop store the same constant to 'seen'
  }
  return seen + touched;
}

// ---- From here on: nothing.

// Tested first; each thread's own, which a clause combines; set once a thread.
int quiet(int n, const int *from, int *to) {
  int tested = 0, reduced = 0, local = 0;
#pragma omp parallel for reduction(| : reduced)
  for (int v = 0; v < n; ++v)
    if (from[v] > to[v]) {
      to[v] = from[v];
      if (!tested)
        tested = 1;
      reduced = 1;
    }
#pragma omp parallel
  {
    int own = 0;
#pragma omp for
    for (int v = 0; v < n; ++v)
      if (from[v] < to[v]) {
        to[v] = from[v];
        own = 1;
      }
    if (own)
      local = 1;
  }
  return tested + reduced + local;
}

// What says how it ends; a single comparison that nothing goes on by.
int compare(int n, const int *a, int *b) {
  int failed = 0, differs = 0;
#pragma omp parallel for
  for (int v = 0; v < n; ++v) {
    if (a[v] < 0) {
      b[v] = 0;
      failed = 1;
    }
    if (a[v] != b[v])
      differs = 1;
  }
  return failed + differs;
}

// Asked for by the threads; more than one value; without threads.
int asked(int n, const int *a, int *b) {
  int state = 0, stopping = 0, alone = 0;
#pragma omp parallel for
  for (int v = 0; v < n; ++v) {
    if (stopping)
      continue;
    if (a[v] < b[v]) {
      b[v] = a[v];
      stopping = 1;
      state = 1;
    } else {
      b[v] = 2;
      state = 2;
    }
  }
  for (int v = 0; v < n; ++v)
    if (a[v] > b[v]) {
      b[v] = a[v];
      alone = 1;
    }
  return state + stopping + alone;
}
