// RUN: %check_tidy %s linesman-thread-slot %t -- -std=c++20
// An array has an element for each thread, as the name of its bound says. Who
// is handed a number and counts in that element has one of the threads'.
#include "threads.h"
extern "C" void *calloc(unsigned long, unsigned long);

#define MAX_THREADS 64
constexpr int kMaxWorkers = 32;
extern int nthreads;

// ---- A macro, a constant, an argument of a template.
long hits[MAX_THREADS];
void count(int me) {
  hits[me]++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'hits' here, but elements are 8 bytes apart and a cache line has 64
}
struct Queue {
  int *head;
  long used;
};
Queue queues[kMaxWorkers + 1];
void put(int *what, unsigned queue) {
  queues[queue].head = what;
  queues[queue].used++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'queues' here
}
std::array<std::atomic<long>, kMaxWorkers> done;
void finish(int which) {
  done[which].fetch_add(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'done' here
}

// ---- What a member is made, resized or filled with.
struct Pool {
  std::vector<long> served, waited;
  double *sums;
  int *steps;
  explicit Pool(int num_threads) : served(num_threads), sums(new double[num_threads]) {
    waited.resize(num_threads);
    steps = static_cast<int *>(calloc(nthreads, sizeof(int)));
  }
  void serve(int slot) {
    served[slot] += 1;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'Pool::served' here
    waited[slot] += 2;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'Pool::waited' here
    sums[slot] += 0.5;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'Pool::sums' here
    steps[slot]++;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'Pool::steps' here
  }
};

// ---- A project's own malloc, behind a macro.
extern "C" void *crypto_malloc(unsigned long, const char *, int);
extern "C" void *crypto_aligned_malloc(unsigned long, unsigned long);
#define CRYPTO_MALLOC(size) crypto_malloc(size, __FILE__, __LINE__)
static size_t *rounds, *aligned;
static unsigned threadcount;
void make() {
  rounds = static_cast<size_t *>(CRYPTO_MALLOC(sizeof(size_t) * threadcount));
  aligned = static_cast<size_t *>(crypto_aligned_malloc(64, sizeof(size_t) * threadcount));
}
void work(size_t num) {
  rounds[num]++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'rounds' here
  aligned[num]++;
}

// ---- From here on: nothing.

// Elements of whole lines.
struct alignas(64) Slot {
  long n;
};
Slot slots[MAX_THREADS];
void count_apart(int me) { slots[me].n++; }
// What bounds it is no number of threads, or of something that a thread has.
#define MAX_KEYS 64
#define THREAD_NAME_LENGTH 64
#define THREADS_PER_BLOCK 64
long keys[MAX_KEYS], letters[THREAD_NAME_LENGTH], lanes[THREADS_PER_BLOCK];
void count_key(int key) {
  keys[key]++;
  letters[key]++;
  lanes[key]++;
}
// Pieces of each thread, not elements.
long *pieces = new long[nthreads * 100];
void count_piece(int at) { pieces[at]++; }
// Somebody goes through them all; or sets one, when a thread begins.
long sums[MAX_THREADS], states[MAX_THREADS];
void add_up() {
  for (int i = 0; i < MAX_THREADS; ++i)
    sums[i] += i;
}
void add(int at, long n) { sums[at] += n; }
void add_to_all() {
  for (int i = 0; i < MAX_THREADS; ++i)
    add(i, 1);
}
void begin(int me) { states[me] = 1; }
// One at a time.
std::mutex lock;
long locked[MAX_THREADS];
void count_locked(int me) {
  std::lock_guard<std::mutex> hold(lock);
  locked[me]++;
}
// A kind of something, which an enumeration names.
enum Kind { Small, Large };
long kinds[MAX_THREADS];
void count_kind(Kind kind) { kinds[kind]++; }
