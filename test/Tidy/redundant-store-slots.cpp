// RUN: %check_tidy %s linesman-redundant-store %t
#include "threads.h"

struct Item;
struct Slots {
  unsigned size;
  Item *items[64];
  std::atomic<Item *> cells[64];
  std::atomic<int> locks[64];
};

// A project's own compare-exchange, two functions deep.
static inline bool try_swap(unsigned long *at, unsigned long from, unsigned long to) {
  return __atomic_compare_exchange_n(at, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
static inline bool try_swap_pointer(void *at, Item *from, Item *to) {
  return try_swap((unsigned long *)at, (unsigned long)from, (unsigned long)to);
}

unsigned put(Slots *s, Item *item) {
  unsigned i = 0;
  for (; i < s->size; i++) {
    if (0 == try_swap_pointer(&s->items[i], nullptr, item))
      continue;
    // CHECK-MESSAGES: :[[@LINE-2]]:14: warning: this compare-exchange on 'Slots::items' expects a constant, and nothing loads 'Slots::items' before: it takes the cache line away from all other cores also when it fails; test the value with a load first
    break;
  }
  return i;
}

int put_in_cell(Slots &s, Item *item) {
  for (int i = 0; i != 64; ++i) {
    Item *none = nullptr;
    if (s.cells[i].compare_exchange_strong(none, item))
      return i;
    // CHECK-MESSAGES: :[[@LINE-2]]:9: warning: this compare-exchange on 'Slots::cells' expects a constant
  }
  return -1;
}

// A record for each thread, taken from those that others have given back.
struct Record {
  Record *next;
  std::atomic<int> used;
};
Record *records;
Record *attach() {
  for (Record *r = records; r; r = r->next) {
    int no = 0;
    if (!r->used.compare_exchange_strong(no, 1))
      continue;
    // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this compare-exchange on 'Record::used' expects a constant
    return r;
  }
  return nullptr;
}
void detach(Record *r) { r->used.store(0); }
Item *take(Slots *s, unsigned i) { return s->cells[i].exchange(nullptr); }
Item *take_item(Slots *s, unsigned i) { return __atomic_exchange_n(&s->items[i], nullptr, __ATOMIC_ACQ_REL); }

// ---- From here on: nothing.

// Its fix.
unsigned put_if_empty(Slots *s, Item *item) {
  unsigned i = 0;
  for (; i < s->size; i++) {
    if (s->items[i] != nullptr || 0 == try_swap_pointer(&s->items[i], nullptr, item))
      continue;
    break;
  }
  return i;
}
int put_in_empty_cell(Slots &s, Item *item) {
  for (int i = 0; i != 64; ++i) {
    Item *none = nullptr;
    if (!s.cells[i].load() && s.cells[i].compare_exchange_strong(none, item))
      return i;
  }
  return -1;
}

// All cells get something: what fails is not passed, but told.
bool fill(Slots &s, Item *item) {
  for (int i = 0; i != 64; ++i) {
    Item *none = nullptr;
    if (!s.cells[i].compare_exchange_strong(none, item))
      return false;
  }
  return true;
}

// One lock after the other: the first is mostly free.
int lock_any(Slots &s) {
  for (int i = 0; i != 64; ++i) {
    int no = 0;
    if (s.locks[i].compare_exchange_strong(no, 1))
      return i;
  }
  return -1;
}
void unlock(Slots &s, int i) { s.locks[i].store(0); }

// The caller's place, tried a few times.
bool put_at(Slots &s, unsigned where, Item *item) {
  Item *none = nullptr;
  return s.cells[where].compare_exchange_strong(none, item);
}
