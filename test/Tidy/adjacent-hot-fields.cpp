// RUN: %check_tidy %s linesman-adjacent-hot-fields %t
// RUN: %check_tidy -check-suffix=BIG -config="{CheckOptions: {CacheLineSize: 128}}" %s linesman-adjacent-hot-fields %t
// RUN: %check_tidy -check-suffix=IGNORED -config="{CheckOptions: {IgnoredTypes: '.*'}}" %s linesman-adjacent-hot-fields %t
#include "threads.h"

struct Cache {
  std::atomic<long> hits;
  long limit = 10;
  void hit() {
    hits.fetch_add(1, std::memory_order_relaxed);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Cache::hits' (offset 0) is updated here, in 'Cache::hit', and may share its cache line with 'Cache::limit' (offset 8), which 'Cache::fits' reads and no operation of this unit changes: each update makes the other cores' next read a miss; keep them a line apart [linesman-adjacent-hot-fields]
    // CHECK-MESSAGES-BIG: :[[@LINE-2]]:5: warning: 'Cache::hits' (offset 0)
  }
  bool fits(long Key) const { return Key < limit; }
};

// Aligned to a line, so that it is certain; several readers.
struct alignas(128) Whole {
  long seed;
  long scale;
  std::atomic<long> users;
  void use() {
    users++;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Whole::users' (offset 16) is updated here, in 'Whole::use', and shares its cache line with 'Whole::seed' (offset 0), which 2 functions read and no operation of this unit changes
    // CHECK-MESSAGES-BIG: :[[@LINE-2]]:5: warning: 'Whole::users' (offset 16) is updated here, in 'Whole::use', and shares its cache line
  }
  long first() const { return seed; }
  long second() const { return seed * scale; }
};

// Too far apart for a line of 64, not for one of 128.
struct Far {
  long first;
  char name[40];
  std::atomic<long> last;
};
void far_write(Far &F) {
  F.last++;
  // CHECK-MESSAGES-BIG: :[[@LINE-1]]:3: warning: 'Far::last' (offset 48) is updated here
}
long far_read(const Far &F) { return F.first; }

// One report for a template, with the pattern's name.
template <typename T> struct Pool {
  T *free_list;
  std::atomic<long> used;
  void take() {
    used++;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Pool::used' (offset 8) is updated here, in 'Pool::take', and may share its cache line with 'Pool::free_list' (offset 0)
    // CHECK-MESSAGES-BIG: :[[@LINE-2]]:5: warning: 'Pool::used' (offset 8)
  }
  T *list() const { return free_list; }
};
long instantiate(Pool<int> &A, Pool<char> &B) {
  A.take();
  B.take();
  return *A.list() + *B.list();
}

// Plain counters of a static object that is made for several threads.
struct Settings {
  int verbosity;
  int calls;
  std::atomic<bool> changed;
};
Settings settings;
int verbose() { return settings.verbosity; }
void call() {
  settings.calls++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'Settings::calls' (offset 4) is updated here, in 'call', and may share its cache line with 'Settings::verbosity' (offset 0)
  // CHECK-MESSAGES-BIG: :[[@LINE-2]]:3: warning: 'Settings::calls'
}

// A spin lock's word beside what is read without it.
struct Spinning {
  std::atomic<bool> busy;
  int mode;
  void lock() {
    while (busy.exchange(true))
      ;
    // CHECK-MESSAGES: :[[@LINE-2]]:12: warning: 'Spinning::busy' (offset 0) is updated here
    // CHECK-MESSAGES-BIG: :[[@LINE-3]]:12: warning: 'Spinning::busy' (offset 0)
  }
  int get() const { return mode; }
};

// A queue of one producer and one consumer: each has a copy of the other's
// position, which it writes plainly.
struct Ring {
  alignas(64) std::atomic<unsigned long> head{0};
  alignas(64) unsigned long tail_seen = 0;
  alignas(64) std::atomic<unsigned long> tail{0};
  alignas(64) unsigned long head_seen = 0;
  unsigned long mask = 7;
  int *slots = nullptr;
  bool push(int Item) {
    unsigned long Head = head.load();
    if (Head - tail_seen > mask)
      tail_seen = tail.load();
    slots[Head & mask] = Item;
    head.store(Head + 1);
    return true;
  }
  int pop() {
    unsigned long Tail = tail.load();
    if (head_seen == Tail)
      head_seen = head.load();
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'Ring::head_seen' (offset 192) is updated here, in 'Ring::pop', and shares its cache line with 'Ring::mask' (offset 200), which 'Ring::push' reads and no operation of this unit changes
    int Item = slots[Tail & mask];
    tail.store(Tail + 1);
    return Item;
  }
};

