// RUN: %check_tidy %s linesman-write-only-global %t -- -fopenmp

static int nobody;
void set_nobody(int v) {
  nobody = v;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'nobody' is written here and never read
}

// Read by regions and by clauses.
static int region, threads, chunk, copied, simd, atomically;
void set(int v) {
  region = v;
  threads = v;
  chunk = v;
  copied = v;
  simd = v;
  atomically = v;
}
void work(int n, long *a) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    a[i] += region;
#pragma omp parallel num_threads(threads)
  a[0]++;
#pragma omp parallel for schedule(dynamic, chunk)
  for (int i = 0; i < n; i++)
    a[i]++;
#pragma omp task firstprivate(copied)
  a[0] = copied;
#pragma omp simd
  for (int i = 0; i < n; i++)
    a[i] += simd;
#pragma omp atomic read
  n = atomically;
  a[0] = n;
}
