// Locks that are taken for nothing but to read one word.
// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-global-write %t

#include "threads.h"

class Queue {
public:
  bool empty() const {
    std::lock_guard<std::mutex> guard(mutex_);
    // CHECK-MESSAGES: :[[@LINE-1]]:39: warning: 'Queue::empty' takes the lock 'Queue::mutex_' for nothing but to read 'Queue::jobs_', as 2 functions do: {{.*}} if it is called often, make the word atomic
    return jobs_.size() == 0;
  }
  long sent() const {
    std::unique_lock<std::mutex> guard(mutex_);
    return sent_;
  }
  void push(int job) {
    std::lock_guard<std::mutex> guard(mutex_);
    jobs_.push_back(int(job));
    ++sent_;
  }

private:
  mutable std::mutex mutex_;
  std::vector<int> jobs_;
  long sent_ = 0;
};

bool ask(const Queue &queue) { return queue.empty() && queue.sent() > 7; }

// One that a loop calls.
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
  long sent() const { return __atomic_load_n(&sent_, __ATOMIC_RELAXED); }
  void push(int job) {
    std::lock_guard<std::mutex> guard(mutex_);
    jobs_.push_back(int(job));
    __atomic_store_n(&count_, jobs_.size(), __ATOMIC_RELEASE);
    __atomic_fetch_add(&sent_, 1, __ATOMIC_RELAXED);
  }

private:
  mutable std::mutex mutex_;
  std::vector<int> jobs_;
  unsigned long count_ = 0;
  long sent_ = 0;
};

bool ask(const FixedQueue &queue) { return queue.empty() && queue.sent() > 7; }

// A word beside one that stays as it is, in the only function that asks.
class Buffer {
public:
  explicit Buffer(long most) : most_(most) {}
  double utilization() const {
    std::lock_guard<std::mutex> guard(mutex_);
    // CHECK-MESSAGES: :[[@LINE-1]]:39: warning: 'Buffer::utilization' takes the lock 'Buffer::mutex_' for nothing but to read 'Buffer::used_': each call
    return used_ / static_cast<double>(most_);
  }
  void add(int job, long size) {
    std::lock_guard<std::mutex> guard(mutex_);
    used_ += size;
    jobs_.push_back(int(job));
  }

private:
  mutable std::mutex mutex_;
  std::vector<int> jobs_;
  const long most_;
  long used_ = 0;
};

double ask(const Buffer &buffer) { return buffer.utilization(); }

// Two words, which may have to agree.
class Ring {
public:
  bool is_full() const {
    std::lock_guard<std::mutex> guard(mutex_);
    // CHECK-MESSAGES: :[[@LINE-1]]:39: warning: 'Ring::is_full' takes the lock 'Ring::mutex_' for nothing but to read 'Ring::used_' and 'Ring::room_': {{.*}} make both words atomic and read them, if they need not agree, without the lock
    return used_ >= room_;
  }
  void add(int job) {
    std::lock_guard<std::mutex> guard(mutex_);
    jobs_.push_back(int(job));
    ++used_;
  }
  void grow(long room) {
    std::lock_guard<std::mutex> guard(mutex_);
    room_ = room;
  }

private:
  mutable std::mutex mutex_;
  std::vector<int> jobs_;
  long used_ = 0, room_ = 8;
};

bool ask(const Ring &ring) { return ring.is_full(); }

// Settings, and bits of one, of a class whose methods all lock.
class Sink {
public:
  long delay() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return delay_;
  }
  void set_delay(long delay) {
    std::lock_guard<std::mutex> guard(mutex_);
    delay_ = delay;
  }
  bool is_blocked() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return (flags_ & 2) != 0;
  }
  void block() {
    std::lock_guard<std::mutex> guard(mutex_);
    flags_ |= 2;
  }

private:
  mutable std::mutex mutex_;
  long delay_ = 0;
  unsigned flags_ = 0;
};

bool ask(Sink &sink) {
  sink.block();
  sink.set_delay(7);
  return sink.is_blocked() || sink.delay() > 1;
}

// More than two words, a word that is another object's, an object, a word that
// a call may make, and what is asked when the program ends.
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
    return used_ + free_ + kept_;
  }
  int of(const Names *other) const {
    std::lock_guard<std::mutex> guard(mutex_);
    return other->used_;
  }
  int made() {
    std::lock_guard<std::mutex> guard(mutex_);
    return make() + used_;
  }
  int left_at_shutdown() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return used_;
  }

private:
  int make();
  mutable std::mutex mutex_;
  Pair both_;
  int used_ = 0, free_ = 0, kept_ = 0;
};

int ask(Names &names) {
  return names.sum() + names.made() + names.of(&names) + names.both().first +
         names.left_at_shutdown();
}
