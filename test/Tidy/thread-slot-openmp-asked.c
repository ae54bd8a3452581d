// RUN: %check_tidy %s linesman-thread-slot %t -- -fopenmp
// As many turns as threads, where the clause and the bound ask one function.
int threads_to_use(void);
int other_number(void);
int threads_of(int);

void sum(const double *all, int n, double *parts) {
  const int count = threads_to_use();
#pragma omp parallel for num_threads(threads_to_use())
  for (int t = 0; t < count; t++)
    for (int i = t * n / count; i < (t + 1) * n / count; i++)
      parts[t] = all[i] + parts[t];
  // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'sum::parts' here, but elements are 8 bytes apart
}
void sum_directly(const double *all, int n, double *direct) {
#pragma omp parallel for num_threads(threads_to_use())
  for (int t = 0; t < threads_to_use(); t++)
    for (int i = 0; i < n; i++)
      direct[t] += all[i];
  // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'sum_directly::direct' here, but elements are 8 bytes apart
}

// ---- From here on: nothing.

// The fix: a local of the thread.
void sum_once(const double *all, int n, double *parts) {
  const int count = threads_to_use();
#pragma omp parallel for num_threads(threads_to_use())
  for (int t = 0; t < count; t++) {
    double own = 0;
    for (int i = t * n / count; i < (t + 1) * n / count; i++)
      own += all[i];
    parts[t] = own;
  }
}
// Another number; a number that depends on something; a part of the number.
void each_row(const double *all, int n, int limit, double *sums) {
  const int rows = other_number();
#pragma omp parallel for num_threads(threads_to_use())
  for (int r = 0; r < rows; r++)
    for (int i = 0; i < n; i++)
      sums[r] += all[r * n + i];
  const int parts = threads_of(n);
#pragma omp parallel for num_threads(threads_of(limit))
  for (int r = 0; r < parts; r++)
    for (int i = 0; i < n; i++)
      sums[r] += all[r * n + i];
  const int twice = 2 * threads_to_use();
#pragma omp parallel for num_threads(threads_to_use())
  for (int r = 0; r < twice; r++)
    for (int i = 0; i < n; i++)
      sums[r] += all[r * n + i];
}
