// Locks that are taken for nothing but to read one word.
// RUN: %check_tidy %s linesman-global-write %t

#include "threads.h"

class Queue {
public:
  bool empty() const {
    std::lock_guard<std::mutex> guard(mutex_);
    // CHECK-MESSAGES: :[[@LINE-1]]:39: warning: 'Queue::empty' takes the lock 'Queue::mutex_' for nothing but to read 'Queue::jobs_', as 2 functions do: {{.*}} if it is called often, make the word atomic
    return jobs_.size() == 0;
  }
  bool is_open() const {
    std::unique_lock<std::mutex> guard(mutex_);
    return !closed_;
  }
  void push(int job) {
    std::lock_guard<std::mutex> guard(mutex_);
    jobs_.push_back(int(job));
  }

private:
  mutable std::mutex mutex_;
  std::vector<int> jobs_;
  bool closed_ = false;
};

bool ask(const Queue &queue) { return queue.empty() && queue.is_open(); }

// One of them, which a loop calls.
static std::mutex light_lock;
static int light;

int is_on() {
  int now;
  light_lock.lock();
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'is_on' takes the lock 'light_lock' for nothing but to read 'light', and a loop calls it
  now = light;
  light_lock.unlock();
  return now;
}

void send(int);

void send_all() {
  while (is_on())
    send(1);
}

// The fix: no lock.
class FixedQueue {
public:
  bool empty() const { return __atomic_load_n(&count_, __ATOMIC_ACQUIRE) == 0; }
  bool is_open() const { return !__atomic_load_n(&closed_, __ATOMIC_ACQUIRE); }
  void push(int job) {
    std::lock_guard<std::mutex> guard(mutex_);
    jobs_.push_back(int(job));
    __atomic_store_n(&count_, jobs_.size(), __ATOMIC_RELEASE);
  }

private:
  mutable std::mutex mutex_;
  std::vector<int> jobs_;
  unsigned long count_ = 0;
  bool closed_ = false;
};

bool ask(const FixedQueue &queue) { return queue.empty() && queue.is_open(); }

// More than a word, a word that is another object's, and one question that no
// loop asks.
struct Pair {
  int first = 0, second = 0;
};
class Names {
public:
  Pair both() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return both_;
  }
  int sum() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return used_ + free_;
  }
  int used() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return used_;
  }
  int of(const Names *other) const {
    std::lock_guard<std::mutex> guard(mutex_);
    return other->used_;
  }

private:
  mutable std::mutex mutex_;
  Pair both_;
  int used_ = 0, free_ = 0;
};

int ask(const Names &names) {
  return names.sum() + names.used() + names.of(&names) +
         names.both().first;
}