// Two words that are hot in one region are one finding, which names both.
struct Crowd {
  std::atomic<long> hits;
  std::atomic<long> misses;
  long limit = 10;
  void hit() { hits++; }
  void miss() { misses++; }
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: 'Crowd::misses' (offset 8) is updated here, in 'Crowd::miss', and may share its cache line with 'Crowd::limit' (offset 16), which 'Crowd::fits' reads and no operation of this unit changes: each update makes the other cores' next read a miss; keep them a line apart; also updated there: 'Crowd::hits' (offset 0)
  // CHECK-MESSAGES-BIG: :[[@LINE-2]]:17: warning: 'Crowd::misses' (offset 8)
  bool fits(long Key) const { return Key < limit; }
};

// ---- From here on: nothing.

// Isolated on purpose, in three ways. Enough for lines of 64.
struct Isolated {
  alignas(64) std::atomic<long> hits;
  alignas(64) long limit;
  void hit() { hits++; }
  // CHECK-MESSAGES-BIG: :[[@LINE-1]]:16: warning: 'Isolated::hits' (offset 0)
  long get() const { return limit; }
};
struct Padded {
  std::atomic<long> hits;
  char pad[56];
  long limit;
  void hit() { hits++; }
  // CHECK-MESSAGES-BIG: :[[@LINE-1]]:16: warning: 'Padded::hits' (offset 0)
  long get() const { return limit; }
};
struct Apart {
  std::atomic<long> hits;
  char name[128];
  long limit;
  void hit() { hits++; }
  long get() const { return limit; }
};

// Fields under one lock.
struct Locked {
  std::mutex mutex;
  std::atomic<long> hits;
  long limit;
  void hit() {
    std::lock_guard<std::mutex> Held(mutex);
    hits++;
  }
  long get() {
    std::lock_guard<std::mutex> Held(mutex);
    return limit;
  }
};
struct Annotated {
  std::mutex mutex;
  long hits __attribute__((guarded_by(mutex)));
  long limit;
};

// A reference count alone.
struct Counted {
  std::atomic<int> refcount;
  int kind;
  void ref() { refcount.fetch_add(1); }
  int get() const { return kind; }
};

// Whatever the count's name is shortened to.
struct CountedShort {
  std::atomic<int> refct, share_count;
  int kind;
  void acquire() {
    refct.fetch_add(1);
    share_count.fetch_add(1);
  }
  int get() const { return kind; }
};

// The writer is the only reader: it needs the line anyway.
struct OneFunction {
  std::atomic<long> sum;
  long factor;
  void add(long N) { sum.fetch_add(N * factor); }
};

// Both are written; neither is written per operation; a claim; a flag.
struct BothWritten {
  std::atomic<long> a;
  long b;
  void f() { a++; }
  void g() { b = 1; }
  long h() const { return b; }
};
struct Configured {
  std::atomic<int> version;
  int size;
  Configured() : size(1) { version++; }
  void configure() { version++; }
  int get() const { return size; }
};
struct Refreshed {
  std::atomic_flag refreshing;
  long interval;
  void refresh() {
    if (refreshing.test_and_set())
      return;
    refreshing.clear();
  }
  long get() const { return interval; }
};
struct Stopped {
  std::atomic<bool> stop;
  int id;
  void end() { stop.store(true); }
  int get() const { return id; }
};

// Static, but nothing in it says that there are threads.
struct Scripts {
  const char *table;
  long memory;
};
Scripts scripts;
const char *find_script() { return scripts.table; }
void add_script(long Bytes) { scripts.memory += Bytes; }

// The neighbour is read after a failure only.
struct Logger {
  std::atomic<long> processed;
  long timeout;
  void log() { ++processed; }
  void reconnect() { connect(timeout); }
  void connect(long Timeout);
};

