// RUN: %check_tidy %s linesman-global-write %t
#include "threads.h"
// Locks around counts that are right, or not the whole program's.
std::mutex lock;
void link_item(int);
void wait_for(std::mutex &);

// A part of what the lock is for.
long linked, removed;
void link(int key) {
  std::lock_guard<std::mutex> guard(lock);
  // CHECK-MESSAGES: :[[@LINE-1]]:37: warning: 'lock' is one lock for the whole program, and 5 functions take it for a few statements each, here 'link'
  link_item(key);
  linked++;
}
void unlink(int key) {
  lock.lock();
  removed++;
  link_item(-key);
  lock.unlock();
}

// Something is decided by them.
long running, waiting;
void begin() {
  std::lock_guard<std::mutex> guard(lock);
  running++;
}
void end() {
  std::lock_guard<std::mutex> guard(lock);
  running--;
}
bool isIdle() {
  std::lock_guard<std::mutex> guard(lock);
  if (running == 0)
    return true;
  return false;
}

// Each object's own lock.
long seen;
struct Session {
  std::mutex own;
  void read() {
    std::lock_guard<std::mutex> guard(own);
    seen++;
  }
  void write() {
    std::lock_guard<std::mutex> guard(own);
    seen++;
  }
};

// Now and then.
long retried, repaired;
void step(bool isBroken) {
  if (isBroken) {
    std::lock_guard<std::mutex> guard(lock);
    retried++;
  }
}
void repair(bool isBroken) {
  if (isBroken) {
    lock.lock();
    repaired++;
    lock.unlock();
  }
}
