// A lock of an object that is taken to count several things at once.
// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-global-write %t
#include "threads.h"

void out(long);

class Table {
public:
  void add(long size) {
    std::lock_guard<std::mutex> guard(lock_);
    rows_ += 1;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Table::add' takes a lock of the object for nothing but to count in 'Table::rows_' and others: {{.*}} if nobody needs them to agree
    bytes_ += size;
  }
  long rows() const { return rows_; }
  long bytes() const { return bytes_; }

private:
  std::mutex lock_;
  long rows_ = 0, bytes_ = 0;
};

// The fix.
class FixedTable {
public:
  void add(long size) {
    __atomic_fetch_add(&rows_, 1, __ATOMIC_RELAXED);
  }
  void show() const { out(__atomic_load_n(&rows_, __ATOMIC_RELAXED)); }

private:
  std::mutex lock_;
  long rows_ = 0;
};

// One of them decides something; one goes down; and more is done than counted.
class Level {
public:
  void add(long size) {
    std::lock_guard<std::mutex> guard(lock_);
    // CHECK-MESSAGES: :[[@LINE-1]]:39: warning: 'Level::lock_' is one lock for all that threads do with the object, and 4 functions take it for a few statements each
    used_ += size;
    added_ += 1;
  }
  bool is_full() const { return used_ > 1000; }
  void open(long size) {
    std::lock_guard<std::mutex> guard(lock_);
    open_ += 1;
    opened_ += 1;
  }
  void close() {
    std::lock_guard<std::mutex> guard(lock_);
    open_ -= 1;
    closed_ += 1;
  }
  void link(int key) {
    std::lock_guard<std::mutex> guard(lock_);
    keys_.push_back(int(key));
    linked_ += 1;
    linked_bytes_ += key;
  }

private:
  std::mutex lock_;
  std::vector<int> keys_;
  long used_ = 0, added_ = 0, open_ = 0, opened_ = 0, closed_ = 0, linked_ = 0,
       linked_bytes_ = 0;
};