// A holder of the lock together with what it guards.
template <typename T> struct LockHolder {
  LockHolder(T &Value, std::mutex &Mutex) : guard(Mutex), value(Value) {}
  std::lock_guard<std::mutex> guard;
  T &value;
};
template <typename T> struct Guarded {
  LockHolder<T> lock() { return LockHolder<T>(value, mutex); }
  std::mutex mutex;
  T value;
};
struct Writer {
  Guarded<int> buffer;
  std::atomic<long> written;
  long limit;
  void write() {
    auto Held = buffer.lock();
    ++written;
  }
  long get() const { return limit; }
};

// A plain counter of an object that may be one thread's.
struct Parser {
  long position;
  const char *text;
  void advance() { position++; }
  char get() const { return text[0]; }
};

// The user's word: on the record, on a field, on the line.
struct [[clang::annotate("linesman:shared-ok")]] AcceptedRecord {
  std::atomic<long> hits;
  long limit;
  void hit() { hits++; }
  long get() const { return limit; }
};
struct AcceptedField {
  [[clang::annotate("linesman:shared-ok")]] std::atomic<long> hits;
  long limit;
  void hit() { hits++; }
  long get() const { return limit; }
};
struct Silenced {
  std::atomic<long> hits;
  long limit;
  void hit() { hits++; } // NOLINT(linesman-adjacent-hot-fields)
  long get() const { return limit; }
};

// A union's members are the same bytes, not neighbours.
union Either {
  long limit;
  int small;
};

// Each side has its own copy of what it reads; a queue of one thread; a word
// that both sides look at.
struct OwnCopies {
  alignas(64) std::atomic<unsigned long> head{0};
  alignas(64) unsigned long tail_seen = 0;
  unsigned long push_mask = 7;
  alignas(64) std::atomic<unsigned long> tail{0};
  alignas(64) unsigned long head_seen = 0;
  unsigned long pop_mask = 7;
  void push() {
    if (head.load() - tail_seen > push_mask)
      tail_seen = tail.load();
    head.store(head.load() + 1);
  }
  void pop() {
    if ((head_seen & pop_mask) == tail.load())
      head_seen = head.load();
    tail.store(tail.load() + 1);
  }
};
struct OneParty {
  alignas(64) std::atomic<unsigned long> head{0};
  alignas(64) unsigned long seen = 0;
  unsigned long mask = 7;
  void push() {
    head.store(head.load() + 1);
    seen = mask;
  }
  unsigned long get() const { return mask; }
};
struct BothLook {
  alignas(64) std::atomic<unsigned long> head{0};
  alignas(64) std::atomic<unsigned long> tail{0};
  alignas(64) unsigned long seen = 0;
  unsigned long mask = 7;
  void push() {
    if (head.load() - seen > mask)
      return;
    head.store(head.load() + 1);
  }
  void pop() {
    seen = head.load();
    tail.store(tail.load() + 1);
  }
};

// The elements are somewhere else; the vector itself is only read.
struct Flags {
  std::vector<std::atomic<long>> bits;
  long limit = 10;
  void raise(long I) {
    auto &Word = bits[I];
    Word++;
  }
  void lower(long I) { bits[I].fetch_sub(1); }
  bool fits(long N) const { return N < limit; }
};

// A count that release() takes down, whatever its name is.
struct Handle {
  std::atomic<long> links;
  long size = 10;
  void link() { links.fetch_add(1); }
  bool release() { return links.fetch_sub(1) == 1; }
  bool fits(long N) const { return N < size; }
};

// A position that one thread publishes and others look at, beside what third
// parties read.
struct Progress {
  std::atomic<long> completed;
  long window;
  void advance(long N) {
    long At = completed.load();
    completed.store(At + N);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Progress::completed' (offset 0) is updated here, in 'Progress::advance', and may share its cache line with 'Progress::window' (offset 8), which 2 functions read and no operation of this unit changes
    // CHECK-MESSAGES-BIG: :[[@LINE-2]]:5: warning: 'Progress::completed' (offset 0)
  }
  bool isDone(long Task) const { return Task < completed.load(); }
  long slot(long Task) const { return Task % window; }
  bool fits(long N) const { return N < window; }
};
// A state, no position; a position that nobody tests.
struct State {
  std::atomic<long> state;
  std::atomic<long> seen;
  long window;
  void set(long New) {
    if (state.load() != New)
      state.store(New);
  }
  void note(long N) { seen.store(seen.load() + N); }
  bool isDone(long Task) const { return Task < state.load(); }
  long slot(long Task) const { return Task % window; }
  bool fits(long N) const { return N < window; }
};
