// RUN: %check_tidy %s linesman-global-write %t
// A lock of an object that is taken for nothing but to count.
#include "threads.h"

typedef struct Mutex {
  int word;
} Mutex;
void mutex_lock(Mutex *);
void mutex_unlock(Mutex *);

struct Table {
  Mutex lock;
  Mutex *rows_lock;
  long rows, bytes;
};
void update(Table *table, long n) {
  mutex_lock(table->rows_lock);
  table->rows += n;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'update' takes a lock of the object for nothing but to count in 'Table::rows': the lines of the lock and of the count move to the core that runs the call and away from all others, and who comes meanwhile waits; count atomically, without the lock, or keep one count per thread and add them where they are read [linesman-global-write]
  mutex_unlock(table->rows_lock);
}
long rows(Table *table) {
  mutex_lock(&table->lock);
  long n = table->rows;
  mutex_unlock(&table->lock);
  return n;
}

// A guard, in a method.
class Meter {
  mutable std::mutex mutex;
  long hits = 0;

public:
  void hit() {
    std::lock_guard<std::mutex> guard(mutex);
    ++hits;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Meter::hit' takes a lock of the object for nothing but to count in 'Meter::hits'
  }
  long get() const {
    std::lock_guard<std::mutex> guard(mutex);
    return hits;
  }
};

// Counted atomically; decided by; more than counting; a reference count; at the
// start.
struct Cured {
  std::atomic<long> rows;
};
void update(Cured *table, long n) { table->rows += n; }

struct Queue {
  Mutex lock;
  long waiting, tail;
  long slots[8];
};
void arrive(Queue *queue) {
  mutex_lock(&queue->lock);
  queue->waiting++;
  mutex_unlock(&queue->lock);
}
bool isBusy(Queue *queue) {
  mutex_lock(&queue->lock);
  bool busy = false;
  if (queue->waiting > 4)
    busy = true;
  mutex_unlock(&queue->lock);
  return busy;
}
void push(Queue *queue, long value) {
  mutex_lock(&queue->lock);
  queue->slots[queue->tail & 7] = value;
  queue->tail++;
  mutex_unlock(&queue->lock);
}
struct Shared {
  Mutex lock;
  int refs, users;
};
void hold(Shared *shared) {
  mutex_lock(&shared->lock);
  shared->refs++;
  mutex_unlock(&shared->lock);
}
void register_user(Shared *shared) {
  mutex_lock(&shared->lock);
  shared->users++;
  mutex_unlock(&shared->lock);
}

void use(Meter &meter) {
  meter.hit();
  meter.get();
}
