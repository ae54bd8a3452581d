// Making an object is no operation, whatever its class is called; making a guard
// is one.
// RUN: %check_tidy %s linesman-adjacent-hot-fields %t
#include "threads.h"

struct LocklessPool {
  std::atomic<long> available;
  long sets;
  explicit LocklessPool(long n) : sets(n) {
    for (long i = 0; i < sets; ++i)
      slots[i] = 0;
  }
  ~LocklessPool() {}
  void take() { available.fetch_sub(1); }
  long slots[64];
};
struct DataBlock {
  std::atomic<long> readers;
  long size;
  explicit DataBlock(long n) : size(n) {
    for (long i = 0; i < size; ++i)
      bytes[i] = 0;
  }
  ~DataBlock() {}
  void enter() { readers.fetch_add(1); }
  char bytes[64];
};
void use(LocklessPool &p, DataBlock &b) {
  p.take();
  b.enter();
}

struct State {
  std::atomic<long> entered;
  long limit;
};
struct StateLock {
  explicit StateLock(State &s) : state(s) {
    for (long i = 0; i < state.limit; ++i)
      spin();
  }
  ~StateLock() {}
  static void spin();
  State &state;
};
void enter(State &s) { s.entered.fetch_add(1); }
// CHECK-MESSAGES: :[[@LINE-1]]:24: warning: 'State::entered' (offset 0) is updated here, in 'enter', and may share its cache line with 'State::limit' (offset 8), which 'StateLock::StateLock' reads
void use(State &s) { StateLock lock(s); }
