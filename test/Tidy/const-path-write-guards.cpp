// RUN: %check_tidy %s linesman-const-path-write %t
#include "threads.h"
// A guard by what it is given and does, named after the mutex.
class scoped_mutex {
  std::mutex *held;

public:
  explicit scoped_mutex(std::mutex &mutex) : held(&mutex) { held->lock(); }
  ~scoped_mutex() { held->unlock(); }
};
// Owns its mutex, and holds nothing by being there.
class owned_mutex {
  std::mutex *own;

public:
  owned_mutex() : own(new std::mutex) {}
  ~owned_mutex() { delete own; }
};

class Queue {
  mutable std::mutex lock;
  long size;
  mutable long waiters, looks;

public:
  bool wait(long most) const {
    scoped_mutex held(lock);
    ++waiters;
    return size < most;
  }
  bool look(long most) const {
    owned_mutex unused;
    ++looks;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Queue::look' promises not to change the object, but writes 'Queue::looks'
    return size < most;
  }
};
