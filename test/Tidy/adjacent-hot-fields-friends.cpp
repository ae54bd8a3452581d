// RUN: %check_tidy %s linesman-adjacent-hot-fields %t
#include "threads.h"

// A friend that only its class declares is code as any other; of a template,
// where it is instantiated.
class Pool {
  long most = 10;
  std::atomic<long> used{0};

  friend void take(Pool &pool) { pool.used.fetch_add(1); }
  // CHECK-MESSAGES: :[[@LINE-1]]:34: warning: 'Pool::used' (offset 8) is updated here, in 'take', and may share its cache line with 'Pool::most' (offset 0)
  friend bool fits(const Pool &pool, long n) { return n < pool.most; }
};
void serve(Pool &pool) {
  if (fits(pool, 1))
    take(pool);
}

template <typename T> class Store {
  T most = 10;
  std::atomic<T> used{0};

  friend void fill(Store &store) { store.used.fetch_add(1); }
  // CHECK-MESSAGES: :[[@LINE-1]]:36: warning: 'Store::used' (offset 8) is updated here, in 'fill', and may share its cache line with 'Store::most' (offset 0)
  friend bool holds(const Store &store, T n) { return n < store.most; }
};
void serve(Store<long> &store) {
  if (holds(store, 1))
    fill(store);
}

// Apart, and one that is only declared.
class Right {
  long most = 10;
  alignas(64) std::atomic<long> used{0};

  friend void take(Right &pool) { pool.used.fetch_add(1); }
  friend bool fits(const Right &pool, long n) { return n < pool.most; }
};
void serve(Right &pool) {
  if (fits(pool, 1))
    take(pool);
}
class Elsewhere {
  long most = 10;
  std::atomic<long> used{0};

  friend void take(Elsewhere &pool);
  friend bool fits(const Elsewhere &pool, long n) { return n < pool.most; }
};
void serve(Elsewhere &pool) {
  if (fits(pool, 1))
    take(pool);
}
