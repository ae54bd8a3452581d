// RUN: %check_tidy %s linesman-global-write %t
// A lock of the object that is taken for nothing but to keep the largest value.
#include "threads.h"
namespace std {
template <typename T> const T &max(const T &, const T &);
template <typename T> const T &min(const T &, const T &);
} // namespace std

void tell(long);

struct Timer {
  std::mutex lock;
  long slowest;
  void update(long took) {
    std::lock_guard<std::mutex> guard(lock);
    slowest = std::max(slowest, took);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Timer::update' takes a lock of the object for nothing but to keep an extreme value in 'Timer::slowest': the lines of the lock and of the value move to the core that runs the call and away from all others, and who comes meanwhile waits; look first, without the lock, whether the value has to change, or keep one value per thread [linesman-global-write]
  }
  void show() {
    std::lock_guard<std::mutex> guard(lock);
    tell(slowest);
    slowest = 0;
  }
};
struct Range {
  std::mutex lock;
  double least;
  void note(double value) {
    lock.lock();
    least = std::min(value, least);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Range::note' takes a lock of the object for nothing but to keep an extreme value in 'Range::least'
    lock.unlock();
  }
};

// Right: with something else under the lock; another value's extreme; what is
// decided by; without a lock.
struct Queue {
  std::mutex lock;
  long longest, length;
  void push(long n) {
    std::lock_guard<std::mutex> guard(lock);
    length += n;
    tell(length);
    longest = std::max(longest, length);
  }
};
struct Level {
  std::mutex lock;
  long limit, asked;
  void raise(long n) {
    std::lock_guard<std::mutex> guard(lock);
    limit = std::max(asked, n);
  }
};
struct Window {
  std::mutex lock;
  long last;
  void seen(long n) {
    std::lock_guard<std::mutex> guard(lock);
    last = std::max(last, n);
  }
  bool isOld(long n) {
    std::lock_guard<std::mutex> guard(lock);
    return n < last;
  }
};
struct Own {
  long most;
  void update(long n) { most = std::max(most, n); }
};
