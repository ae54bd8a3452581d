// RUN: %check_tidy %s linesman-lock-neighbour %t
#include "threads.h"
// A value together with its lock, as a field; and records with a lock whose
// methods take it.
template <typename T> class Synchronized {
  std::mutex mutex;
  T value;

public:
  struct Held {
    Synchronized *of;
    std::lock_guard<std::mutex> held;
    explicit Held(Synchronized *s) : of(s), held(s->mutex) {}
    T *operator->() { return &of->value; }
  };
  Held lock() { return Held(this); }
};

struct Store {
  int length;
  const char *folder;
  Synchronized<long> state;

  void put(long n) { *state.lock().operator->() += n; }
  // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: 'Synchronized::mutex' (offset 16) is taken here, in 'Store::put', and may share its cache line with 'Store::length' (offset 0), which 3 functions read without it
  long get() { return *state.lock().operator->(); }
  bool is(const char *p) const { return p[length] == 0; }
  bool isLonger(int n) const { return n > length; }
  int size() const { return length; }
};

struct Shard {
  std::mutex mutex;
  long used;
  void *first;
  void *find() {
    std::lock_guard<std::mutex> held(mutex);
    return first;
  }
  long size() const { return used; }
};
struct alignas(64) FarShard {
  std::mutex mutex;
  void *first;
  void *find() {
    std::lock_guard<std::mutex> held(mutex);
    return first;
  }
};
class Shards {
  Shard *shards;
  FarShard *far;
  int bits;

public:
  void *find(unsigned hash) {
    return shards[hash >> bits].find();
    // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: a computed number picks one of the locks in 'Shards::shards' here, and they are 56 bytes apart: up to 2 share a cache line of 64
  }
  void *findFar(unsigned hash) { return far[hash >> bits].find(); }
};
class Others {
  Shard *shards;

public:
  // No lock is taken.
  long size(unsigned hash) { return shards[hash & 15].size(); }
};

// The value is aligned.
struct Apart {
  int length;
  alignas(64) Synchronized<long> state;
  void put(long n) { *state.lock().operator->() += n; }
  long get() { return *state.lock().operator->(); }
  bool is(const char *p) const { return p[length] == 0; }
  bool isLonger(int n) const { return n > length; }
  int size() const { return length; }
};

void use(Store &store, Shards &shards, Others &others, Apart &apart) {
  store.put(store.get() + store.is("") + store.isLonger(2) + store.size());
  apart.put(apart.get() + apart.is("") + apart.isLonger(2) + apart.size());
  shards.find(1);
  shards.findFar(2);
  others.size(3);
}

// table->parts + hash % n is one of them as well.
struct Part {
  std::mutex mutex;
  void *first;
};
struct Table {
  unsigned count;
  Part *parts;
};
void *find(Table *table, unsigned hash) {
  Part *part = table->parts + hash % table->count;
  std::lock_guard<std::mutex> held(part->mutex);
  // CHECK-MESSAGES: :[[@LINE-1]]:31: warning: a computed number picks one of the locks in 'Table::parts' here, and they are 48 bytes apart
  return part->first;
}
