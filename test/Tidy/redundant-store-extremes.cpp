// Maxima and minima that a compare-exchange keeps without a look.
// RUN: %check_tidy %s linesman-redundant-store %t
#include "threads.h"
namespace std {
template <typename T> const T &max(const T &a, const T &b);
template <typename T> const T &min(const T &a, const T &b);
} // namespace std

struct Gauge {
  std::atomic<long> high{0};
  std::atomic<long> low{0};
  std::atomic<long> both{0};
  std::atomic<long> sum{0};
  std::atomic<long> version{0};

  void raise(long value) {
    long seen = high.load();
    while (!high.compare_exchange_weak(seen, std::max(seen, value)))
      ;
    // CHECK-MESSAGES: :[[@LINE-2]]:13: warning: this loop keeps an extreme in 'Gauge::high', and exchanges it also when the new value does not change it, which is mostly so: the cache line moves to this core for nothing; leave the loop when the value that was loaded is as good [
  }
  void choose(long value) {
    long seen = low.load(), wanted;
    do {
      wanted = seen < value ? seen : value;
    } while (!low.compare_exchange_weak(seen, wanted));
    // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: this loop keeps an extreme in 'Gauge::low'
  }
  void lower(long value) {
    for (long seen = both.load();;) {
      const long wanted = std::min(value, seen);
      if (both.compare_exchange_weak(seen, wanted))
        return;
      // CHECK-MESSAGES: :[[@LINE-2]]:11: warning: this loop keeps an extreme in 'Gauge::both'
    }
  }

  // The fix.
  void look(long value) {
    long seen = high.load();
    while (seen < value && !high.compare_exchange_weak(seen, value))
      ;
  }
  // Other forms of a look.
  void lookInside(long value) {
    long seen = high.load();
    do {
      if (value <= seen)
        return;
    } while (!high.compare_exchange_weak(seen, std::max(seen, value)));
  }
  void lookBefore(long value) {
    if (high.load() >= value)
      return;
    long seen = high.load();
    while (!high.compare_exchange_weak(seen, std::max(seen, value)))
      ;
  }
  void lookAtBoth(long value) {
    long seen = high.load(), wanted;
    do {
      wanted = std::max(seen, value);
      if (wanted == seen)
        return;
    } while (!high.compare_exchange_weak(seen, wanted));
  }
  bool isEnough(long seen, long value) const;
  void ask(long value) {
    long seen = high.load();
    do {
      if (isEnough(seen, value))
        return;
    } while (!high.compare_exchange_weak(seen, std::max(seen, value)));
  }

  // No extremes: each of these changes the value.
  void add(long value) {
    long seen = sum.load();
    while (!sum.compare_exchange_weak(seen, seen + value))
      ;
  }
  void next(long value) {
    long seen = sum.load();
    while (!sum.compare_exchange_weak(seen, std::max(seen, value) + 1))
      ;
  }
  void turn(long end) {
    long seen = sum.load();
    while (!sum.compare_exchange_weak(seen, seen == end ? 0 : seen + 1))
      ;
  }
  // What grows is another maximum in most calls.
  void update(long value) {
    long seen = version.load();
    while (!version.compare_exchange_weak(seen, std::max(seen, value)))
      ;
  }
  // Once.
  Gauge(long value) {
    long seen = high.load();
    while (!high.compare_exchange_weak(seen, std::max(seen, value)))
      ;
  }
};

// An operation that is given, and a compare-exchange that returns the old
// value.
struct Max {
  static long apply(const long &a, const long &b) { return a > b ? a : b; }
};
struct Add {
  static long apply(const long &a, const long &b) { return a + b; }
};
template <typename Operation>
long update(const Operation &operation, long *word, long value) {
  long old = *word, expected;
  do {
    expected = old;
    const long wanted = operation.apply(expected, value);
    old = __sync_val_compare_and_swap(word, expected, wanted);
    // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: this loop keeps an extreme in 'word'
  } while (expected != old);
  return old;
}
template <typename Operation>
long updateTested(const Operation &operation, long *word, long value) {
  long old = *word, expected;
  do {
    if (operation.apply(old, value) == old)
      return old;
    expected = old;
    const long wanted = operation.apply(expected, value);
    old = __sync_val_compare_and_swap(word, expected, wanted);
  } while (expected != old);
  return old;
}
long keep(long *word, long value) {
  return update(Max(), word, value) + updateTested(Max(), word, value);
}
long count(long *word, long value) { return updateTested(Add(), word, value); }
