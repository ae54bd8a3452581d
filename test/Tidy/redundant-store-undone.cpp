// RUN: %check_tidy %s linesman-redundant-store %t
#include "threads.h"
void pause();
// Readers count themselves in, and out again while a writer is there.
struct Lock {
  std::atomic<int> readers{0};
  std::atomic<bool> writer{false};
  void lockShared() {
    for (;;) {
      readers.fetch_add(1);
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: this loop writes 'Lock::readers' on every turn while it waits
      if (!writer.load())
        return;
      readers.fetch_sub(1);
      pause();
    }
  }
};

// Looks first, and counts only when it may get in.
struct LookingLock {
  std::atomic<int> readers{0};
  std::atomic<bool> writer{false};
  void lockShared() {
    for (;;) {
      while (writer.load())
        pause();
      readers.fetch_add(1);
      if (!writer.load())
        return;
      readers.fetch_sub(1);
    }
  }
};

// Gives up after the first try.
struct TryLock {
  std::atomic<int> readers{0};
  std::atomic<bool> writer{false};
  bool tryLockShared() {
    readers.fetch_add(1);
    if (!writer.load())
      return true;
    readers.fetch_sub(1);
    return false;
  }
};

// Work between the two: users of something, counted in and out.
struct Server {
  std::atomic<int> busy{0};
  std::atomic<bool> stops{false};
  void work();
  void serve() {
    for (;;) {
      busy.fetch_add(1);
      work();
      busy.fetch_sub(1);
      if (stops.load())
        return;
    }
  }
};

// Nothing is taken back.
struct Count {
  std::atomic<int> turns{0};
  std::atomic<bool> stops{false};
  void run() {
    for (;;) {
      turns.fetch_add(1);
      if (stops.load())
        return;
      pause();
    }
  }
};
