// Words that are written under a lock which lies elsewhere, or for each
// reference to the object.
// RUN: %check_tidy %s linesman-adjacent-hot-fields %t

#include "threads.h"

struct Statistics {
  std::mutex mutex;
  char text[128];
  long queued;
  long limit;
};

void push(Statistics *s) {
  std::lock_guard<std::mutex> guard(s->mutex);
  ++s->queued;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'Statistics::queued' (offset 168) is updated here, in 'push', under a lock, and may share its cache line with 'Statistics::limit' (offset 176), which 3 functions read without one and no operation of this unit changes: where several threads have the object at once
}
void pop(Statistics *s) {
  std::lock_guard<std::mutex> guard(s->mutex);
  --s->queued;
}
bool is_big(Statistics *s, long n) { return n > s->limit; }
bool is_small(Statistics *s, long n) { return n < s->limit; }
long rest(Statistics *s, long n) { return s->limit - n; }

struct Shared {
  std::atomic<int> refcount;
  int kind;
};
void ref(Shared *s) { s->refcount.fetch_add(1); }
// CHECK-MESSAGES: :[[@LINE-1]]:23: warning: 'Shared::refcount' (offset 0) is updated here, in 'ref', for a reference to the object, and may share its cache line with 'Shared::kind' (offset 4), which 3 functions read without counting
void unref(Shared *s) { s->refcount.fetch_sub(1); }
bool is_text(Shared *s) { return s->kind == 1; }
bool is_number(Shared *s) { return s->kind == 2; }
bool is_list(Shared *s) { return s->kind == 3; }

// The fix: a line apart.
struct FixedShared {
  alignas(64) std::atomic<int> refcount;
  alignas(64) int kind;
};
void ref(FixedShared *s) { s->refcount.fetch_add(1); }
void unref(FixedShared *s) { s->refcount.fetch_sub(1); }
bool is_text(FixedShared *s) { return s->kind == 1; }
bool is_number(FixedShared *s) { return s->kind == 2; }
bool is_list(FixedShared *s) { return s->kind == 3; }

// Few read it; others change it, too; and what counts without an atomic word is
// one thread's.
struct Few {
  std::atomic<int> refcount;
  int kind;
};
void ref(Few *s) { s->refcount.fetch_add(1); }
void unref(Few *s) { s->refcount.fetch_sub(1); }
bool is_text(Few *s) { return s->kind == 1; }

struct Changing {
  std::atomic<int> refcount;
  int kind;
};
void ref(Changing *s) { s->refcount.fetch_add(1); }
void unref(Changing *s) { s->refcount.fetch_sub(1); }
void turn(Changing *s) { s->kind++; }
bool is_text(Changing *s) { return s->kind == 1; }
bool is_number(Changing *s) { return s->kind == 2; }
bool is_list(Changing *s) { return s->kind == 3; }

struct Plain {
  int refcount;
  int kind;
};
void ref(Plain *s) { s->refcount++; }
void unref(Plain *s) { s->refcount--; }
bool is_text(Plain *s) { return s->kind == 1; }
bool is_number(Plain *s) { return s->kind == 2; }
bool is_list(Plain *s) { return s->kind == 3; }
