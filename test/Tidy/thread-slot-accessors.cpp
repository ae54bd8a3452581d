// RUN: %check_tidy %s linesman-thread-slot %t
#include "threads.h"
// The thread's own element, as a container for each thread's value hands it
// out: by an operator, by what the caller's number is to an object.
struct Pool {
  unsigned currentThreadIndex() const;
  unsigned index() const;
};
unsigned thread_index();

template <typename T> class PerThread {
public:
  T &operator*() { return slots[thread_index()].value; }
  T *operator->() { return &slots[thread_index()].value; }

private:
  struct Slot {
    T value;
  };
  Slot *slots;
};
PerThread<long> hits;
void serve() {
  ++*hits;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'PerThread::slots' here, but elements are 8 bytes apart
}

template <typename T> class OfPool {
public:
  T &operator*() { return data[pool->currentThreadIndex()]; }

private:
  Pool *pool;
  T *data;
};
OfPool<int> counts;
void count() {
  *counts += 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'OfPool::data' here, but elements are 4 bytes apart
}

// A method of the element that counts in it.
struct Meter {
  long n = 0;
  void add(long by) { n += by; }
  long get() const { return n; }
};
static Meter meters[16];
void measure(long by) {
  meters[thread_index()].add(by);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'meters' here, but elements are 8 bytes apart
}

// The number of a place on the thread's own stack.
static std::atomic<long> readers[32];
int enter() {
  int here;
  unsigned mine = (reinterpret_cast<size_t>(&here) >> 12) % 32;
  readers[mine].fetch_add(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'readers' here, but elements are 8 bytes apart
  return mine;
}

// The fixes, and what is nobody's in particular: a pool's own number, a smart
// pointer, an element that is only looked at.
template <typename T> class Padded {
public:
  T &operator*() { return slots[thread_index()].value; }

private:
  struct alignas(64) Slot {
    T value;
  };
  Slot *slots;
};
Padded<long> padded;
template <typename T> struct Pointer {
  T &operator*() { return *to; }
  T *to;
};
Pointer<long> plain;
static long totals[16];
long quiet(Pool &pool) {
  ++*padded;
  ++*plain;
  totals[pool.index()]++;
  return meters[thread_index()].get();
}

// A core's element that a function gives out by the number it is asked for,
// which one of its callers asked the system for; and a lock of each core's.
int currentCore();
struct Cell {
  std::atomic<size_t> allocated;
  char *free;
};
class Cells {
  Cell *cells;
  size_t count;

public:
  Cell *at(size_t core) const { return &cells[core]; }
  Cell *own() const {
    size_t core = currentCore() % count;
    return at(core);
  }
  size_t sum() const {
    size_t all = 0;
    for (size_t i = 0; i < count; ++i)
      all += at(i)->allocated.load();
    return all;
  }
};
void allocate(const Cells &cells, size_t n) {
  Cell *cell = cells.own();
  cell->allocated.fetch_add(n);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'Cells::cells' here, but elements are 16 bytes apart
}

// A number that comes from the running core's own record; an operator that
// takes its elements out of padded ones.
struct Core {
  int id;
  int load;
};
Core *mycpu();
struct List {
  std::atomic<void *> head;
  char name[16];
};
template <typename T> class TightCells {
  struct Slot {
    T value;
  };
  Slot slots[64];
  T *slot(int id) { return &slots[id].value; }

public:
  T &operator[](int id) { return *slot(id); }
};
template <typename T> class WideCells {
  struct alignas(64) Slot {
    T value;
  };
  Slot slots[64];
  T *slot(int id) { return &slots[id].value; }

public:
  T &operator[](int id) { return *slot(id); }
};
List lists[64];
TightCells<List> tight;
WideCells<List> wide;
void take(void *next) {
  int core = mycpu()->id;
  void *first = lists[core].head.load();
  lists[core].head.compare_exchange_strong(first, next);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'lists' here, but elements are 24 bytes apart
  tight[core].head.store(next);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'tight' here, but elements are 24 bytes apart
  wide[core].head.store(next);
  lists[mycpu()->load].head.store(next);
}
