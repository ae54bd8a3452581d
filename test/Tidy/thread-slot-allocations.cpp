// RUN: %check_tidy %s linesman-thread-slot %t -- -std=c++17
#include "threads.h"
namespace std {
template <typename T> struct unique_ptr {
  explicit unique_ptr(T *);
  unique_ptr(unique_ptr &&);
  unique_ptr &operator=(unique_ptr &&);
  T *operator->() const;
  T &operator*() const;
  T *Pointer;
};
template <typename T, typename... A> unique_ptr<T> make_unique(A &&...);
} // namespace std
extern "C" void *malloc(size_t);
extern "C" void *calloc(size_t, size_t);
extern "C" void *aligned_alloc(size_t, size_t);
thread_local int thread_index;

struct Count {
  long done;
  long failed;
};
Count *counts[64];
void make_counts() {
  for (int i = 0; i < 64; i++)
    counts[i] = new Count();
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: each thread writes what its own element of 'counts' points to, in 'count', but this loop takes 16 bytes for each from the allocator, which puts neighbours on one cache line of 64; give the type alignas(64)
}
void count() { counts[thread_index]->done++; }

struct Pool {
  std::vector<std::unique_ptr<Count>> all;
  explicit Pool(int n) {
    for (int i = 0; i < n; i++)
      all.push_back(std::make_unique<Count>());
    // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: each thread writes what its own element of 'Pool::all' points to, in 'Pool::note'
  }
  void note() { all[thread_index]->failed += 2; }
};

struct Sum {
  double value;
};
Sum **sums;
void make_sums(int n) {
  for (int i = 0; i < n; i++)
    sums[i] = (Sum *)malloc(sizeof(Sum));
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: {{.*}} of 'sums' {{.*}} takes 8 bytes for each {{.*}}; take whole lines that are aligned to one
}
void add(double value) {
  Sum *own = sums[thread_index];
  for (int i = 0; i < 8; i++)
    own->value = own->value * value;
}

long *bins[64];
void make_bins() {
  for (int i = 0; i < 64; i++)
    bins[i] = (long *)calloc(6, sizeof(long));
  // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: {{.*}} of 'bins' {{.*}} takes 48 bytes for each
}
void bin(int at) { bins[thread_index][at]++; }

// Tasks that a loop gives to a pool, a sum for each.
struct Tasks {
  template <typename F> void submit(F &&Work) {}
};
double reduce(Tasks &pool, const std::vector<double> &all, int n) {
  std::vector<double> part(n);
  for (int i = 0; i < n; i++)
    pool.submit([&part, &all, i, n] {
      for (size_t k = i; k < all.size(); k += n)
        part[i] += all[k];
      // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: each thread writes its own element of 'reduce::part' here, but elements are 8 bytes apart
    });
  return part[0];
}

// ---- From here on: nothing.

double reduce_once(Tasks &pool, const std::vector<double> &all, int n) {
  std::vector<double> part(n);
  for (int i = 0; i < n; i++)
    pool.submit([&part, &all, i, n] {
      double own = 0;
      for (size_t k = i; k < all.size(); k += n)
        own += all[k];
      part[i] += own;
    });
  return part[0];
}

struct alignas(64) Wide {
  long done;
};
Wide *wide[64];
struct Large {
  long before[8];
  long done;
  long after[7];
};
Large *large[64];
long *whole[64];
Count *shared[64], *read_only[64], *one_by_one[64];
struct Settings {
  long limit;
};
Settings *settings[64];
void make(int n) {
  for (int i = 0; i < 64; i++) {
    wide[i] = new Wide();
    large[i] = new Large();
    whole[i] = (long *)aligned_alloc(64, 64);
    shared[i] = new Count();
    settings[i] = new Settings{n};
  }
  one_by_one[n] = new Count();
}
long use(int job) {
  wide[thread_index]->done++;
  large[thread_index]->done++;
  whole[thread_index][0]++;
  one_by_one[thread_index]->done++;
  shared[job]->done++;
  return settings[thread_index]->limit;
}
