// RUN: %check_tidy %s linesman-thread-slot %t -- -std=c++17 -fopenmp
// Elements that threads of a region hand to a function by reference.
#include "threads.h"
extern "C" int omp_get_thread_num();

static long sieve(int from, int to, long &found, long &steps) {
  long sum = 0;
  for (int i = from; i < to; ++i) {
    found += i % 3 == 0;
    steps++;
    sum += found;
  }
  return sum;
}
long sieve_all(int n, int threads) {
  std::vector<long> found(threads), steps(threads);
  long sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
  for (int i = 0; i < threads; ++i)
    sum += sieve(i * n, i * n + n, found[i], steps[i]);
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: each thread writes its own element of 'sieve_all::found' here, but elements are 8 bytes apart
  // CHECK-MESSAGES: :[[@LINE-2]]:12: warning: each thread writes its own element of 'sieve_all::steps' here, but elements are 8 bytes apart
  return sum + found[0] + steps[0];
}
// As many turns as there are threads, as the bound's name says.
long sieve_named(const int *all, int n, int num_threads) {
  std::vector<long> sums(num_threads);
#pragma omp parallel for
  for (int t = 0; t < num_threads; ++t)
    for (int i = t; i < n; i += num_threads)
      sums[t] += all[i];
  // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'sieve_named::sums' here
  return sums[0];
}

// A class whose operator picks the first of as many as fill a line, and one
// whose do not.
template <typename T> struct Padded {
  std::vector<std::array<T, 64 / sizeof(T)>> data;
  explicit Padded(int n) : data(n) {}
  T &operator[](unsigned long at) { return data[at][0]; }
};
struct Sum {
  double a, b, c;
};
double add_wide(const double *all, int n) {
  Padded<Sum> sums(64);
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    sums[omp_get_thread_num()].a += all[i];
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'add_wide::sums' here, but elements are 48 bytes apart
  return sums[0].a;
}

// ---- From here on: nothing.

double add_padded(const double *all, int n) {
  Padded<double> sums(64);
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    sums[omp_get_thread_num()] += all[i];
  return sums[0];
}
// The function only looks; or stores once what it has counted.
static long look(int n, const long &from) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += from;
  return sum;
}
static void store(int n, long &to) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i * i;
  to = sum;
}
long look_all(int n, int threads) {
  std::vector<long> from(threads), to(threads);
  long sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
  for (int i = 0; i < threads; ++i) {
    sum += look(n, from[i]);
    store(n, to[i]);
  }
  return sum + to[0];
}
// Many turns a thread, each with an element of its own.
void store_each(int n, std::vector<long> &to) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    store(i, to[i]);
}
