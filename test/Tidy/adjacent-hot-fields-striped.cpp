// RUN: %check_tidy %s linesman-adjacent-hot-fields %t
// A lock that a number picks keeps out those only who have picked the same one:
// an atomic count of the whole table is updated by all of them.
#include "threads.h"

class Table {
  struct alignas(64) Bucket {
    std::mutex lock;
    int value;
  };
  Bucket *buckets;
  unsigned long mask;
  std::atomic<unsigned long> size{0};

public:
  void insert(unsigned long hash, int value) {
    Bucket &bucket = buckets[hash & mask];
    std::lock_guard<std::mutex> held(bucket.lock);
    bucket.value = value;
    size.fetch_add(1);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Table::size' (offset 16) is updated here, in 'Table::insert', and may share its cache line with 'Table::mask' (offset 8), which 'Table::find' reads
  }
  int find(unsigned long hash) const { return buckets[hash & mask].value; }
};
int useTable(Table &t) {
  t.insert(1, 2);
  return t.find(3);
}

// One lock for all: the line moves with it.
class Locked {
  int *values;
  unsigned long mask;
  std::mutex lock;
  std::atomic<unsigned long> size{0};

public:
  void insert(unsigned long hash, int value) {
    std::lock_guard<std::mutex> held(lock);
    values[hash & mask] = value;
    size.fetch_add(1);
  }
  int find(unsigned long hash) {
    std::lock_guard<std::mutex> held(lock);
    return values[hash & mask];
  }
};
int useLocked(Locked &t) {
  t.insert(1, 2);
  return t.find(3);
}

// Each bucket counts its own, under its own lock.
struct Counted {
  std::mutex lock;
  int limit;
  std::atomic<unsigned long> size{0};
};
class Buckets {
  Counted *buckets;
  unsigned long mask;

public:
  void insert(unsigned long hash) {
    Counted &bucket = buckets[hash & mask];
    std::lock_guard<std::mutex> held(bucket.lock);
    if (bucket.limit)
      bucket.size.fetch_add(1);
  }
  int limitOf(unsigned long hash) {
    Counted &bucket = buckets[hash & mask];
    std::lock_guard<std::mutex> held(bucket.lock);
    return bucket.limit;
  }
};
int useBuckets(Buckets &t) {
  t.insert(1);
  return t.limitOf(3);
}

// A lock at a fixed place is one lock.
class Pair {
  std::mutex locks[2];
  unsigned long mask;
  std::atomic<unsigned long> size{0};

public:
  unsigned long insert() {
    std::lock_guard<std::mutex> held(locks[0]);
    size.fetch_add(1);
    return mask;
  }
  unsigned long find() {
    std::lock_guard<std::mutex> held(locks[0]);
    return mask;
  }
};
unsigned long usePair(Pair &t) { return t.insert() + t.find(); }
