// RUN: %check_tidy %s linesman-redundant-store %t
// The same with the library's classes, and a result that several places name.
#include "threads.h"
namespace std::this_thread {
void yield();
}

struct Table {
  std::mutex mutex;
  std::atomic<int> owner, size;
  void grow();

  void insert() {
    while (!mutex.try_lock())
      // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: this loop tries to take 'Table::mutex' on every turn until it has it
      std::this_thread::yield();
    grow();
    mutex.unlock();
  }
  void erase() {
    for (;;) {
      if (mutex.try_lock())
        // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: this loop tries to take 'Table::mutex' on every turn until it has it
        break;
    }
    grow();
    mutex.unlock();
  }
  void claim() {
    while (true) {
      const bool taken = owner.exchange(1) != 0;
      // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: this loop writes 'Table::owner' on every turn while it waits
      if (!taken)
        return;
    }
  }

  // ---- From here on: nothing.

  void insert_or_work() {
    while (!mutex.try_lock())
      grow();
    mutex.unlock();
  }
  void insert_until_large() {
    while (!mutex.try_lock())
      if (size.load() > 10)
        return;
    mutex.unlock();
  }
  // It goes on while it has it.
  void drain() {
    while (mutex.try_lock())
      mutex.unlock();
  }
  void claim_if_free() {
    while (true) {
      const bool taken = owner.exchange(1) != 0;
      if (taken)
        return;
      grow();
    }
  }
};
