// RUN: %check_tidy %s linesman-broken-isolation %t
// RUN: %check_tidy -check-suffix=BIG -config="{CheckOptions: {CacheLineSize: 128, IgnoredTypes: 'P.*|Q.*|atomic|array|Per.*'}}" %s linesman-broken-isolation %t
#include "threads.h"

thread_local int thread_index;

// The attribute is on the array, not on its elements.
alignas(64) std::atomic<long> counters[8];
// CHECK-MESSAGES: :[[@LINE-1]]:31: warning: the alignment of 'counters' is the array's, not its elements': they are 8 bytes apart, so up to 8 of them share a cache line; align the element type instead [linesman-broken-isolation]
alignas(64) std::array<std::mutex, 4> locks;
// CHECK-MESSAGES: :[[@LINE-1]]:39: warning: the alignment of 'locks' is the array's, not its elements': they are 40 bytes apart, so up to 2 of them share a cache line
struct Shards {
  alignas(64) long per_thread[16];
  // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: the alignment of 'Shards::per_thread' is the array's, not its elements'
  void count() { per_thread[thread_index]++; }
};

// An aligned field, and what follows it on its line.
struct Queue {
  alignas(64) std::atomic<long> head;
  std::atomic<long> tail;
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'Queue::tail' (offset 8) is on the cache line that the alignment of 'Queue::head' (offset 0) was meant to reserve: alignment keeps away what comes before, not what follows; align 'Queue::tail' as well
  void push() { head++; }
  void pop() { tail++; }
};
template <typename T> struct QueueOf {
  alignas(64) std::atomic<T *> head;
  std::atomic<T *> tail;
  // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: 'QueueOf::tail' (offset 8) is on the cache line that the alignment of 'QueueOf::head' (offset 0)
};
QueueOf<int> of_int;
QueueOf<char> of_char;

// Padded, not aligned.
struct Padded {
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: 'Padded' is padded to 64 bytes but aligned to 8: unless its address happens to be a multiple of 64, it shares its first cache line with whatever lies before it; align it to 64
  std::atomic<long> value;
  char pad[56];
};

// The wrong constant, and one that is too small.
struct Wrong {
  alignas(std::hardware_constructive_interference_size) std::atomic<long> a;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: hardware_constructive_interference_size is how much fits on one cache line together; to keep objects apart, align to hardware_destructive_interference_size
  // CHECK-MESSAGES-BIG: :[[@LINE-2]]:3: warning: hardware_constructive_interference_size
};
constexpr size_t kCacheLineSize = 32;
// CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'kCacheLineSize' is 32, but a cache line has 64 bytes: what is aligned or padded with it still shares lines
// CHECK-MESSAGES-BIG: :[[@LINE-2]]:18: warning: 'kCacheLineSize' is 32
const int CACHE_LINE_BYTES = 64;
// CHECK-MESSAGES-BIG: :[[@LINE-1]]:11: warning: 'CACHE_LINE_BYTES' is 64, but a cache line has 128 bytes

// An allocator that does not know.
extern "C" void *malloc(size_t);
struct alignas(64) Counter {
  std::atomic<long> value;
};
Counter *make() {
  return (Counter *)malloc(sizeof(Counter));
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'Counter' is aligned to 64 bytes, but 'malloc' promises only 16: the object may start in the middle of a cache line, which it then shares; use new, which respects the alignment since C++17
}

// ---- From here on: nothing.

struct alignas(64) Element {
  std::atomic<long> value;
};
Element elements[8];
alignas(64) char buffer[4096];
alignas(64) float vectors[16];
alignas(64) std::atomic<long> single;

struct GoodQueue {
  alignas(64) std::atomic<long> head;
  alignas(64) std::atomic<long> tail;
};
// A group: one function writes both.
struct Group {
  alignas(64) std::atomic<long> sum;
  std::atomic<long> count;
  void add(long N) {
    sum += N;
    count++;
  }
};
struct OwnerOnly {
  alignas(64) std::atomic<long> head;
  long cached_tail;
};
struct alignas(64) PaddedAndAligned {
  std::atomic<long> value;
  char pad[56];
};
struct PaddedBothSides {
  char pad_before[64];
  std::atomic<long> value;
  char pad_after[56];
};
struct Message {
  long length;
  char unused[56];
};
struct Right {
  alignas(std::hardware_destructive_interference_size) std::atomic<long> a;
};
const int cache_line_shift = 6;
Counter *make_right() { return new Counter; }
char *make_bytes() { return (char *)malloc(64); }
struct alignas(32) Simd {
  float lanes[8];
};
Simd *make_simd() { return (Simd *)malloc(sizeof(Simd)); }
[[clang::annotate("linesman:shared-ok")]] alignas(64) std::atomic<long> accepted[8];
alignas(64) std::atomic<long> silenced[8]; // NOLINT(linesman-broken-isolation)

namespace std {
struct condition_variable {
  char Bytes[48];
};
} // namespace std
// A lock beside what it is taken for; a lock in a record that its first field
// aligns; and a lock that is taken for something else.
struct Port {
  int id;
  alignas(64) std::atomic<long> queue;
  std::mutex lock;
  void post(long value) {
    lock.lock();
    queue.store(value);
    lock.unlock();
  }
  long next() const { return queue.load(); }
};
struct Waiter {
  alignas(64) std::atomic<Waiter *> next;
  std::mutex lock;
  std::condition_variable woken;
  bool is_woken;
  void wake() {
    lock.lock();
    is_woken = true;
    lock.unlock();
  }
};
struct Crowded {
  int id;
  alignas(64) std::atomic<long> count;
  std::mutex names_lock;
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: 'Crowded::names_lock' (offset 72) is on the cache line that the alignment of 'Crowded::count' (offset 64) was meant to reserve
  void add() { count++; }
  void rename(int to) {
    names_lock.lock();
    id = to;
    names_lock.unlock();
  }
};
void use(Port &port, Waiter &waiter, Crowded &crowded) {
  port.post(port.next());
  waiter.wake();
  crowded.add();
  crowded.rename(1);
}
