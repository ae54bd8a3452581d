// What a region of main() calls, threads run: it is not start-up, although only
// main() calls it.
// RUN: %check_tidy %s 'linesman-global-write,linesman-thread-slot' %t -- -fopenmp

extern "C" int omp_get_thread_num(void);

static long count;
static void add() { count++; }
// CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'count' has static storage, and 'add' updates it

struct Totals {
  long hits, misses;
};
static Totals totals;
static void note(bool hit) {
  if (hit)
#pragma omp atomic
    totals.hits++;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'totals.hits' has static storage, and 'note' updates it
  else
#pragma omp atomic
    totals.misses++;
}
static void look(const int *at, int n) {
  for (int i = 0; i < n; i++)
    note(at[i] > 3);
}

static int counts[64];
static void count_own(int thread) { counts[thread]++; }
// CHECK-MESSAGES: :[[@LINE-1]]:37: warning: each thread writes its own element of 'counts' here

// A step that main() calls once, with a region in it.
static long steps;
static void step() { steps++; }
// CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 'steps' has static storage, and 'step' updates it
static void solve(int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    step();
}

// ---- From here on: nothing.

// By one thread, before and after the region.
static long rounds;
static void prepare() { rounds++; }
// What a region does that fills a table when the program starts.
static long filled;
static void fill_one() { filled++; }
static void init_table(int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    fill_one();
}
// Behind a branch that the source calls unlikely.
static long errors;
static void complain() { errors++; }
// A sum of each thread's own.
static thread_local long mine;
static void add_mine() { mine++; }

int main(int n, char **) {
  int at[100] = {};
  init_table(n);
  for (int i = 0; i < n; i++)
    prepare();
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    add();
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    look(at, n);
#pragma omp parallel
  {
    int thread = omp_get_thread_num();
    for (int i = 0; i < n; i++) {
      count_own(thread);
      add_mine();
      if (__builtin_expect(at[i] < 0, 0))
        complain();
    }
  }
  solve(n);
  return int(count + totals.hits + totals.misses + counts[0] + steps + rounds +
             filled + errors + mine);
}
