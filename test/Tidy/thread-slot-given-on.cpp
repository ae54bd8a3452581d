// RUN: %check_tidy %s linesman-thread-slot %t
#include "threads.h"
// An element that a function gives out by the thread's number, and that its
// caller hands on.
extern "C" int omp_get_thread_num();

struct Sums {
  double parts[2];
};
double &first(Sums &sums);
inline void add(double &sum, double value) { sum += value; }
template <typename T> void fold(T &sums, double value) {
  add(first(sums), value);
}

// In the branch where there are several threads.
template <typename T> class PerThread {
  std::vector<T> all;

public:
  T &of(int thread) {
    if (all.size() == 1)
      return all[0];
    else
      return all[thread];
  }
};
void sum(PerThread<Sums> &sums, int n) {
  Sums &mine = sums.of(omp_get_thread_num());
  for (int i = 0; i < n; ++i)
    fold(mine, i);
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: whoever 'PerThread::of' gives an element of 'PerThread::all' hands it on to be written here, in a loop of 'sum', but elements are 16 bytes apart and a cache line has 64: neighbours that different threads use write the same line; give the element type alignas(64) [
}

// A counter in such an element, of the same branch.
struct Hits {
  long n;
};
template <typename T> class Slots {
  std::vector<T> all;

public:
  T &of(int thread) {
    if (thread < 0)
      return all[0];
    else {
      return all[thread];
    }
  }
};
void hit(Slots<Hits> &hits) {
  hits.of(omp_get_thread_num()).n++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: whoever 'Slots::of' gives an element of 'Slots::all' counts in it here, in 'hit', but elements are 8 bytes apart
}

// ---- From here on: nothing.

// The fix: a copy that is stored once.
struct Local {
  double parts[2];
};
double &first(Local &sums);
template <typename T> class Copied {
  std::vector<T> all;

public:
  T &of(int thread) {
    if (all.size() == 1)
      return all[0];
    else
      return all[thread];
  }
};
void sum_apart(Copied<Local> &sums, int n) {
  Local &shared = sums.of(omp_get_thread_num());
  Local mine = shared;
  for (int i = 0; i < n; ++i)
    fold(mine, i);
  shared = mine;
}

// Lines of their own.
struct alignas(64) Wide {
  double parts[2];
};
double &first(Wide &sums);
template <typename T> class Lines {
  std::vector<T> all;

public:
  T &of(int thread) {
    if (all.size() == 1)
      return all[0];
    else
      return all[thread];
  }
};
void sum_wide(Lines<Wide> &sums, int n) {
  Wide &mine = sums.of(omp_get_thread_num());
  for (int i = 0; i < n; ++i)
    fold(mine, i);
}

// Once, only looked at, and not a thread's.
struct Once {
  double parts[2];
};
double &first(Once &sums);
template <typename T> class Filled {
  std::vector<T> all;

public:
  T &of(int thread) {
    if (all.size() == 1)
      return all[0];
    else
      return all[thread];
  }
};
void fill(Filled<Once> &sums) {
  Once &mine = sums.of(omp_get_thread_num());
  fold(mine, 1);
}
struct Seen {
  double parts[2];
};
double look(const Seen &sums);
template <typename T> class Table {
  std::vector<T> all;

public:
  T &of(int thread) {
    if (all.size() == 1)
      return all[0];
    else
      return all[thread];
  }
};
double watch(Table<Seen> &sums, int n) {
  double most = 0;
  Seen &mine = sums.of(omp_get_thread_num());
  for (int i = 0; i < n; ++i)
    most += look(mine);
  return most;
}
struct Row {
  double parts[2];
};
double &first(Row &sums);
template <typename T> class Rows {
  std::vector<T> all;

public:
  T &of(int row) {
    if (all.size() == 1)
      return all[0];
    else
      return all[row];
  }
};
void each(Rows<Row> &rows, int n) {
  Row &row = rows.of(n / 2);
  for (int i = 0; i < n; ++i)
    fold(row, i);
}
// So large that only the ends of neighbours meet: what is written, nobody sees.
struct Large {
  double parts[25];
};
double &first(Large &sums);
template <typename T> class Contexts {
  std::vector<T> all;

public:
  T &of(int thread) {
    if (all.size() == 1)
      return all[0];
    else
      return all[thread];
  }
};
void sum_large(Contexts<Large> &sums, int n) {
  Large &mine = sums.of(omp_get_thread_num());
  for (int i = 0; i < n; ++i)
    fold(mine, i);
}
