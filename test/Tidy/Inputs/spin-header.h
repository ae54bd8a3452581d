// A project's own lock, in a header.
#ifndef SPIN_HEADER_H
#define SPIN_HEADER_H
#include "guards.h"
class HeaderSpin {
  std::atomic<unsigned> word{0};

public:
  void lock() {
    while (!try_lock())
      ;
  }
  void unlock() { word.store(0); }
  bool try_lock() {
    unsigned expected = 0;
    return word.compare_exchange_strong(expected, 1);
  }
};
// Nobody takes this one.
class UnusedSpin {
  std::atomic<unsigned> word{0};

public:
  void lock() {
    while (word.exchange(1))
      ;
  }
  void unlock() { word.store(0); }
};
#endif
