// RUN: %check_tidy %s linesman-thread-slot %t -- -fopenmp
// A small function computes the place of a thread's row, and an object that is
// called writes there.
#include "threads.h"
extern "C" int omp_get_thread_num();
extern "C" int omp_get_max_threads();
extern "C" void *malloc(unsigned long);

struct Plus {
  void operator()(double &to, const double &value) const { to = to + value; }
};
struct Look {
  void operator()(const double &to, const double &value) const;
};

template <typename Op> struct Bins {
  Bins(unsigned long bins)
      : bins(bins), threads(omp_get_max_threads()),
        data((double *)malloc(bins * threads * sizeof(double))) {
    for (unsigned long thread = 0; thread < threads; ++thread)
      for (unsigned long bin = 0; bin < bins; ++bin)
        data[place(bin, thread, bins)] = 0;
  }
  void combine(unsigned long bin, const double &value) {
    unsigned long thread = omp_get_thread_num();
    Op{}(data[place(bin, thread, bins)], value);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread updates its own row of 'Bins::data' here, and how many elements of 8 bytes a row has, only the running program knows
  }
  double get(unsigned long bin) const {
    double value = 0;
    for (unsigned long thread = 0; thread < threads; ++thread)
      Op{}(value, data[place(bin, thread, bins)]);
    return value;
  }
  static unsigned long place(unsigned long bin, unsigned long thread,
                             unsigned long bins) {
    return bin + thread * bins;
  }
  unsigned long bins, threads;
  double *data;
};

// One element for each thread, by a function.
struct Single {
  void add(double value) {
    Plus{}(data[place(omp_get_thread_num())], value);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'Single::data' here, but elements are 16 bytes apart
  }
  static int place(int thread) { return 2 * thread + 1; }
  double *data;
};

// Right: rows of rounded length; lines apart, as only the function says; what
// is called only looks; the caller's number picks the element.
struct Rounded {
  void combine(unsigned long bin, const double &value) {
    Plus{}(data[place(bin, omp_get_thread_num(), padded_bins)], value);
  }
  static unsigned long place(unsigned long bin, unsigned long thread,
                             unsigned long length) {
    return bin + thread * length;
  }
  unsigned long padded_bins;
  double *data;
};
struct Apart {
  void add(double value) { Plus{}(data[place(omp_get_thread_num())], value); }
  static int place(int thread) { return 8 * thread; }
  alignas(64) double data[8 * 64];
};
struct Reader {
  void ask(double value) { Look{}(data[place(omp_get_thread_num())], value); }
  static int place(int thread) { return 2 * thread; }
  double *data;
};
struct Picked {
  void add(int bin, double value) { Plus{}(data[place(bin)], value); }
  static int place(int bin) { return 2 * bin; }
  double *data;
};

void count(Bins<Plus> &bins, Single &single, Rounded &rounded, Apart &apart,
           Reader &reader, Picked &picked, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    bins.combine(i % 10, 1);
    single.add(1);
    rounded.combine(i % 10, 1);
    apart.add(1);
    reader.ask(1);
    picked.add(i % 10, 1);
  }
}
