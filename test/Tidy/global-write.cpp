// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-global-write %t
// RUN: %check_tidy -check-suffix=EXTERN -config="{CheckOptions: {Likeliest: false, linesman-global-write.InternalLinkage: false}}" %s linesman-global-write %t
// RUN: %check_tidy -check-suffix=IGNORED -config="{CheckOptions: {Likeliest: false, IgnoredVariables: '.*'}}" %s linesman-global-write %t
#include "threads.h"

std::atomic<long> requests;
static std::atomic<long> misses;

void handle() {
  requests.fetch_add(1, std::memory_order_relaxed);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'requests' has static storage, and 'handle' updates it: its cache line moves to the core that runs the call and away from all others; keep one copy per thread and add them where it is read [linesman-global-write]
  // CHECK-MESSAGES-EXTERN: :[[@LINE-2]]:3: warning: 'requests' has static storage
  ++misses;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'misses' has static storage, and 'handle' updates it:
}

// The same cause as above.
void handle_other() { requests++; }

namespace server {
static long bytes_sent;
struct Stats {
  std::atomic<int> open;
};
Stats stats;
void send(long N) {
  bytes_sent += N;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'server::bytes_sent' has static storage, and 'server::send' updates it:
  for (long I = 0; I < N; ++I)
    stats.open += 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'server::stats.open' has static storage, and 'server::send' updates it, in a loop:
  // CHECK-MESSAGES-EXTERN: :[[@LINE-2]]:5: warning: 'server::stats.open' has static storage
}
long sent() { return bytes_sent; }
} // namespace server

std::atomic<long> last_seen;
void touch(long Now) {
  last_seen.store(Now);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'last_seen' has static storage, and 'touch' stores to it: {{.*}}; test before storing, or keep one copy per thread and combine them where it is read
  // CHECK-MESSAGES-EXTERN: :[[@LINE-2]]:3: warning: 'last_seen'
}

// Through a wrapper: the atomic is inside.
struct Counter {
  void add() { Value.fetch_add(1); }
  std::atomic<long> Value;
};
Counter events;
void note() {
  events.add();
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'events' has static storage, and 'note' updates it:
  // CHECK-MESSAGES-EXTERN: :[[@LINE-2]]:3: warning: 'events' has static storage
}

// A singleton, and a static of a function.
struct Registry {
  static Registry &instance() {
    static Registry Only;
    return Only;
  }
  std::atomic<long> lookups;
};
void look() {
  Registry::instance().lookups++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'Registry::instance::Only.lookups' has static storage, and 'look' updates it:
  // CHECK-MESSAGES-EXTERN: :[[@LINE-2]]:3: warning: 'Registry::instance::Only.lookups'
}

// One report, with the pattern's name, however many instantiations.
template <typename T> void count(T) {
  static std::atomic<long> calls;
  calls++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'count::calls' has static storage, and 'count' updates it:
  // CHECK-MESSAGES-EXTERN: :[[@LINE-2]]:3: warning: 'count::calls'
}
void instantiate() {
  count(1);
  count(1L);
  count('c');
}

// In a macro: reported where the macro is used, so that NOLINT works there.
std::atomic<long> in_macro;
#define BUMP(x) (x).fetch_add(1)
void expand() {
  BUMP(in_macro);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'in_macro' has static storage
  // CHECK-MESSAGES-EXTERN: :[[@LINE-2]]:3: warning: 'in_macro' has static storage
}

// A loop may end with a break and still have more turns.
std::atomic<long> largest;
void find_largest(long N) {
  while (true) {
    if (N > 3)
      largest = N;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'largest' has static storage, and 'find_largest' stores to it, in a loop:
    // CHECK-MESSAGES-EXTERN: :[[@LINE-2]]:7: warning: 'largest' has static storage
    if (--N)
      continue;
    break;
  }
}

// The elements of a std::array are in it.
static std::array<long, 8> buckets;
void fill(int I) {
  buckets[I]++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'buckets' has static storage, and 'fill' updates an element of it: {{.*}}; keep one copy per thread, or give each element lines of its own if it is one thread's already
}

// ---- From here on: nothing.

