// Locks of the whole program that functions take for a few statements each.
// RUN: %check_tidy %s linesman-global-write %t

#include "threads.h"

struct Pool {
  void fill(unsigned char *to, unsigned long size);
  unsigned word(unsigned most);
  unsigned char byte();
};

Pool &pool();
static std::mutex pool_lock;

void fill(unsigned char *to, unsigned long size) {
  Pool &from = pool();
  std::lock_guard<std::mutex> guard(pool_lock);
  // CHECK-MESSAGES: :[[@LINE-1]]:37: warning: 'pool_lock' is one lock for the whole program, and 3 functions take it for a few statements each, here 'fill': {{.*}} if they are called often, keep one copy per thread
  from.fill(to, size);
}

unsigned word(unsigned most) {
  std::lock_guard<std::mutex> guard(pool_lock);
  return pool().word(most);
}

unsigned char byte() {
  std::lock_guard<std::mutex> guard(pool_lock);
  return pool().byte();
}

// The fix: each thread has its own, and no lock.
Pool &own_pool();

unsigned own_word(unsigned most) {
  thread_local Pool &own = own_pool();
  return own.word(most);
}

// What takes long under it, or is done now and then, is another matter.
static std::mutex table_lock;
static int table[100], used;

void register_one(int one) {
  std::lock_guard<std::mutex> guard(table_lock);
  table[used++] = one;
}

void remove_all() {
  std::lock_guard<std::mutex> guard(table_lock);
  for (int i = 0; i < used; ++i)
    table[i] = 0;
}

int find_one(int one) {
  std::lock_guard<std::mutex> guard(table_lock);
  return table[one];
}

void init_table() {
  std::lock_guard<std::mutex> guard(table_lock);
  used = 0;
}

// Each thread's own.
static thread_local std::mutex own_lock;
static thread_local int own;

void put(int n) {
  std::lock_guard<std::mutex> guard(own_lock);
  own = n;
}
int get() {
  std::lock_guard<std::mutex> guard(own_lock);
  return own + 1;
}
int take() {
  std::lock_guard<std::mutex> guard(own_lock);
  return own - 1;
}
