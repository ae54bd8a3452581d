// Two locks beside each other, of which each has a neighbour that is read
// without it: both are said, because apart from that one they would still be
// beside each other.
// RUN: %check_tidy %s linesman-lock-neighbour %t
#include "threads.h"

struct SpinLock {
  void lock();
  void unlock();
  int Word;
};

struct Cache {
  int entries;
  SpinLock files_lock;
  SpinLock tiles_lock;
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'Cache::files_lock' (offset 4) and 'Cache::tiles_lock' (offset 8) may be on one cache line, and no function takes both
  int limit;

  void add_file() {
    files_lock.lock();
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Cache::files_lock' (offset 4) is taken here, in 'Cache::add_file', and may share its cache line with 'Cache::limit' (offset 12)
    files_lock.unlock();
  }
  void drop_file() {
    files_lock.lock();
    files_lock.unlock();
  }
  void add_tile() {
    tiles_lock.lock();
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Cache::tiles_lock' (offset 8) is taken here, in 'Cache::add_tile', and may share its cache line with 'Cache::limit' (offset 12)
    tiles_lock.unlock();
  }
  void drop_tile() {
    tiles_lock.lock();
    tiles_lock.unlock();
  }
  bool is_full(int n) const { return n > limit; }
  int room(int n) const { return limit - n; }
  int share(int n) const {
    int all = 0;
    for (int i = 0; i < n; ++i)
      all += limit / n;
    return all;
  }
};
void use(Cache &c) {
  c.add_file();
  c.drop_file();
  c.add_tile();
  c.drop_tile();
}

// What clears all takes both, and the others do not.
struct Cleared {
  SpinLock files_lock;
  SpinLock tiles_lock;
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'Cleared::files_lock' (offset 0) and 'Cleared::tiles_lock' (offset 4) may be on one cache line, and most functions that take one do not take the other
  void add_file() {
    files_lock.lock();
    files_lock.unlock();
  }
  void drop_file() {
    files_lock.lock();
    files_lock.unlock();
  }
  void add_tile() {
    tiles_lock.lock();
    tiles_lock.unlock();
  }
  void drop_tile() {
    tiles_lock.lock();
    tiles_lock.unlock();
  }
  void sweep() {
    files_lock.lock();
    tiles_lock.lock();
    tiles_lock.unlock();
    files_lock.unlock();
  }
};
void use(Cleared &c) {
  c.add_file();
  c.drop_file();
  c.add_tile();
  c.drop_tile();
  c.sweep();
}

// All functions take both.
struct Both {
  SpinLock files_lock;
  SpinLock tiles_lock;
  void add() {
    files_lock.lock();
    tiles_lock.lock();
    tiles_lock.unlock();
    files_lock.unlock();
  }
  void drop() {
    files_lock.lock();
    tiles_lock.lock();
    tiles_lock.unlock();
    files_lock.unlock();
  }
};
void use(Both &b) {
  b.add();
  b.drop();
}

// The fix: apart from each other and from what is read.
struct Apart {
  alignas(64) SpinLock files_lock;
  alignas(64) SpinLock tiles_lock;
  alignas(64) int limit;
  void add_file() {
    files_lock.lock();
    files_lock.unlock();
  }
  void drop_file() {
    files_lock.lock();
    files_lock.unlock();
  }
  void add_tile() {
    tiles_lock.lock();
    tiles_lock.unlock();
  }
  void drop_tile() {
    tiles_lock.lock();
    tiles_lock.unlock();
  }
  bool is_full(int n) const { return n > limit; }
  int room(int n) const { return limit - n; }
};
void use(Apart &a) {
  a.add_file();
  a.drop_file();
  a.add_tile();
  a.drop_tile();
}