// What a class object's operators give is on the heap, as a rule, and the object
// is only read.
template <typename K, typename V> struct Map {
  V &operator[](const K &);
  V &at(const K &);
};
template <typename T> struct Owner {
  T &operator*() const;
  T *operator->() const;
};
struct Sums {
  long first;
  std::atomic<long> second;
};
static std::vector<long> histogram(4096);
static std::vector<std::atomic<long>> atomics(8);
static Map<int, long> counts;
static Map<int, Sums> sums;
static struct {
  std::vector<long> histogram;
} in_record;
static Owner<std::atomic<long>> owned;
static Owner<Sums> owned_sums;
void fill_containers(int I) {
  histogram[I]++;
  atomics[I]++;
  counts[I]++;
  counts.at(I)++;
  sums[I].first++;
  sums[I].second++;
  in_record.histogram[I]++;
  ++*owned;
  owned_sums->second++;
}

// A thread's own element, of what shape it may be.
thread_local int thread_index;
static std::atomic<int> by_thread[64][16];
struct Row {
  std::atomic<int> cells[16];
};
static Row rows[64];
struct alignas(64) Line {
  long cells[8];
};
static Line lines[64];
void fill_own(int Thread, int I) {
  by_thread[thread_index][I]++;
  rows[thread_index].cells[I]++;
  lines[Thread].cells[I]++;
}

// No loop: a macro's statement, and what ends in its first turn.
#define SET(Where, Value)                                                      \
  do {                                                                         \
    (Where) = (Value);                                                         \
  } while (0)
std::atomic<long> last_error, last_large, last_seen_once, last_first;
void fail(long N, const std::array<long, 4> &All) {
  if (N < 0)
    SET(last_error, N);
  while (true) {
    if (N > 3)
      last_large.store(N);
    break;
  }
  for (; N;) {
    last_seen_once = N;
    return;
  }
  for (long Each : All.Elements) {
    last_first = Each;
    break;
  }
}

thread_local long own_requests;
void own() { ++own_requests; }

// Under a lock.
std::mutex lock;
long guarded;
long annotated __attribute__((guarded_by(lock)));
void publish(long);
void guard() {
  std::lock_guard<std::mutex> Held(lock);
  // CHECK-MESSAGES: :[[@LINE-1]]:36: warning: 'lock' is one lock for the whole program, and 3 functions take it for a few statements each, here 'guard'
  // CHECK-MESSAGES-EXTERN: :[[@LINE-2]]:36: warning: 'lock' is one lock for the whole program
  ++guarded;
  publish(guarded);
}
void take_and_give() {
  lock.lock();
  ++guarded;
  lock.unlock();
}
static void called_with_lock() { ++guarded; }
void call_with_lock() {
  std::unique_lock<std::mutex> Held(lock);
  called_with_lock();
}
void by_annotation() { ++annotated; }

// Start-up, construction, main.
std::atomic<int> modules;
int configured;
void init_modules() { modules++; }
static void helper() { modules++; }
void initialize() { helper(); }
struct Object {
  Object() { ++modules; }
  ~Object() { --modules; }
};
int main() {
  modules++;
  ++configured;
}

// A flag that is raised, tested first, or that holds a constant.
std::atomic<bool> stopping;
void stop() { stopping.store(true); }
std::atomic<long> newest;
void keep_newest(long N) {
  if (newest.load() < N)
    newest.store(N);
}

// An iteration's state.
static int position;
int next() {
  position++;
  if (position == 8)
    position = 0;
  return position;
}

// The user's word.
[[clang::annotate("linesman:shared-ok")]] std::atomic<long> accepted;
void accept() { accepted++; }
std::atomic<long> silenced;
void silence() { silenced++; } // NOLINT(linesman-global-write)

// Locals and parameters.
void local(long *Out) {
  long N = 0;
  ++N;
  *Out += N;
}

// Elements of whole lines, one for each user of the array.
struct alignas(64) Pending {
  std::atomic<unsigned long> value;
};
Pending pending[8];
void set_pending(int Index, unsigned long Count) {
  pending[Index].value.store(Count);
}
