// What Strict adds to each check, beside sentinel-write, whose own test has it.
// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s 'linesman-*' %t
// RUN: %check_tidy -check-suffix=STRICT -config="{CheckOptions: {Likeliest: false, Strict: true}}" %s 'linesman-*' %t
// RUN: %check_tidy -check-suffix=ONE -config="{CheckOptions: {Likeliest: false, linesman-global-write.Strict: true}}" %s 'linesman-*' %t
#include "threads.h"

// adjacent-hot-fields: a static counter with nothing that says threads, and a
// pair that shares a line for few of the bases.
struct Scripts {
  const char *table;
  long memory;
};
static Scripts scripts;
const char *find_script() { return scripts.table; }
void more_scripts() {
  scripts.memory += 8; // NOLINT(linesman-global-write)
  // CHECK-MESSAGES-STRICT: :[[@LINE-1]]:3: warning: 'Scripts::memory' (offset 8) is updated here{{.*}} [linesman-adjacent-hot-fields]
}
struct Apart {
  std::atomic<long> hits;
  char name[40];
  long limit;
  void hit() { hits++; }
  // CHECK-MESSAGES-STRICT: :[[@LINE-1]]:16: warning: 'Apart::hits' (offset 0) is updated here{{.*}} [linesman-adjacent-hot-fields]
  long get() const { return limit; }
  // Else global-write says that nothing decides by it.
  bool isBusy() const {
    if (hits.load() > 8)
      return true;
    return false;
  }
};

// const-path-write: elements at a variable index.
struct Sharded {
  int get(int Shard) const {
    ++reads[Shard];
    // CHECK-MESSAGES-STRICT: :[[@LINE-1]]:5: warning: 'Sharded::get' promises not to change {{.*}} [linesman-const-path-write]
    return value;
  }
  int value;
  mutable int reads[4];
};

// global-write: a flag that is only set, a claim.
int mode;
void select() {
  mode = 1;
  // CHECK-MESSAGES-STRICT: :[[@LINE-1]]:3: warning: 'mode' has static storage{{.*}} [linesman-global-write]
  // CHECK-MESSAGES-ONE: :[[@LINE-2]]:3: warning: 'mode' has static storage{{.*}} [linesman-global-write]
}
int selected() { return mode; }

// thread-slot: a container of its own for each thread, changed as a whole.
thread_local int thread_index;
struct Queue {
  Queue &operator=(int);
  long size;
};
static Queue queues[8];
void empty() {
  queues[thread_index] = 0;
  // CHECK-MESSAGES-STRICT: :[[@LINE-1]]:3: warning: each thread writes its own element of 'queues'{{.*}} [linesman-thread-slot]
}
long size(int I) { return queues[I].size; }

// write-only-global: what start-up code writes.
static int started;
void init_all() { started = 1; }
// CHECK-MESSAGES-STRICT: :[[@LINE-1]]:19: warning: 'started' is written here and never read{{.*}} [linesman-write-only-global]
