// Locks that several functions take, for longer than a few statements: of those
// that no check names, the two that most functions take.
// RUN: split-file %s %t
// RUN: %check_tidy %t/topology.cpp 'linesman-*' %t.topology -- -std=c++20 -I%S/Inputs
// RUN: %check_tidy %t/right.cpp 'linesman-*' %t.right -- -std=c++20 -I%S/Inputs
// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %t/off.cpp 'linesman-*' %t.off -- -std=c++20 -I%S/Inputs
//--- topology.cpp
#include "threads.h"

struct Topology {
  std::mutex mutex;
  int *servers, count;
};

int select(Topology *topology) {
  std::lock_guard<std::mutex> guard(topology->mutex);
  // CHECK-MESSAGES: :[[@LINE-1]]:31: warning: 'Topology::mutex' is one lock for all that threads do with the object, and 4 functions of this unit take it, here 'select': each call moves its cache line, and those of what it guards, to the core that runs the call and away from all others; if several threads often call them for the same object, split what it guards
  for (int i = 0; i < topology->count; ++i)
    if (topology->servers[i])
      return i;
  return -1;
}
int age(Topology *topology) {
  std::lock_guard<std::mutex> guard(topology->mutex);
  int oldest = 0;
  for (int i = 0; i < topology->count; ++i)
    oldest += topology->servers[i];
  return oldest;
}
void mark(Topology *topology, int server) {
  std::lock_guard<std::mutex> guard(topology->mutex);
  for (int i = 0; i < server; ++i)
    topology->servers[i] = 0;
}
void merge(Topology *topology, const Topology *other) {
  std::lock_guard<std::mutex> guard(topology->mutex);
  for (int i = 0; i < topology->count; ++i)
    topology->servers[i] |= other->servers[i];
}
//--- off.cpp
#include "threads.h"

struct Topology {
  std::mutex mutex;
  int *servers, count;
};
int select(Topology *topology) {
  std::lock_guard<std::mutex> guard(topology->mutex);
  for (int i = 0; i < topology->count; ++i)
    if (topology->servers[i])
      return i;
  return -1;
}
int age(Topology *topology) {
  std::lock_guard<std::mutex> guard(topology->mutex);
  int oldest = 0;
  for (int i = 0; i < topology->count; ++i)
    oldest += topology->servers[i];
  return oldest;
}
void mark(Topology *topology, int server) {
  std::lock_guard<std::mutex> guard(topology->mutex);
  for (int i = 0; i < server; ++i)
    topology->servers[i] = 0;
}
void merge(Topology *topology, const Topology *other) {
  std::lock_guard<std::mutex> guard(topology->mutex);
  for (int i = 0; i < topology->count; ++i)
    topology->servers[i] |= other->servers[i];
}
//--- right.cpp
#include "threads.h"

// The fix: readers have a snapshot, and few functions change it.
struct Snapshot {
  int *servers, count;
};
struct Fixed {
  std::mutex mutex;
  std::atomic<const Snapshot *> now;
};
int select(Fixed *topology) {
  const Snapshot *now = topology->now.load();
  for (int i = 0; i < now->count; ++i)
    if (now->servers[i])
      return i;
  return -1;
}
void mark(Fixed *topology, const Snapshot *next) {
  std::lock_guard<std::mutex> guard(topology->mutex);
  for (int i = 0; i < next->count; ++i)
    next->servers[i] = 0;
  topology->now.store(next);
}

// What starts, ends and sets is rare, whoever takes the lock for it.
struct Pool {
  std::mutex mutex;
  int *items, count;
};
#define WALK(pool) \
  std::lock_guard<std::mutex> guard(pool->mutex); \
  for (int i = 0; i < pool->count; ++i) \
    pool->items[i]++;
void open_pool(Pool *pool) { WALK(pool) }
void close_pool(Pool *pool) { WALK(pool) }
void set_size(Pool *pool) { WALK(pool) }
void clear_pool(Pool *pool) { WALK(pool) }
void free_pool(Pool *pool) { WALK(pool) }

// The lock's own class, and a thread's own object.
class EventLock {
  std::mutex inner;
  int count;

public:
  void wake() { std::lock_guard<std::mutex> guard(inner); for (int i = 0; i < 9; ++i) count = i; }
  void mark() { std::lock_guard<std::mutex> guard(inner); for (int i = 0; i < 9; ++i) count = i; }
  void look() { std::lock_guard<std::mutex> guard(inner); for (int i = 0; i < 9; ++i) count = i; }
  void pass() { std::lock_guard<std::mutex> guard(inner); for (int i = 0; i < 9; ++i) count = i; }
};
struct ThreadStats {
  std::mutex mutex;
  int *items, count;
};
void add_get(ThreadStats *pool) { WALK(pool) }
void add_hit(ThreadStats *pool) { WALK(pool) }
void add_miss(ThreadStats *pool) { WALK(pool) }
void add_touch(ThreadStats *pool) { WALK(pool) }
