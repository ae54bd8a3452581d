// Directives of all sorts, in templates and lambdas, with nothing to find: what
// they capture is read as the code that it is.
// RUN: %check_tidy %s linesman-* %t -- -fopenmp -fopenmp-version=52
int omp_get_thread_num();
int of(int);
template <typename T> T sum(const T *all, int n) {
  T total = 0;
#pragma omp parallel for simd reduction(+ : total) schedule(static, 4)
  for (int i = 0; i < n; i++)
    total += all[i];
#pragma omp declare reduction(most : T : omp_out = omp_in) initializer(omp_priv = 0)
  T most = 0;
#pragma omp parallel for reduction(most : most)
  for (int i = 0; i < n; i++)
    most = all[i] > most ? all[i] : most;
  return total + most;
}
template double sum<double>(const double *, int);
long many(const int *all, int n, int *into) {
  long total = 0;
  auto look = [&](int from) {
#pragma omp parallel master taskloop
    for (int i = from; i < n; i++)
      into[i] = of(all[i]);
#pragma omp parallel
    {
#pragma omp barrier
#pragma omp single nowait
      into[0] = 1;
#pragma omp sections
      {
#pragma omp section
        into[1] = 2;
#pragma omp section
        into[2] = 3;
      }
#pragma omp task depend(in : into[0])
      into[3] = omp_get_thread_num();
#pragma omp taskwait
#pragma omp critical(name)
      total++;
#pragma omp masked
      into[4]++;
#pragma omp flush
#pragma omp cancel parallel
    }
  };
  look(0);
#pragma omp target teams distribute parallel for map(tofrom : into[0 : n]) private(total)
  for (int i = 0; i < n; i++)
    into[i] = all[i];
#pragma omp target parallel
  into[0]++;
#pragma omp teams loop
  for (int i = 0; i < n; i++)
    into[i] += all[i];
#pragma omp parallel loop private(total)
  for (int i = 0; i < n; i++)
    total = all[i];
#pragma omp parallel for ordered collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++) {
#pragma omp ordered
      into[j] = i;
    }
#pragma omp tile sizes(4)
  for (int i = 0; i < n; i++)
    into[i]--;
#pragma omp parallel for
#pragma omp unroll partial(2)
  for (int i = 0; i < n; i++)
    into[i]--;
#pragma omp atomic capture
  {
    total = into[0];
    into[0]++;
  }
  return total;
}
