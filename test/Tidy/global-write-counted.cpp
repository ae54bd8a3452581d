// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-global-write %t
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

// The lock guards a decision, wherever that is made: how many may enter; whether
// somebody was here meanwhile; who is the next; which slot; what is in two places.
struct Semaphore {
  Mutex lock;
  long count;
};
void wait(Semaphore *semaphore);
void take(Semaphore *semaphore) {
  mutex_lock(&semaphore->lock);
  while (semaphore->count == 0)
    wait(semaphore);
  --semaphore->count;
  mutex_unlock(&semaphore->lock);
}
void give(Semaphore *semaphore) {
  mutex_lock(&semaphore->lock);
  ++semaphore->count;
  mutex_unlock(&semaphore->lock);
}
struct Gate {
  Mutex lock;
  long generation;
};
void open(Gate *gate) {
  mutex_lock(&gate->lock);
  gate->generation++;
  mutex_unlock(&gate->lock);
}
bool hasOpened(Gate *gate, long since) {
  long now = gate->generation;
  return now != since;
}
struct Admission {
  Mutex lock;
  long active, limit;
};
void enter(Admission *admission) {
  mutex_lock(&admission->lock);
  admission->active++;
  mutex_unlock(&admission->lock);
}
bool isFull(Admission *admission) { return admission->active >= admission->limit; }
struct Ring {
  Mutex lock;
  unsigned head;
  long slots[8];
};
void advance(Ring *ring) {
  mutex_lock(&ring->lock);
  ring->head++;
  mutex_unlock(&ring->lock);
}
long first(Ring *ring) { return ring->slots[ring->head % 8]; }
struct Account {
  Mutex lock;
  long from, to;
};
void transfer(Account *account, long sum) {
  mutex_lock(&account->lock);
  account->from -= sum;
  account->to += sum;
  mutex_unlock(&account->lock);
}
struct Mailbox {
  Mutex lock;
  long mails;
};
void arrived(Mailbox *box) {
  mutex_lock(&box->lock);
  box->mails++;
  mutex_unlock(&box->lock);
}
static bool isMany(long count) { return count > 100; }
bool isFlooded(Mailbox *box) { return isMany(box->mails); }
bool isEmpty(Mailbox *box) { return !box->mails; }
struct Doors {
  Mutex lock;
  long open;
};
void open(Doors *doors) {
  mutex_lock(&doors->lock);
  doors->open++;
  mutex_unlock(&doors->lock);
}
static long countOpen(Doors *doors) { return doors->open; }
bool isDraughty(Doors *doors) { return countOpen(doors) > 2; }

// The lock is another object's; the object is one thread's.
struct Owner {
  Mutex lock;
};
struct Part {
  Owner *owner;
  long uses;
};
void use(Part *part) {
  mutex_lock(&part->owner->lock);
  part->uses++;
  mutex_unlock(&part->owner->lock);
}
struct Log {
  Mutex lock;
  long lines;
};
thread_local Log *log_of_thread;
void print() {
  mutex_lock(&log_of_thread->lock);
  log_of_thread->lines++;
  mutex_unlock(&log_of_thread->lock);
}

// Told in every way; there is no atomic addition that all processors have for a
// number that is none.
struct Told {
  Mutex lock;
  long calls;
  double seconds;
};
struct Snapshot {
  long calls;
};
int printf(const char *, ...);
void called(Told *told, double seconds) {
  mutex_lock(&told->lock);
  told->calls++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'called' takes a lock of the object for nothing but to count in 'Told::calls'
  mutex_unlock(&told->lock);
}
void timed(Told *told, double seconds) {
  mutex_lock(&told->lock);
  told->seconds += seconds;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'timed' takes a lock of the object for nothing but to count in 'Told::seconds': the lines of the lock and of the count move to the core that runs the call and away from all others, and who comes meanwhile waits; keep one count per thread and add them where they are read [linesman-global-write]
  mutex_unlock(&told->lock);
}
static void show(const char *name, long value) { printf("%s %ld", name, value); }
void tell(Told *told, Snapshot *into) {
  into->calls = told->calls;
  show("calls", told->calls);
  printf("%f", told->seconds / told->calls);
}
void reset(Told *told) {
  mutex_lock(&told->lock);
  told->calls = 0;
  mutex_unlock(&told->lock);
}

void use(Meter &meter) {
  meter.hit();
  meter.get();
}
