// Critical sections without a name, which are one lock for the whole program.
// RUN: %check_tidy %s linesman-global-write %t -- -fopenmp

void add_part(double *to, const double *part, int n);
void work(double *part, int i);
extern "C" int printf(const char *, ...);

void spread(double *to, int n) {
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < n; ++i) {
    double part[100];
    work(part, i);
#pragma omp critical
    // CHECK-MESSAGES: :[[@LINE-1]]:1: warning: this critical section has no name: it has one lock with all others of the program that have none, and 'spread' enters it on each turn of a region's loop or on each call
    add_part(to, part, 100);
  }
}

// A function that threads of a region call.
struct Model {
  double sums[3];
  void add(const double *own) {
#pragma omp critical
    {
      sums[0] += own[0];
      sums[1] += own[1];
    }
  }
};

void add(Model &model, const double *own) { model.add(own); }

// The fix: a name, or once a thread.
void spread_named(double *to, int n) {
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < n; ++i) {
    double part[100];
    work(part, i);
#pragma omp critical(spread)
    add_part(to, part, 100);
  }
}

void spread_once(double *to, int n) {
#pragma omp parallel
  {
    double part[100];
#pragma omp for
    for (int i = 0; i < n; ++i)
      work(part, i);
#pragma omp critical
    add_part(to, part, 100);
  }
}

// Now and then, what is said, and a sum at the end of a turn's work.
void others(double *to, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double part[100];
    work(part, i);
    if (part[0] < 0) {
#pragma omp critical
      add_part(to, part, 100);
    }
#pragma omp critical
    printf("%d done\n", i);
#pragma omp critical
    to[i % 8] += part[1];
  }
}
