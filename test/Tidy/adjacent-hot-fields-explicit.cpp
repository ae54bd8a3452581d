// RUN: %check_tidy %s linesman-adjacent-hot-fields %t
#include "threads.h"

// Explicitly instantiated here, or in another unit, which these inline
// functions are code of as well.
template <typename T> class Store {
  T most = 10;
  std::atomic<T> used{0};

public:
  void fill() { used.fetch_add(1); }
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: 'Store::used' (offset 8) is updated here, in 'Store::fill', and may share its cache line with 'Store::most' (offset 0)
  bool holds(T n) const { return n < most; }
};
extern template class Store<long>;
void serve(Store<long> &store) {
  if (store.holds(1))
    store.fill();
}

template <typename T> class Pool {
  T most = 10;
  std::atomic<T> used{0};

public:
  void fill() { used.fetch_add(1); }
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: 'Pool::used' (offset 8) is updated here, in 'Pool::fill', and may share its cache line with 'Pool::most' (offset 0)
  bool holds(T n) const { return n < most; }
};
template class Pool<long>;
