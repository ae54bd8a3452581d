// RUN: %check_tidy %s linesman-lock-neighbour %t
#include "threads.h"
// What the holders of a lock write, beside what others read without it.
struct Task {
  Task *next;
  std::mutex lock;
  unsigned left;
};
void run(Task *task, unsigned first);

struct Scheduler {
  std::mutex finished_lock;
  std::mutex lock;
  char names[64];
  Task *queue;
  unsigned workers;
};
Scheduler scheduler;
void push(Task *task) {
  std::lock_guard<std::mutex> guard(scheduler.lock);
  task->next = scheduler.queue;
  scheduler.queue = task;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'Scheduler::queue' (offset 144) is written here, in 'push', by who holds 'Scheduler::lock', and may share its cache line with 'Scheduler::workers' (offset 152), which 'share' reads without that lock: each write makes the next such read a miss, whatever the lock keeps apart; keep them a line apart
}
Task *pop() {
  std::lock_guard<std::mutex> guard(scheduler.lock);
  Task *task = scheduler.queue;
  if (task)
    scheduler.queue = task->next;
  return task;
}
unsigned share(Task *task) {
  std::lock_guard<std::mutex> guard(task->lock);
  return task->left -= 1 + task->left / scheduler.workers;
}
void work() {
  while (Task *task = pop())
    for (unsigned first = share(task); first != 0; first = share(task))
      run(task, first);
}

// Apart; read with the lock as well; read once; a neighbour that operations
// change; one writer.
struct Apart {
  std::mutex lock;
  alignas(64) Task *queue;
  alignas(64) unsigned workers;
};
Apart apart;
void push_apart(Task *task) {
  std::lock_guard<std::mutex> guard(apart.lock);
  apart.queue = task;
}
void pop_apart() {
  std::lock_guard<std::mutex> guard(apart.lock);
  apart.queue = apart.queue->next;
}
struct Locked {
  std::mutex lock;
  char names[64];
  Task *queue;
  unsigned workers, changes, single;
};
Locked locked, rare;
void push_locked(Task *task) {
  std::lock_guard<std::mutex> guard(locked.lock);
  task->left += locked.workers;
  locked.queue = task;
}
void pop_locked() {
  std::lock_guard<std::mutex> guard(locked.lock);
  if (locked.workers)
    locked.queue = locked.queue->next;
}
void change_locked() { locked.changes++; }
unsigned look_once() { return locked.single; }
unsigned look() {
  unsigned sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += locked.changes + apart.workers;
  return sum;
}

// A class that knows its lock: several others look.
class Pool {
  std::mutex lock;
  char names[64];
  Task *first = nullptr;
  unsigned size = 8, align = 16;

public:
  void give(Task *task) {
    std::lock_guard<std::mutex> guard(lock);
    task->next = first;
    first = task;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Pool::first' (offset 104) is written here, in 'Pool::give', by who holds 'Pool::lock', and may share its cache line with 'Pool::size' (offset 112), which 'Pool::fits' reads without that lock
  }
  Task *take() {
    std::lock_guard<std::mutex> guard(lock);
    Task *task = first;
    first = task->next;
    return task;
  }
  bool fits(unsigned n) const { return n <= size; }
  bool holds(unsigned n) const { return n % size == 0; }
  unsigned round(unsigned n) const { return n + size - n % size; }
  unsigned count(unsigned n) const { return n / size; }
};
unsigned use(Pool &pool, Task *task) {
  pool.give(pool.take());
  return pool.fits(1) + pool.holds(2) + pool.round(3) + pool.count(4);
}
