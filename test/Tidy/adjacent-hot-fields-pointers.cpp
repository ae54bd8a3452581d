// RUN: %check_tidy %s linesman-adjacent-hot-fields %t
#include "threads.h"

// What a smart pointer, or one in a container, points to is not beside it: the
// pointer is only read.
namespace std {
template <typename T> struct unique_ptr {
  T &operator*() const;
  T *operator->() const;
};
} // namespace std
struct PointedTo {
  std::atomic<long> hits;
  void hit() { hits.fetch_add(1); }
};
class Pointing {
  std::vector<std::unique_ptr<PointedTo>> all;
  std::unique_ptr<PointedTo> own;
  int bound;

public:
  PointedTo &of(int n) { return *all[n]; }
  void hit(int n) {
    of(n).hit();
    own->hit();
  }
  int limit() const { return bound; }
  bool below(int n) const { return n < bound; }
};
class Beside {
  std::unique_ptr<PointedTo> own;
  std::atomic<long> hits;

public:
  void hit() {
    own->hit();
    hits.fetch_add(1);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Beside::hits' (offset 8) is updated here, in 'Beside::hit', and may share its cache line with 'Beside::own' (offset 0)
  }
  void hitTwice() {
    own->hit();
    own->hit();
  }
};

// Written whichever way a condition goes; and on one way only.
class Account {
  std::atomic<long> used;
  const int *table;

public:
  void add(long size) {
    if (size < 0)
      used.fetch_add(size);
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'Account::used' (offset 0) is updated here, in 'Account::add'
    else
      used.fetch_add(2 * size);
  }
  int at(int n) const { return table[n]; }
};
class SometimesAccount {
  std::atomic<long> used;
  const int *table;

public:
  void add(long size) {
    if (size < 0)
      used.fetch_add(size);
  }
  int at(int n) const { return table[n]; }
};

// Neither is what a reference stands for.
struct Scheduler {
  std::atomic<long> jobs;
  void add() { jobs.fetch_add(1); }
};
class Referring {
  Scheduler &scheduler;
  int bound;

public:
  explicit Referring(Scheduler &s) : scheduler(s), bound(8) {}
  void add() { scheduler.add(); }
  int limit() const { return bound; }
  bool below(int n) const { return n < bound; }
};
// The object itself is.
class Holding {
  Scheduler scheduler;
  int bound;

public:
  void add() {
    scheduler.add();
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Holding::scheduler' (offset 0) is updated here, in 'Holding::add', and may share its cache line with 'Holding::bound' (offset 8)
  }
  int limit() const { return bound; }
  bool below(int n) const { return n < bound; }
};
void run(Referring &referring, Holding &holding) {
  if (referring.limit() < holding.limit() && referring.below(3) && holding.below(3)) {
    referring.add();
    holding.add();
  }
}
