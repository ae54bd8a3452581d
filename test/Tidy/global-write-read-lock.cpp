// RUN: %check_tidy %s linesman-global-write %t
#include "threads.h"
// A lock of the whole program that nearly all take for reading.
struct Table {
  int find(int key) const;
  void add(int key);
};

namespace bug {
Table table;
std::shared_mutex lock;
int lookup(int key) {
  std::shared_lock<std::shared_mutex> guard(lock);
  // CHECK-MESSAGES: :[[@LINE-1]]:39: warning: 'bug::lock' has static storage, and 3 functions take it for reading, here 'bug::lookup'
  return table.find(key);
}
bool has(int key) {
  lock.lock_shared();
  bool isThere = table.find(key) != 0;
  lock.unlock_shared();
  return isThere;
}
int next(int key) {
  std::shared_lock<std::shared_mutex> guard(lock);
  return table.find(key + 1);
}
void add(int key) {
  std::lock_guard<std::shared_mutex> guard(lock);
  table.add(key);
}
} // namespace bug

// As many change it: it is a lock for a few statements.
namespace mixed {
Table table;
std::shared_mutex lock;
int lookup(int key) {
  std::shared_lock<std::shared_mutex> guard(lock);
  // CHECK-MESSAGES: :[[@LINE-1]]:45: warning: 'mixed::lock' is one lock for the whole program, and 5 functions take it for a few statements each, here 'mixed::lookup'
  return table.find(key);
}
int next(int key) {
  std::shared_lock<std::shared_mutex> guard(lock);
  return table.find(key + 1);
}
int previous(int key) {
  std::shared_lock<std::shared_mutex> guard(lock);
  return table.find(key - 1);
}
void add(int key) {
  std::lock_guard<std::shared_mutex> guard(lock);
  table.add(key);
}
void remove(int key) {
  lock.lock();
  table.add(-key);
  lock.unlock();
}
} // namespace mixed

// An object's own, of which only its users know how many threads have it: the
// message says so (global-write-object-read-locks.cpp). One of each core or
// thread; a single reader.
namespace other {
struct Store {
  std::shared_mutex lock;
  Table table;
  int lookup(int key) {
    std::shared_lock<std::shared_mutex> guard(lock);
    // CHECK-MESSAGES: :[[@LINE-1]]:41: warning: 'other::Store::lock' is one lock for all that threads do with the object
    return table.find(key);
  }
  int next(int key) {
    std::shared_lock<std::shared_mutex> guard(lock);
    return table.find(key + 1);
  }
  int previous(int key) {
    std::shared_lock<std::shared_mutex> guard(lock);
    return table.find(key - 1);
  }
};
thread_local std::shared_mutex own;
Table table;
int lookup(int key) {
  std::shared_lock<std::shared_mutex> guard(own);
  return table.find(key);
}
int next(int key) {
  std::shared_lock<std::shared_mutex> guard(own);
  return table.find(key + 1);
}
int previous(int key) {
  std::shared_lock<std::shared_mutex> guard(own);
  return table.find(key - 1);
}
std::shared_mutex rare;
int only(int key) {
  std::shared_lock<std::shared_mutex> guard(rare);
  return table.find(key);
}
} // namespace other
